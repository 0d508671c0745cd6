import { itemsOf } from '../collections/groups.js'
import { findString } from '../collections/strings.js'
import { matchText } from '../index/bm25.js'
import { outgoingOf, predicateRange, type SafeIndex } from '../index/safe-index.js'
import { bitOf } from '../text/languages/stems.js'
import { normalizeName, spacedPredicate } from '../text/text.js'

export interface Step {
  /** A predicate in any spelling ("worksFor", "works for"), or words of one. */
  relation: string
  /** `out`: subject to object; `in`: object to subject; `any`: both. */
  direction: 'out' | 'in' | 'any'
}

export interface Walk {
  /** The ends of the last step, distinct, in the order they were reached. */
  entities: number[]
  /** The facts of every step. */
  facts: number[][]
  /** The first step whose relation matches no predicate of the Safe, or -1. */
  unknownStep: number
  truncated: boolean
}

/** Limits: facts followed in all, and entities that continue to the next step. */
const MAX_FACTS = 10_000
const MAX_ENTITIES = 2_000

/** Shared budget of several walks of one question: facts followed and predicates looked up. */
export interface Work {
  left: number
}
/** The budget of one walk. */
export const MAX_WORK = 30_000
/** Predicates that one relation can mean. */
const MAX_PREDICATES = 50
const MAX_POSTINGS = 10_000

/** Mode `walk`: the entities reached from the start over the given relations, step by step (GRAPH §4). */
export function walk(
  index: SafeIndex,
  starts: readonly number[],
  steps: readonly Step[],
  work: Work = { left: MAX_WORK },
  isInTime: (fact: number) => boolean = () => true,
): Walk {
  const facts: number[][] = []
  let entities = new Set(starts)
  let left = MAX_FACTS
  let truncated = false
  for (const [at, { relation, direction }] of steps.entries()) {
    const predicates = findPredicates(index, relation)
    if (predicates.length === 0) return { entities: [], facts, unknownStep: at, truncated }
    const next = new Set<number>()
    const used: number[] = []
    for (const { fact, other } of edges(index, entities, predicates, direction, work)) {
      if (!isInTime(fact)) continue
      if (left-- <= 0 || next.size === MAX_ENTITIES) {
        truncated = true
        break
      }
      used.push(fact)
      next.add(other)
    }
    if (work.left <= 0) truncated = true
    facts.push(used)
    entities = next
  }
  return { entities: [...entities], facts, unknownStep: -1, truncated }
}

/**
 * The predicates a relation name refers to: the one with this spelling, otherwise those with all of its
 * words.
 */
function findPredicates(index: SafeIndex, relation: string): number[] {
  const exact = findString(index.predicates, normalizeName(spacedPredicate(relation)))
  if (exact >= 0) return [exact]
  const words = index.workspace.stems.of(index.languages).termsIn(spacedPredicate(relation))
  const stems = [...new Set(words.flat())].slice(0, 31)
  if (stems.length === 0) return []
  const bitsOf = words.map(of => of.reduce((bits, stem) => bits | bitOf(stems, stem), 0))
  return [...matchText(index.workspace, index.predicateText, stems, MAX_POSTINGS)]
    .filter(([, mask]) => bitsOf.every(bits => (mask & bits) !== 0))
    .map(([predicate]) => predicate)
    .slice(0, MAX_PREDICATES)
}

/** Relations with these predicates at each of the entities. */
function* edges(
  index: SafeIndex,
  entities: Iterable<number>,
  predicates: readonly number[],
  direction: Step['direction'],
  work: Work,
): Generator<{ fact: number; other: number }> {
  const { facts } = index
  const wanted = new Set(predicates)
  for (const entity of entities) {
    const { start, end } = outgoingOf(facts, entity)
    const incoming = itemsOf(facts.incoming, entity)
    // With fewer facts than predicates it is cheaper to check each fact.
    if (end - start + incoming.length < predicates.length) {
      work.left -= end - start + incoming.length
      if (work.left <= 0) return
      for (let fact = start; direction !== 'in' && fact < end; fact++)
        if (wanted.has(facts.predicate[fact] ?? 0)) yield { fact, other: facts.object[fact] ?? 0 }
      for (let at = 0; direction !== 'out' && at < incoming.length; at++) {
        const fact = incoming[at] ?? 0
        if (wanted.has(facts.predicate[fact] ?? 0)) yield { fact, other: facts.subject[fact] ?? 0 }
      }
      continue
    }
    for (const predicate of predicates) {
      if (work.left-- <= 0) return
      if (direction !== 'in') {
        const { start, end } = predicateRange(facts, entity, predicate, true)
        for (let fact = start; fact < end && work.left-- > 0; fact++)
          yield { fact, other: facts.object[fact] ?? 0 }
      }
      if (direction !== 'out') {
        const { start, end } = predicateRange(facts, entity, predicate, false)
        for (let at = start; at < end && work.left-- > 0; at++) {
          const fact = incoming[at] ?? 0
          yield { fact, other: facts.subject[fact] ?? 0 }
        }
      }
    }
  }
}

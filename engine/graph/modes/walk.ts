import { itemsOf } from '../collections/groups.js'
import { textsWithAll } from '../index/bm25.js'
import { outgoingOf, predicateRange, type SafeIndex } from '../index/safe-index.js'
import { findPredicate } from '../retrieval/find-entity.js'
import { spacedPredicate } from '../text/text.js'

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
export interface WalkBudget {
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
  work: WalkBudget = { left: MAX_WORK },
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
  const exact = findPredicate(index, relation)
  if (exact >= 0) return [exact]
  const words = index.workspace.stems.of(index.languages).termsIn(spacedPredicate(relation))
  return textsWithAll(index.workspace, index.predicateText, words, MAX_POSTINGS).slice(0, MAX_PREDICATES)
}

/** Relations with these predicates at each of the entities. */
function* edges(
  index: SafeIndex,
  entities: Iterable<number>,
  predicates: readonly number[],
  direction: Step['direction'],
  work: WalkBudget,
): Generator<{ fact: number; other: number }> {
  const { facts } = index
  const wanted = new Set(predicates)
  const ways = [true, false].filter(outgoing => direction !== (outgoing ? 'in' : 'out'))
  for (const entity of entities) {
    const { start, end } = outgoingOf(facts, entity)
    const incoming = itemsOf(facts.incoming, entity)
    const edgeAt = (place: number, outgoing: boolean) => {
      const fact = outgoing ? place : (incoming[place] ?? 0)
      return { fact, other: (outgoing ? facts.object[fact] : facts.subject[fact]) ?? 0 }
    }
    // With fewer facts than predicates it is cheaper to check each fact.
    if (end - start + incoming.length < predicates.length) {
      work.left -= end - start + incoming.length
      if (work.left <= 0) return
      for (const outgoing of ways) {
        for (let place = outgoing ? start : 0; place < (outgoing ? end : incoming.length); place++) {
          const edge = edgeAt(place, outgoing)
          if (wanted.has(facts.predicate[edge.fact] ?? 0)) yield edge
        }
      }
      continue
    }
    for (const predicate of predicates) {
      if (work.left-- <= 0) return
      for (const outgoing of ways) {
        const range = predicateRange(facts, entity, predicate, outgoing)
        for (let place = range.start; place < range.end && work.left-- > 0; place++)
          yield edgeAt(place, outgoing)
      }
    }
  }
}

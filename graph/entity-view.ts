import { factsAround } from './find-entity.js'
import { itemsOf, sizeOf } from './groups.js'
import type { RowRef } from './model.js'
import { outgoingOf, predicateRange, rowsOf, type SafeIndex } from './safe-index.js'
import { stringAt } from './strings.js'
import { Top } from './top.js'

/** What is known of one entity; a hub is summed up. Everything is limited but the counts, which are exact. */
export interface EntityView {
  key: string
  type: string | null
  /** Its relations by predicate and direction, the commonest first. */
  relations: { predicate: string; direction: 'out' | 'in'; count: number; facts: FactRef[] }[]
  /** Kinds of relations that there was no room for. */
  moreKinds: number
  factCount: number
  passages: RowRef[]
  passageCount: number
  /** Passages about others that mention it. */
  mentionedIn: RowRef[]
  mentionCount: number
  /** Keys of the best connected entities next to it. */
  neighbours: string[]
}

/** The rows that say a fact, and the keys of its ends. */
export interface FactRef {
  subject: string
  object: string
  sources: RowRef[]
}

/** Kinds of relations looked at; each costs two binary searches. */
const maxKinds = 500
const maxNeighboursRead = 500

export interface ViewLimits {
  kinds: number
  factsPerKind: number
  passages: number
  neighbours: number
}

const usual: ViewLimits = { kinds: 30, factsPerKind: 3, passages: 5, neighbours: 10 }

/** Mode `entity` (GRAPH §4). The cost grows with the kinds of its relations, not with their number. */
export function viewEntity(index: SafeIndex, entity: number, limits: Partial<ViewLimits> = {}): EntityView {
  const most = { ...usual, ...limits }
  const { facts, passages, mentions } = index
  const kinds = [...kindsOf(index, entity, true), ...kindsOf(index, entity, false)].sort(
    (a, b) => b.count - a.count,
  )
  const { start, end } = outgoingOf(facts, entity)
  const type = stringAt(index.types, index.typeOf[entity] ?? 0)
  const about = itemsOf(passages.about, entity)
  const mentioned = itemsOf(mentions.byEntity, entity)
  return {
    key: stringAt(index.entities, entity),
    type: type === '' ? null : type,
    relations: kinds.slice(0, most.kinds).map(({ predicate, outgoing, count, numbers }) => ({
      predicate: stringAt(index.predicates, predicate),
      direction: outgoing ? 'out' : 'in',
      count,
      facts: [...numbers.subarray(0, most.factsPerKind)].map(fact => factRef(index, fact)),
    })),
    moreKinds: Math.max(0, kinds.length - most.kinds),
    factCount: end - start + sizeOf(facts.incoming, entity),
    passages: [...about.subarray(0, most.passages)].flatMap(passage =>
      rowsOf(passages.rows, passage).slice(0, 1),
    ),
    passageCount: about.length,
    mentionedIn: mentionRows(index, mentioned, most.passages),
    mentionCount: mentioned.length,
    neighbours: neighbours(index, entity, most.neighbours),
  }
}

/** The keys of a fact's ends and the rows that say it. */
export function factRef({ facts, entities }: SafeIndex, fact: number): FactRef {
  return {
    subject: stringAt(entities, facts.subject[fact] ?? 0),
    object: stringAt(entities, facts.object[fact] ?? 0),
    sources: rowsOf(facts.rows, fact),
  }
}

interface Kind {
  predicate: number
  outgoing: boolean
  count: number
  numbers: Uint32Array
}

/** Facts are in order of predicate, so that a kind's end is found by binary search, however many facts it has. */
function* kindsOf({ facts }: SafeIndex, entity: number, outgoing: boolean): Generator<Kind> {
  const incoming = itemsOf(facts.incoming, entity)
  const range = outgoing ? outgoingOf(facts, entity) : { start: 0, end: incoming.length }
  for (let at = range.start, kinds = 0; at < range.end && kinds < maxKinds; kinds++) {
    const predicate = facts.predicate[outgoing ? at : (incoming[at] ?? 0)] ?? 0
    const { end } = predicateRange(facts, entity, predicate, outgoing)
    const numbers = outgoing
      ? Uint32Array.from({ length: Math.min(end - at, 100) }, (_, place) => at + place)
      : incoming.subarray(at, end)
    yield { predicate, outgoing, count: end - at, numbers }
    at = end
  }
}

function mentionRows({ mentions, passages }: SafeIndex, found: Uint32Array, most: number): RowRef[] {
  const seen = new Set<number>()
  for (const mention of found.subarray(0, most * 4)) {
    if (seen.size < most) seen.add(mentions.passage[mention] ?? 0)
  }
  return [...seen].flatMap(passage => rowsOf(passages.rows, passage).slice(0, 1))
}

function neighbours(index: SafeIndex, entity: number, most: number): string[] {
  const seen = new Set<number>()
  const top = new Top(most)
  for (const { other } of factsAround(index, entity, maxNeighboursRead)) {
    if (other === entity || seen.has(other)) continue
    seen.add(other)
    top.offer(other, index.degrees[other] ?? 0)
  }
  return top.sorted().map(({ id }) => stringAt(index.entities, id))
}

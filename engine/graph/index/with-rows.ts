import { numbersBelow, withItems } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'
import { MoreStrings, stringAt } from '../collections/strings.js'
import { Uint32List } from '../collections/uint32-list.js'
import type { TextIndex } from './bm25.js'
import { earlierMentions } from './earlier-mentions.js'
import { FactPeriodsBuilder } from './fact-periods.js'
import { sortedFacts } from './facts-builder.js'
import { timesOf } from './passages-builder.js'
import { type Additions, Unpacked, unpack, withNumbers } from './postings.js'
import { RowList } from './row-list.js'
import {
  type Facts,
  MENTIONS_IN_STEP,
  type Mentions,
  type Passages,
  predicateRange,
  type RowTable,
  rowsOf,
  type SafeIndex,
  tagOf,
} from './safe-index.js'

/** An index, what is added to it, and the numbers that entities of the part have in the result. */
export interface Both {
  before: SafeIndex
  part: SafeIndex
  /** Imports whose rows are gone. */
  gone: ReadonlySet<number>
  entityOf: Uint32Array
  /** How many entities the result has. */
  entities: number
}

/**
 * The facts that still have a row, and those of the part. Null if a fact with dates has lost some rows: the others may
 * have no dates. `predicateOf`: the numbers that predicates of the part become; `predicates`: how many there are then.
 */
export async function factsWith(
  { before, part, gone, entityOf, entities }: Both,
  predicateOf: Uint32Array,
  predicates: number,
  pause: Pause,
): Promise<Facts | null> {
  const { facts } = before
  const { count } = facts
  if (isPartlyGone(facts, gone)) return null
  const periods = new FactPeriodsBuilder(facts.periods)
  const { texts } = part.facts.periods
  const periodOf = Uint32Array.from({ length: texts.size }, (_, at) => periods.addText(stringAt(texts, at)))
  const added = Array.from({ length: part.facts.count }, (_, fact) => ({
    subject: entityOf[part.facts.subject[fact] ?? 0] ?? 0,
    predicate: predicateOf[part.facts.predicate[fact] ?? 0] ?? 0,
    object: entityOf[part.facts.object[fact] ?? 0] ?? 0,
    period: periodOf[part.facts.periods.of[fact] ?? 0] ?? 0,
  }))
  /** Facts that both have: those of the part by the numbers before. */
  const repeated = new Map<number, number>()
  for (const [at, one] of added.entries()) {
    const known = knownFact(before, one)
    if (known >= 0 && !repeated.has(known)) repeated.set(known, at)
  }
  const rows = new RowList(facts.rows, part.facts.rows.imports)
  /** Facts of the result as those before, or those of the part behind them. */
  const from = new Uint32List(count + added.length)
  const addRows = (at: number) => {
    for (const row of rowsOf(part.facts.rows, at)) rows.add(from.length, row)
  }
  const isGone = goneIn(facts.rows, gone)
  for (let fact = 0; fact < count; fact++) {
    const again = repeated.get(fact)
    const isLeft = rows.addLeft(facts.rows, fact, isGone)
    if (again !== undefined) addRows(again)
    if (isLeft && (again === undefined || facts.periods.of[fact])) from.push(fact)
    else if (again !== undefined) from.push(count + again)
  }
  const known = new Set(repeated.values())
  for (const at of added.keys()) {
    if (known.has(at)) continue
    addRows(at)
    from.push(count + at)
  }
  const column = (old: Uint32Array, name: keyof (typeof added)[number]) =>
    from.toArray().map(fact => (fact < count ? old[fact] : added[fact - count]?.[name]) ?? 0)
  const isDated = facts.periods.of.length + part.facts.periods.of.length > 0
  const arrived = {
    subject: column(facts.subject, 'subject'),
    predicate: column(facts.predicate, 'predicate'),
    object: column(facts.object, 'object'),
    predicates,
    entities,
  }
  const periodsOf = isDated ? column(facts.periods.of, 'period') : new Uint32Array()
  return sortedFacts(arrived, rows, periods, periodsOf, pause)
}

function isPartlyGone({ rows, periods }: Facts, gone: ReadonlySet<number>): boolean {
  return rows.more.some((fact, at) => {
    if (!periods.of[fact] || rows.more[at - 1] === fact) return false
    const left = rowsOf(rows, fact).filter(({ importId }) => !gone.has(importId)).length
    return left > 0 && left < rowsOf(rows, fact).length
  })
}

/** The same fact before; one that is stated with and without dates is one. */
function knownFact(
  { facts, entities, predicates }: SafeIndex,
  one: { subject: number; predicate: number; object: number; period: number },
): number {
  if (one.subject >= entities.size || one.predicate >= predicates.size) return -1
  const { start, end } = predicateRange(facts, one.subject, one.predicate, true)
  for (let fact = start; fact < end; fact++) {
    const period = facts.periods.of[fact] ?? 0
    const isSamePeriod = period === one.period || period === 0 || one.period === 0
    if (facts.object[fact] === one.object && isSamePeriod) return fact
  }
  return -1
}

/** Whether a layer of these rows, by its position, is one of the imports. */
function goneIn({ imports }: RowTable, gone: ReadonlySet<number>): Uint8Array {
  const result = new Uint8Array(imports.length)
  for (let at = 0; at < imports.length; at++) if (gone.has(imports[at] ?? 0)) result[at] = 1
  return result
}

/**
 * Passages: earlier ones keep their numbers, even those without a row, and those of the part follow. Null if one has
 * lost its first row but not all: passages are in the order of their first rows.
 */
export function passagesWith(both: Both): { passages: Passages; text: TextIndex } | null {
  const { before, part, entityOf, entities } = both
  const [old, added] = [before.passages, part.passages]
  const gone = gonePassages(both)
  if (!gone) return null
  const rows = new RowList(old.rows, added.rows.imports)
  rows.addAllLeft(old.rows, goneIn(old.rows, both.gone), gone)
  for (let passage = 0; passage < added.count; passage++)
    for (const row of rowsOf(added.rows, passage)) rows.add(old.count + passage, row)
  const numbers = numbersBelow(added.count).map(passage => old.count + passage)
  const { index: text, termOf } = withTexts(before.text, part.text, numbers, gone)
  const words = added.words.map(tag => (tag === 0 ? 0 : tagOf(termOf[tag - 1] ?? 0)))
  const entity = joined(old.entity, added.entity, one => entityOf[one] ?? 0)
  const isLeft = (passage: number) => gone[passage] !== 1
  const passages = {
    count: old.count + added.count,
    gone: gone.reduce((sum, one) => sum + one, 0),
    entity,
    about: withItems(old.about, entities, entity.subarray(old.count), at => old.count + at, isLeft),
    offsets: joined(old.offsets.subarray(0, old.count), added.offsets, at => old.words.length + at),
    words: joined(old.words, words),
    titled: joined(old.titled, added.titled),
    ...timesWith(old, added, gone),
    rows: rows.build(),
  }
  return { passages, text }
}

/** Passage → 1: gone before, or now. Null as above. */
function gonePassages({ before, part, gone }: Both): Uint8Array | null {
  const { count, rows } = before.passages
  const result = new Uint8Array(count + part.passages.count)
  result.set(before.text.gone.subarray(0, count))
  const isGone = goneIn(rows, gone)
  for (let passage = 0; passage < count; passage++) {
    if (isGone[rows.layer[passage] ?? 0] !== 1 || result[passage] === 1) continue
    if (rowsOf(rows, passage).some(({ importId }) => !gone.has(importId))) return null
    result[passage] = 1
  }
  return result
}

function timesWith(before: Passages, part: Passages, gone: Uint8Array) {
  if (before.timed + part.timed === 0) return timesOf(new Float64Array())
  const times = new Float64Array(before.count + part.count).fill(Number.NaN)
  times.set(before.times)
  times.set(part.times, before.count)
  return timesOf(times.map((time, passage) => (gone[passage] === 1 ? Number.NaN : time)))
}

/** Mentions in the passages that are left, those of new names in them, and those of the part. */
export function mentionsWith({ before, part, entityOf, entities }: Both, { gone }: TextIndex): Mentions {
  const old = withEarlier(before, earlierMentions(before, part, entityOf), entities)
  const added = part.mentions
  const first = old.entity.length
  const entity = joined(old.entity, added.entity, one => entityOf[one] ?? 0)
  const offsets = joined(old.offsets.subarray(0, -1), added.offsets, at => first + at)
  const isGone = new Uint8Array(first)
  const steps = new Uint32Array(Math.ceil(entity.length / MENTIONS_IN_STEP))
  for (let passage = 0; passage + 1 < offsets.length; passage++) {
    const [from, to] = [offsets[passage] ?? 0, offsets[passage + 1] ?? 0]
    if (gone[passage] === 1) isGone.fill(1, from, to)
    for (let step = Math.ceil(from / MENTIONS_IN_STEP); step * MENTIONS_IN_STEP < to; step++)
      steps[step] = passage
  }
  const isLeft = (mention: number) => isGone[mention] !== 1
  return {
    entity,
    place: joined(old.place, added.place),
    offsets,
    steps,
    byEntity: withItems(old.byEntity, entities, entity.subarray(first), at => first + at, isLeft),
  }
}

/** Mentions merged with others in the same passages, each after those of its passage. */
function withEarlier(
  { mentions, passages }: SafeIndex,
  found: ReturnType<typeof earlierMentions>,
  entities: number,
): Omit<Mentions, 'steps'> {
  if (found.length === 0) return mentions
  const { length } = mentions.entity
  const inPassages = { offsets: mentions.offsets, items: numbersBelow(length) }
  const passageOf = found.map(({ passage }) => passage)
  const { offsets, items } = withItems(inPassages, passages.count, passageOf, at => length + at)
  const entity = items.map(at => mentions.entity[at] ?? found[at - length]?.entity ?? 0)
  const none = { offsets: new Uint32Array(entities + 1), items: new Uint32Array() }
  return {
    entity,
    place: Uint16Array.from(items, at => mentions.place[at] ?? found[at - length]?.place ?? 0),
    offsets,
    byEntity: withItems(none, entities, entity, at => at),
  }
}

/**
 * A text index with texts of another: `numberOf` gives their numbers in the result, -1 for those that are left out. Also
 * the numbers of the other's stems.
 */
export function withTexts(
  before: TextIndex,
  part: TextIndex,
  numberOf: ArrayLike<number>,
  gone: Uint8Array,
): { index: TextIndex; termOf: Int32Array } {
  const vocabulary = new MoreStrings(before.vocabulary)
  const termOf = new Int32Array(part.vocabulary.size)
  const additions: Additions = new Map()
  const unpacked = new Unpacked()
  for (let term = 0; term < part.vocabulary.size; term++) {
    const [numbers, times] = [[] as number[], [] as number[]]
    for (const [at, text] of unpack(part.postings, term, Number.POSITIVE_INFINITY, unpacked).entries()) {
      const number = numberOf[text] ?? -1
      if (number < 0) continue
      numbers.push(number)
      times.push(unpacked.times[at] ?? 1)
    }
    if (numbers.length === 0) continue
    termOf[term] = vocabulary.add(stringAt(part.vocabulary, term))
    additions.set(termOf[term] ?? 0, { numbers, times })
  }
  const added = part.lengths.filter((_, text) => (numberOf[text] ?? -1) >= 0)
  const lengths = joined(before.lengths, added)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const index = {
    vocabulary: vocabulary.build(),
    postings: withNumbers(before.postings, vocabulary.size, additions),
    lengths,
    averageLength: Math.max(1, total / (lengths.length || 1)),
    gone: gone.includes(1) ? gone : new Uint8Array(),
  }
  return { index, termOf }
}

/** The second after the first, its numbers replaced by others if they are given. */
export function joined<List extends Uint8Array | Uint16Array | Uint32Array>(
  before: List,
  added: List,
  numberOf = (number: number) => number,
): List {
  const ArrayType = before instanceof Uint8Array ? Uint8Array : before.constructor
  const result = new (ArrayType as new (length: number) => List)(before.length + added.length)
  result.set(before)
  result.set(added.map(numberOf), before.length)
  return result
}

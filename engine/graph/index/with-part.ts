import { itemsOf, withItems } from '../collections/groups.js'
import type { Pause } from '../collections/pause.js'
import { findString, MoreStrings, placeOf, type Strings, stringAt } from '../collections/strings.js'
import type { RowRef } from '../model.js'
import { normalizeName, words } from '../text/text.js'
import { addPhrase, type Dictionary } from './dictionary.js'
import { degreesOf } from './index-builder.js'
import { findEntity } from './merged.js'
import { type Additions, type Postings, withNumbers } from './postings.js'
import {
  type BuiltFrom,
  type Facts,
  outgoingOf,
  type Passages,
  rowsOf,
  type SafeIndex,
} from './safe-index.js'
import { trigramsOf } from './trigrams.js'
import { type Both, factsWith, joined, mentionsWith, passagesWith, withTexts } from './with-rows.js'

/** Stems of a part: the words around its mentions are kept as 16 bits of their numbers. */
const MAX_STEMS = 0xffff

/** Imports whose rows are gone, and the names and aliases in them, where they can still be read. */
export interface Gone {
  imports: ReadonlySet<number>
  names: readonly { key: string; name: string }[]
}

/**
 * An index with the rows of a part (`IndexBuilder`), and without those of imports that are `gone`: one change costs
 * copying numbers instead of reading all rows. Decisions that depend on all rows stay as they were: which phrases are
 * names, how frequent the stems of removed passages are, names of things that other rows still name, mentions of new
 * names in older texts. The next complete build takes them again (ADR 17). Null if that is needed now.
 */
export async function withPart(
  before: SafeIndex,
  part: SafeIndex,
  { imports: gone, names }: Gone,
  built: BuiltFrom,
  pause: Pause,
): Promise<SafeIndex | null> {
  if (part.text.vocabulary.size > MAX_STEMS) return null
  const keys = new MoreStrings(before.entities)
  const entityOf = Uint32Array.from({ length: part.entities.size }, (_, entity) => {
    const key = stringAt(part.entities, entity)
    const known = findEntity(before, key)
    return known < 0 ? keys.add(key) : known
  })
  const both: Both = { before, part, gone, entityOf, entities: keys.size }
  const read = passagesWith(both)
  if (!read) return null
  const { passages, text } = read
  const mentions = mentionsWith(both, text)
  const predicates = numbered(before.predicates, part.predicates)
  const facts = await factsWith(both, predicates.of, predicates.strings.size, pause)
  if (!facts) return null
  const entities = keys.build()
  const naming = namingWith(both, facts, passages)
  return {
    ...before,
    entities,
    ...orderWith(before, entities, naming.isNamed),
    ...typesWith(both, naming),
    ...namesWith(both, naming),
    isNamed: naming.isNamed,
    namedIn: naming.namedIn,
    dictionary: dictionaryWith(both, naming.isNamed, names),
    predicates: predicates.strings,
    predicateText: withTexts(before.predicateText, part.predicateText, predicates.added, NONE).index,
    facts,
    passages,
    text,
    mentions,
    degrees: degreesOf(keys.size, facts, passages, mentions),
    built,
  }
}

const NONE = new Uint8Array()

/** Strings with those of a part, the numbers of these, and the numbers only of those that are new (-1: not new). */
function numbered(before: Strings, part: Strings) {
  const strings = new MoreStrings(before)
  const of = Uint32Array.from({ length: part.size }, (_, at) => strings.add(stringAt(part, at)))
  const added = Int32Array.from(of, number => (number < before.size ? -1 : number))
  return { strings: strings.build(), of, added }
}

/** Which entities rows name, and those whose naming import is gone. */
interface Naming {
  isNamed: Uint8Array
  namedIn: Uint32Array
  lost: ReadonlySet<number>
  /** Entities that the part names. */
  stated: ReadonlySet<number>
}

function namingWith(
  { before, part, gone, entityOf, entities }: Both,
  facts: Facts,
  passages: Passages,
): Naming {
  const [isNamed, namedIn] = [new Uint8Array(entities), new Uint32Array(entities)]
  isNamed.set(before.isNamed)
  namedIn.set(before.namedIn)
  const [lost, stated] = [new Set<number>(), new Set<number>()]
  for (let entity = 0; entity < before.namedIn.length; entity++) {
    if (!gone.has(namedIn[entity] ?? 0)) continue
    lost.add(entity)
    namedIn[entity] = 0
  }
  for (const [at, entity] of entityOf.entries()) {
    if (part.isNamed[at] !== 1) continue
    stated.add(entity)
    isNamed[entity] = 1
    if (namedIn[entity] === 0) namedIn[entity] = part.namedIn[at] ?? 0
  }
  for (const entity of lost) {
    if (stated.has(entity)) continue
    // An import that states something about a thing also names it.
    const row = rowAbout(entity, facts, passages)
    namedIn[entity] = row?.importId ?? 0
    isNamed[entity] = Number(row !== undefined)
  }
  return { isNamed, namedIn, lost, stated }
}

function rowAbout(entity: number, facts: Facts, { about, rows }: Passages): RowRef | undefined {
  const { start, end } = outgoingOf(facts, entity)
  const fact = start < end ? start : itemsOf(facts.incoming, entity)[0]
  const passage = itemsOf(about, entity)[0]
  if (fact !== undefined) return rowsOf(facts.rows, fact, 1)[0]
  return passage === undefined ? undefined : rowsOf(rows, passage, 1)[0]
}

/** Named entities in the order of their keys. */
function orderWith(before: SafeIndex, entities: Strings, isNamed: Uint8Array) {
  const added: { entity: number; place: number; key: string }[] = []
  const kept = before.byKey.filter(entity => isNamed[entity] === 1)
  for (let entity = 0; entity < isNamed.length; entity++) {
    if (isNamed[entity] !== 1 || before.isNamed[entity] === 1) continue
    const key = stringAt(entities, entity)
    added.push({ entity, key, place: placeOf(entities, kept, key) })
  }
  added.sort((a, b) => a.place - b.place || Buffer.from(a.key).compare(Buffer.from(b.key)))
  const byKey = new Uint32Array(kept.length + added.length)
  let from = 0
  for (const [at, { entity, place }] of added.entries()) {
    byKey.set(kept.subarray(from, place), from + at)
    byKey[place + at] = entity
    from = place
  }
  byKey.set(kept.subarray(from), from + added.length)
  return { byKey, named: byKey.length }
}

function typesWith({ before, part, entityOf, entities }: Both, { isNamed, lost }: Naming) {
  const { strings: types, of } = numbered(before.types, part.types)
  const typeOf = new Uint32Array(entities)
  typeOf.set(before.typeOf)
  for (const [at, entity] of entityOf.entries()) {
    const type = of[part.typeOf[at] ?? 0] ?? 0
    if (type > 0 && (typeOf[entity] === 0 || lost.has(entity))) typeOf[entity] = type
  }
  for (const entity of lost) if (isNamed[entity] !== 1) typeOf[entity] = 0
  return { types, typeOf }
}

/** A thing that was named by an import that is gone has the names of the part, if it has any. */
function namesWith({ before, part, entityOf }: Both, { isNamed, lost, stated }: Naming) {
  const nameOf: number[] = []
  const count = before.nameOf.length
  const numberOf = Int32Array.from(part.nameOf, at => {
    const entity = entityOf[at] ?? 0
    if (before.isNamed[entity] === 1 && !lost.has(entity)) return -1
    return count + nameOf.push(entity) - 1
  })
  const gone = new Uint8Array(count + nameOf.length)
  gone.set(before.names.gone.subarray(0, count))
  for (let name = 0; name < count; name++) {
    const entity = before.nameOf[name] ?? 0
    if (lost.has(entity) && (stated.has(entity) || isNamed[entity] !== 1)) gone[name] = 1
  }
  const names = withTexts(before.names, part.names, numberOf, gone).index
  return { names, nameOf: joined(before.nameOf, Uint32Array.from(nameOf)) }
}

/** The names of both, without those of entities that are not named any more. */
function dictionaryWith(
  { before, part, entityOf }: Both,
  isNamed: Uint8Array,
  goneNames: Gone['names'],
): Dictionary {
  const [old, own] = [before.dictionary, part.dictionary]
  const { strings: phrases, of, added } = numbered(old.phrases, own.phrases)
  const [keys, items] = [[] as number[], [] as number[]]
  const gone = goneMeanings(before, goneNames)
  for (const [at, phrase] of of.entries()) {
    const known = itemsOf(old.meanings, phrase)
    const lost = gone.get(phrase)
    for (const item of itemsOf(own.meanings, at)) {
      const meaning = (entityOf[item >>> 1] ?? 0) * 2 + (item & 1)
      lost?.delete(meaning)
      if (known.includes(meaning)) continue
      keys.push(phrase)
      items.push(meaning)
    }
  }
  const isNamedYet = (entity: number) => before.isNamed[entity] !== 1 || isNamed[entity] === 1
  const isKept = (item: number, phrase: number) => isNamedYet(item >>> 1) && !gone.get(phrase)?.has(item)
  const openings = Buffer.from(old.openings)
  for (let at = old.phrases.size; at < phrases.size; at++)
    addPhrase(openings, stringAt(phrases, at), phrases.hashKey)
  const texts = withTexts(old.words, own.words, added, NONE).index
  return {
    phrases,
    meanings: withItems(old.meanings, phrases.size, keys, at => items[at] ?? 0, isKept),
    openings,
    words: texts,
    spellings: spellingsWith(old, texts.vocabulary),
  }
}

/** Phrase → the meanings it had from removed names. A thing is always called by its key. */
function goneMeanings(before: SafeIndex, names: Gone['names']): Map<number, Set<number>> {
  const gone = new Map<number, Set<number>>()
  for (const { key, name } of names) {
    const entity = findEntity(before, key)
    if (entity < 0 || normalizeName(name) === key) continue
    const phrase = findString(before.dictionary.phrases, words(name).join(' '))
    gone.set(phrase, (gone.get(phrase) ?? new Set()).add(entity * 2))
  }
  return gone
}

function spellingsWith({ words, spellings }: Dictionary, vocabulary: Strings): Postings {
  const additions: Additions = new Map()
  for (let stem = words.vocabulary.size; stem < vocabulary.size; stem++) {
    for (const bucket of trigramsOf(stringAt(vocabulary, stem))) {
      const { numbers } = additions.get(bucket) ?? { numbers: [] as number[] }
      numbers.push(stem)
      additions.set(bucket, { numbers, times: [] })
    }
  }
  return withNumbers(spellings, spellings.offsets.length - 1, additions)
}

import { itemsOf } from '../collections/groups.js'
import { findString, stringAt } from '../collections/strings.js'
import { meaningsOf } from '../index/dictionary.js'
import { findEntity } from '../index/merged.js'
import { factCount, outgoingOf, type SafeIndex } from '../index/safe-index.js'
import { normalizeName, spacedPredicate, words } from '../text/text.js'
import { SimilarNames } from './similar-names.js'

/** A name from the question with its possible entities. */
export interface QuestionName {
  text: string
  /** Most likely first. */
  entities: number[]
  /** How many entities, from the first on, match equally well: more than one if the name is ambiguous. */
  equal: number
}

/** Meanings that are ranked; of more, those with the most facts. */
const MAX_MEANINGS = 100

/**
 * The entities that a name can refer to: the one with this key; otherwise those with exactly this name or
 * alias, then those with it as part of their name. Keys that begin with the name come first, then entities
 * with more facts. Empty without an exact match. "bank (bank.n.01)", as answers write it, refers to that
 * entity.
 */
export function findName(index: SafeIndex, text: string): QuestionName {
  const key = keyIn(index, text)
  const phrase = words(text).join(' ')
  const begins = (entity: number) =>
    `${words(stringAt(index.entities, entity)).join(' ')} `.startsWith(`${phrase} `)
  const known = meaningsOf(index.dictionary, phrase)
    .map(({ entity, whole }) => ({ entity, whole, facts: factCount(index, entity) }))
    .sort((a, b) => Number(b.whole) - Number(a.whole) || b.facts - a.facts)
    .slice(0, MAX_MEANINGS)
    .map(meaning => ({ ...meaning, own: begins(meaning.entity) }))
    .sort((a, b) => Number(b.whole) - Number(a.whole) || Number(b.own) - Number(a.own) || b.facts - a.facts)
  const others = known.map(({ entity }) => entity).filter(entity => entity !== key)
  if (key >= 0) return { text, entities: [key, ...others], equal: 1 }
  const whole = known.filter(meaning => meaning.whole).length
  return { text, entities: others, equal: whole || others.length }
}

/** The entity with this key, alone or in brackets after the name, or -1. */
function keyIn(index: SafeIndex, name: string): number {
  const key = findEntity(index, normalizeName(name))
  const behind = inBrackets(name)
  return key >= 0 || behind === '' ? key : findEntity(index, normalizeName(behind))
}

/** The text in brackets at the end, or an empty string. */
function inBrackets(text: string): string {
  const trimmed = text.trimEnd()
  const open = trimmed.endsWith(')') ? trimmed.search(/\s\(/) : -1
  return open < 0 ? '' : trimmed.slice(open + 2, -1)
}

/** Similar names returned, for all words together. */
const MAX_NEAREST = 5
/** Shorter words are too ambiguous for similar names, unless there are no longer ones. */
const MIN_WORD_LENGTH = 4

/** Keys of entities whose names resemble these words. */
export function nearestKeys(index: SafeIndex, names: readonly string[]): string[] {
  const long = names.filter(name => name.length >= MIN_WORD_LENGTH)
  const similar = new SimilarNames(index)
  const keys = new Set<string>()
  for (const name of (long.length > 0 ? long : names).slice(0, MAX_NEAREST)) {
    for (const { meanings } of similar.like(words(name), 0.4, 3)) {
      const [first] = meanings
      if (first !== undefined) keys.add(stringAt(index.entities, first.entity))
    }
  }
  return [...keys].slice(0, MAX_NEAREST)
}

/** The number of a predicate in any spelling, or -1. */
export const findPredicate = ({ predicates }: SafeIndex, name: string): number =>
  findString(predicates, normalizeName(spacedPredicate(name)))

/** Tests whether an entity has one of these types, in any spelling. */
export function typeTest(
  { types, typeOf }: SafeIndex,
  names: readonly string[],
): (entity: number) => boolean {
  const wanted = new Set(names.map(name => findString(types, normalizeName(name))))
  return entity => {
    const type = typeOf[entity] ?? 0
    return type > 0 && wanted.has(type)
  }
}

/** The first facts of an entity in both directions, with the entity at the other end. */
export function* factsAround(
  { facts }: SafeIndex,
  entity: number,
  most: number,
): Generator<{ fact: number; other: number }> {
  const { start, end } = outgoingOf(facts, entity)
  for (let fact = start; fact < Math.min(end, start + most); fact++)
    yield { fact, other: facts.object[fact] ?? 0 }
  for (const fact of itemsOf(facts.incoming, entity).subarray(0, most)) {
    yield { fact, other: facts.subject[fact] ?? 0 }
  }
}

/** The entities at the other ends of these. */
export function neighboursOf(index: SafeIndex, entity: number, most: number): Set<number> {
  const others = new Set<number>()
  for (const { other } of factsAround(index, entity, most)) others.add(other)
  others.delete(entity)
  return others
}

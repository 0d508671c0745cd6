import { meaningsOf } from './dictionary.js'
import { itemsOf } from './groups.js'
import { outgoingOf, type SafeIndex } from './safe-index.js'
import { SimilarNames } from './similar-names.js'
import { findString, stringAt } from './strings.js'
import { normalizeName, words } from './text.js'

/**
 * The entities that a name can mean: the one whose key it is, then those that are called so as a whole, then those of
 * which it is a part of the name; better connected ones first. None when nothing is called exactly so.
 */
export function findEntities(index: SafeIndex, name: string): number[] {
  const key = findString(index.entities, normalizeName(name))
  const degree = (entity: number) => index.degrees[entity] ?? 0
  const meanings = meaningsOf(index.dictionary, words(name).join(' '))
    .sort((a, b) => Number(b.whole) - Number(a.whole) || degree(b.entity) - degree(a.entity))
    .map(({ entity }) => entity)
  return key < 0 ? meanings : [key, ...meanings.filter(entity => entity !== key)]
}

/** Names that come near, of all words together. */
const maxNearest = 5

/** Keys of entities with names like these words. */
export function nearestKeys(index: SafeIndex, names: readonly string[]): string[] {
  const similar = new SimilarNames(index.dictionary)
  const keys = new Set<string>()
  for (const name of names.slice(0, maxNearest)) {
    for (const { meanings } of similar.like(words(name), 0.3, 3)) {
      const [first] = meanings
      if (first !== undefined) keys.add(stringAt(index.entities, first.entity))
    }
  }
  return [...keys].slice(0, maxNearest)
}

/** Tells entities of these types, whatever their spelling, from others. */
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

/** The first facts of an entity, in both directions, with the entity at their other end. */
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

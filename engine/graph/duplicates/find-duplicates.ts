import { itemsOf, sizeOf } from '../collections/groups.js'
import { Pause } from '../collections/pause.js'
import { stringAt } from '../collections/strings.js'
import { Top } from '../collections/top.js'
import { factCount, type SafeIndex } from '../index/safe-index.js'
import { neighboursOf } from '../retrieval/find-entity.js'
import { words } from '../text/text.js'
import {
  type Alike,
  acronymOf,
  byInitials,
  byLetters,
  byOrder,
  bySpelling,
  type Comparison,
  haveSameNumbers,
  initialFirst,
  joined,
  type Likeness,
  singular,
  sorted,
} from './alike.js'
import { Blocks } from './blocks.js'

/** Two entities that may be one, by their numbers. */
interface EntityPair {
  /** The one with more relations. */
  one: number
  other: number
  how: Likeness
  /** Entities to which both are related. */
  common: number[]
}

/** Pairs of names compared for one kind of likeness, and pairs of entities that are looked at more closely. */
const COMPARED = 2_000_000
const CANDIDATES = 100_000
/** Relations of one entity that are read in each direction. */
const READ = 200
/** Entities with more relations than this are related to nearly everything, and say nothing. */
const HUB = 1_000
/** The most that a likeness of names is worth if one file gives both of them ids. */
const DISTINCT = 0.25
/** Pairs below this are not offered. */
const MIN = 0.5

/**
 * Entities that are likely one, the likeliest first. Nothing is compared with everything else: names are sorted by
 * what they have in common if they are alike, and compared within these blocks. The time is n log n in the number of
 * names. `isApart` tells whether somebody said that two entities are not the same.
 */
export async function findDuplicates(
  index: SafeIndex,
  most: number,
  isApart: (one: number, other: number) => boolean,
): Promise<EntityPair[]> {
  const pause = new Pause()
  const named = new NamedEntities(index)
  const candidates = new Candidates(index, named)
  await candidates.addNamesakes(pause)
  for (const { blocks, compare } of await blocksOf(index, named, pause))
    for await (const names of blocks.groups(COMPARED, pause)) candidates.compare(names, compare)
  return candidates.best(most, isApart, pause)
}

/** Names by what names of one thing have in common, and how to compare those that have it. */
async function blocksOf(
  { dictionary }: SafeIndex,
  entities: NamedEntities,
  pause: Pause,
): Promise<{ blocks: Blocks; compare: Comparison }[]> {
  const [letters, order, ends, spelling] = [new Blocks(), new Blocks(), new Blocks(), new Blocks()]
  for (let name = 0; name < dictionary.phrases.size; name++) {
    const text = stringAt(dictionary.phrases, name)
    const named = text.split(' ')
    const whole = joined(text)
    if (whole.length < 3 || entities.of(name).length === 0) continue
    letters.add(singular(whole), name)
    const acronym = acronymOf(named)
    if (acronym !== null) letters.add(acronym, name)
    if (named.length > 1) order.add(sorted(named), name)
    const [first = '', ...others] = initialFirst(named)
    if (others.length > 0) ends.add(`${first[0]} ${others.at(-1)}`, name)
    // Of two names that differ by one letter, either the first halves are equal or the second ones.
    for (const half of new Set([text.length >>> 1, (text.length - 1) >>> 1])) {
      if (text.length < 6) break
      spelling.add(`${text.slice(0, half)}<`, name)
      spelling.add(`>${text.slice(-half)}`, name)
    }
    if ((name & 0xff) === 0 && pause.due()) await pause.rest()
  }
  return [
    { blocks: letters, compare: byLetters },
    { blocks: order, compare: byOrder },
    { blocks: ends, compare: byInitials },
    { blocks: spelling, compare: bySpelling },
  ]
}

/** Pairs of entities whose names are alike. */
class Candidates {
  readonly #index: SafeIndex
  readonly #named: NamedEntities
  readonly #found = new Map<number, Alike>()
  /** Entity → how many names its initials fit. */
  readonly #fits = new Map<number, number>()

  constructor(index: SafeIndex, named: NamedEntities) {
    this.#index = index
    this.#named = named
  }

  /** Entities with the same name. */
  async addNamesakes(pause: Pause): Promise<void> {
    const { meanings, phrases } = this.#index.dictionary
    for (let name = 0; name < phrases.size; name++) {
      const entities = sizeOf(meanings, name) > 1 ? this.#named.of(name) : []
      for (const [at, one] of entities.entries())
        for (const other of entities.slice(at + 1))
          this.#add(one, other, name, name, { how: 'name', worth: 0.8 })
      if ((name & 0xff) === 0 && pause.due()) await pause.rest()
    }
  }

  /** Compares these names with each other. */
  compare(names: readonly number[], compare: Comparison): void {
    const texts = names.map(name => stringAt(this.#index.dictionary.phrases, name))
    for (let at = 0; at < texts.length; at++) {
      for (let to = at + 1; to < texts.length; to++) {
        const [one = '', other = ''] = [texts[at], texts[to]]
        const alike = haveSameNumbers(one, other) ? compare(one, other) : null
        if (!alike) continue
        const [name = 0, otherName = 0] = [names[at], names[to]]
        const others = this.#named.of(otherName)
        for (const one of this.#named.of(name))
          for (const other of others) this.#add(one, other, name, otherName, alike)
      }
    }
  }

  async best(
    most: number,
    isApart: (one: number, other: number) => boolean,
    pause: Pause,
  ): Promise<EntityPair[]> {
    const pairs: EntityPair[] = []
    const top = new Top(most)
    for (const [id, { how, worth }] of this.#found) {
      const pair = this.#pairOf(id, how)
      const score = this.#score(pair, worth)
      if (score < MIN || isApart(pair.one, pair.other)) continue
      pairs.push(pair)
      top.offer(pairs.length - 1, score)
      if (pause.due()) await pause.rest()
    }
    return top.sorted().flatMap(({ id }) => pairs[id] ?? [])
  }

  #add(one: number, other: number, name: number, otherName: number, { how, worth: most }: Alike): void {
    if (one === other) return
    const worth = this.#areDistinct(one, other, name, otherName) ? Math.min(most, DISTINCT) : most
    const id = Math.min(one, other) * this.#index.entities.size + Math.max(one, other)
    const known = this.#found.get(id)
    if (known ? known.worth >= worth : this.#found.size >= CANDIDATES) return
    this.#found.set(id, { how, worth })
    if (known || how !== 'initials') return
    for (const entity of [one, other]) this.#fits.set(entity, (this.#fits.get(entity) ?? 0) + 1)
  }

  #pairOf(id: number, how: Likeness): EntityPair {
    const { entities, degrees } = this.#index
    const [one, other] = [Math.floor(id / entities.size), id % entities.size]
    const near = neighboursOf(this.#index, one, READ)
    const common = [...neighboursOf(this.#index, other, READ)].filter(
      entity => near.has(entity) && factCount(this.#index, entity) <= HUB,
    )
    const isFirst = (degrees[one] ?? 0) >= (degrees[other] ?? 0)
    return isFirst ? { one, other, how, common } : { one: other, other: one, how, common }
  }

  #score({ one, other, how, common }: EntityPair, worth: number): number {
    const { typeOf } = this.#index
    const [type, otherType] = [typeOf[one] ?? 0, typeOf[other] ?? 0]
    const types = type === 0 || otherType === 0 ? 0 : type === otherType ? 0.1 : -0.4
    // "J. Smith" who fits Jane and John is neither, unless they know the same people.
    const others = how === 'initials' ? Math.max(this.#fits.get(one) ?? 1, this.#fits.get(other) ?? 1) - 1 : 0
    return worth + types + 0.4 * (1 - 1 / (1 + common.length / 2)) - 0.15 * Math.min(others, 2)
  }

  /** Whether one file distinguishes them by ids, not only by these names. */
  #areDistinct(one: number, other: number, name: number, otherName: number): boolean {
    const { namedIn } = this.#index
    if (namedIn[one] !== namedIn[other]) return false
    return !this.#named.isKey(one, name) && !this.#named.isKey(other, otherName)
  }
}

/** Entities of one name that are compared. More are as different as the senses of a word. */
const NAMESAKES = 4

/** Which entities have a name or an alias, for names of the dictionary. */
class NamedEntities {
  readonly #index: SafeIndex
  /** Entity → its names and aliases, up to 255. */
  readonly #names: Uint8Array

  constructor(index: SafeIndex) {
    this.#index = index
    this.#names = new Uint8Array(index.entities.size)
    for (const item of index.dictionary.meanings.items) {
      const [entity, names] = [item >>> 1, this.#names[item >>> 1]]
      if ((item & 1) === 0 && names !== undefined && names < 255) this.#names[entity] = names + 1
    }
  }

  /** The entities that are called so; none if they are too many, or if it is an id. */
  of(name: number): number[] {
    const { dictionary, isNamed } = this.#index
    const found: number[] = []
    for (const item of itemsOf(dictionary.meanings, name)) {
      const entity = item >>> 1
      if ((item & 1) === 1 || isNamed[entity] !== 1 || this.#isId(entity, name)) continue
      found.push(entity)
      if (found.length > NAMESAKES) return []
    }
    return found
  }

  /** Whether the name is the entity's key. */
  isKey(entity: number, name: number): boolean {
    const { dictionary, entities } = this.#index
    return words(stringAt(entities, entity)).join(' ') === stringAt(dictionary.phrases, name)
  }

  /** "dog.n.01" of a thing that is called "dog". */
  #isId(entity: number, name: number): boolean {
    const hasOthers = (this.#names[entity] ?? 0) > 1
    return hasOthers && /\d/.test(stringAt(this.#index.dictionary.phrases, name)) && this.isKey(entity, name)
  }
}

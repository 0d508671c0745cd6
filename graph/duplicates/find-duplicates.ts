import { itemsOf } from '../collections/groups.js'
import { Pause } from '../collections/pause.js'
import { stringAt } from '../collections/strings.js'
import { Top } from '../collections/top.js'
import type { SafeIndex } from '../index/safe-index.js'
import { words } from '../text/text.js'
import { acronymOf, alike, initialFirst, type Likeness, singular, sorted } from './alike.js'
import { Blocks } from './blocks.js'
import { commonNeighbours } from './common-neighbours.js'

/** Two entities that may be one, by their numbers. */
export interface Pair {
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
/** Entities of one name that are compared. More are as different as the senses of a word. */
const NAMESAKES = 4
/** Pairs below this are not offered. */
const LEAST = 0.5

/**
 * Entities that are likely one, the likeliest first. Nothing is compared with everything else: names are sorted by
 * what they have in common if they are alike, and compared within these blocks. The time is n log n in the number of
 * names. `isApart` tells whether somebody said that two entities are not the same.
 */
export async function findDuplicates(
  index: SafeIndex,
  most: number,
  isApart: (one: number, other: number) => boolean,
): Promise<Pair[]> {
  const pause = new Pause()
  const candidates = new Candidates(index)
  await candidates.addNamesakes(pause)
  for (const blocks of await blocksOf(index, pause))
    for await (const pairs of blocks.pairs(COMPARED, pause))
      for (const [one, other] of pairs) candidates.compare(one, other)
  return candidates.best(most, isApart, pause)
}

/** Names by what names of one thing have in common. */
async function blocksOf({ dictionary }: SafeIndex, pause: Pause): Promise<Blocks[]> {
  const [letters, order, ends, spelling] = [new Blocks(), new Blocks(), new Blocks(), new Blocks()]
  for (let name = 0; name < dictionary.phrases.size; name++) {
    const named = stringAt(dictionary.phrases, name).split(' ')
    const joined = named.join('')
    if (joined.length < 3) continue
    letters.add(singular(joined), name)
    const acronym = acronymOf(named)
    if (acronym !== null) letters.add(acronym, name)
    if (named.length > 1) order.add(sorted(named), name)
    const [first = '', ...others] = initialFirst(named)
    if (others.length > 0) ends.add(`${first[0]} ${others.at(-1)}`, name)
    // Of two names that differ by one letter, either the first halves are equal or the second ones.
    for (const half of new Set([joined.length >>> 1, (joined.length - 1) >>> 1])) {
      if (joined.length < 6) break
      spelling.add(`${joined.slice(0, half)}<`, name)
      spelling.add(`>${joined.slice(-half)}`, name)
    }
    if ((name & 0xff) === 0 && pause.due()) await pause.rest()
  }
  return [letters, order, ends, spelling]
}

/** Pairs of entities whose names are alike. */
class Candidates {
  readonly #index: SafeIndex
  readonly #found = new Map<number, { how: Likeness; worth: number }>()
  /** Entity → how many names its initials fit. */
  readonly #fits = new Map<number, number>()

  constructor(index: SafeIndex) {
    this.#index = index
  }

  /** Entities with the same name. Where their keys are ids, a file says that they are different. */
  async addNamesakes(pause: Pause): Promise<void> {
    const { phrases } = this.#index.dictionary
    for (let name = 0; name < phrases.size; name++) {
      const entities = this.#entitiesOf(name)
      for (const [at, one] of entities.entries())
        for (const other of entities.slice(at + 1)) {
          const areIds = [one, other].every(entity => !this.#isKey(entity, name))
          this.#add(one, other, { how: 'letters', worth: areIds ? 0.3 : 0.8 })
        }
      if ((name & 0xff) === 0 && pause.due()) await pause.rest()
    }
  }

  compare(one: number, other: number): void {
    const { phrases } = this.#index.dictionary
    const [ones, others] = [this.#entitiesOf(one), this.#entitiesOf(other)]
    if (ones.length === 0 || others.length === 0) return
    const found = alike(stringAt(phrases, one).split(' '), stringAt(phrases, other).split(' '))
    if (found) for (const a of ones) for (const b of others) this.#add(a, b, found)
  }

  async best(most: number, isApart: (one: number, other: number) => boolean, pause: Pause): Promise<Pair[]> {
    const pairs: Pair[] = []
    const top = new Top(most)
    for (const [id, { how, worth }] of this.#found) {
      const pair = this.#pairOf(id, how)
      const score = this.#score(pair, worth)
      if (score < LEAST || isApart(pair.one, pair.other)) continue
      pairs.push(pair)
      top.offer(pairs.length - 1, score)
      if (pause.due()) await pause.rest()
    }
    return top.sorted().flatMap(({ id }) => pairs[id] ?? [])
  }

  #add(one: number, other: number, found: { how: Likeness; worth: number }): void {
    if (one === other) return
    const id = Math.min(one, other) * this.#index.named + Math.max(one, other)
    const known = this.#found.get(id)
    if (known ? known.worth >= found.worth : this.#found.size >= CANDIDATES) return
    this.#found.set(id, found)
    if (known || found.how !== 'initials') return
    for (const entity of [one, other]) this.#fits.set(entity, (this.#fits.get(entity) ?? 0) + 1)
  }

  #pairOf(id: number, how: Likeness): Pair {
    const { named, degrees } = this.#index
    const [one, other] = [Math.floor(id / named), id % named]
    const { common, areRelated: _ } = commonNeighbours(this.#index, one, other)
    const isFirst = (degrees[one] ?? 0) >= (degrees[other] ?? 0)
    return isFirst ? { one, other, how, common } : { one: other, other: one, how, common }
  }

  #score({ one, other, how, common }: Pair, worth: number): number {
    const { typeOf } = this.#index
    const [type, otherType] = [typeOf[one] ?? 0, typeOf[other] ?? 0]
    const types = type === 0 || otherType === 0 ? 0 : type === otherType ? 0.1 : -0.4
    // "J. Smith" who fits Jane and John is neither, unless they know the same people.
    const others = how === 'initials' ? Math.max(this.#fits.get(one) ?? 1, this.#fits.get(other) ?? 1) - 1 : 0
    return worth + types + 0.4 * (1 - 1 / (1 + common.length / 2)) - 0.15 * Math.min(others, 2)
  }

  /** The entities with this name or alias; none if they are too many. */
  #entitiesOf(name: number): number[] {
    const { dictionary, named } = this.#index
    const whole: number[] = []
    for (const item of itemsOf(dictionary.meanings, name)) {
      if ((item & 1) === 0 && item >>> 1 < named) whole.push(item >>> 1)
      if (whole.length > NAMESAKES) return []
    }
    return whole
  }

  #isKey(entity: number, name: number): boolean {
    const { dictionary, entities } = this.#index
    return words(stringAt(entities, entity)).join(' ') === stringAt(dictionary.phrases, name)
  }
}

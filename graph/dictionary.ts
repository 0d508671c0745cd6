import { type Groups, groupByKey, inSteps, itemsOf } from './groups.js'
import type { Pause } from './pause.js'
import { StringTable } from './string-table.js'
import { words } from './text.js'
import { TrigramIndex } from './trigrams.js'
import { TripleTable } from './triple-table.js'

/** Words of the longest name that a question can mention. */
export const longestPhrase = 10

/** An entity that a phrase can mean. */
export interface Meaning {
  entity: number
  /** Whether the phrase is its name or alias as a whole, and not a part of the name. */
  whole: boolean
}

/** What entities are called: phrases of folded words, each with the entities it can mean. */
export class Dictionary {
  readonly #phrases: StringTable
  /** Phrase → entity × 2 + (0 whole, 1 part). */
  readonly #meanings: Groups
  readonly #trigrams: TrigramIndex

  constructor(phrases: StringTable, meanings: Groups, trigrams: TrigramIndex) {
    this.#phrases = phrases
    this.#meanings = meanings
    this.#trigrams = trigrams
  }

  get byteLength(): number {
    const groups = this.#meanings.offsets.byteLength + this.#meanings.items.byteLength
    return this.#phrases.byteLength + groups + this.#trigrams.byteLength
  }

  /** The entities that the phrase (folded words, one blank between) can mean; none if nothing is called so. */
  meanings(phrase: string): Meaning[] {
    const number = this.#phrases.find(phrase)
    return number < 0 ? [] : this.#meaningsOf(number)
  }

  /** The best look-alike phrases (Dice ≥ `likeness`), with the entities they mean. */
  nearest(
    phrase: string,
    likeness: number,
    count: number,
  ): { phrase: string; likeness: number; meanings: Meaning[] }[] {
    return this.#trigrams.nearest(phrase, likeness, count).map(({ id, score }) => ({
      phrase: this.#phrases.at(id),
      likeness: score,
      meanings: this.#meaningsOf(id),
    }))
  }

  #meaningsOf(phrase: number): Meaning[] {
    const seen = new Map<number, boolean>()
    for (const item of itemsOf(this.#meanings, phrase)) {
      const entity = item >>> 1
      seen.set(entity, seen.get(entity) === true || (item & 1) === 0)
    }
    return [...seen].map(([entity, whole]) => ({ entity, whole }))
  }
}

/** Collects names for a `Dictionary`. */
export class DictionaryBuilder {
  readonly #phrases = new StringTable()
  /** Phrase, entity × 2 + (0 whole, 1 part), nothing. */
  readonly #meanings = new TripleTable()

  /** A name of an entity and the parts of it that people use alone. False if the entity is already called so. */
  addName(entity: number, name: string): boolean {
    const whole = words(name)
    for (const part of partsOf(name, whole)) this.#add(part, entity, false)
    return this.#add(whole, entity, true)
  }

  addAlias(entity: number, alias: string): boolean {
    return this.#add(words(alias), entity, true)
  }

  async build(pause: Pause): Promise<Dictionary> {
    const meanings = await groupByKey(this.#meanings.first.toArray(), this.#phrases.size, pause)
    await inSteps(meanings.items.length, pause, at => {
      meanings.items[at] = this.#meanings.second.at(meanings.items[at] ?? 0)
    })
    return new Dictionary(this.#phrases, meanings, await TrigramIndex.build(this.#phrases, pause))
  }

  #add(phrase: string[], entity: number, whole: boolean): boolean {
    if (phrase.length === 0 || phrase.length > longestPhrase) return true
    const { size } = this.#meanings
    this.#meanings.add(this.#phrases.add(phrase.join(' ')), entity * 2 + (whole ? 0 : 1), 0)
    return this.#meanings.size > size
  }
}

/** Without "(…)", before the first comma, without a leading "the"; of a very long name its beginning. */
function partsOf(name: string, whole: string[]): string[][] {
  const parts: string[][] = []
  if (name.includes('(')) parts.push(words(name.replace(/\([^()]*\)/g, ' ')))
  if (name.includes(',')) parts.push(words(name.slice(0, name.indexOf(','))))
  if (whole[0] === 'the' && whole.length > 1) parts.push(whole.slice(1))
  if (whole.length > longestPhrase) parts.push(whole.slice(0, longestPhrase))
  return parts
}

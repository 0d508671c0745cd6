import { type Groups, groupByKey, inSteps, itemsOf } from './groups.js'
import type { Pause } from './pause.js'
import type { Postings } from './postings.js'
import { findString, type Strings, StringsBuilder, stringAt } from './strings.js'
import { words } from './text.js'
import { buildTrigrams, nearest } from './trigrams.js'
import { TripleTable } from './triple-table.js'

/** Words of the longest name that a question can mention. */
export const longestPhrase = 10

/** What entities are called: phrases of folded words (one blank between), each with the entities it can mean. */
export interface Dictionary {
  phrases: Strings
  /** Phrase → entity × 2 + (0 whole, 1 part). */
  meanings: Groups
  /** Trigram → phrases, for names with typos. */
  trigrams: Postings
}

/** An entity that a phrase can mean. */
export interface Meaning {
  entity: number
  /** Whether the phrase is its name or alias as a whole, and not a part of the name. */
  whole: boolean
}

/** A phrase that looks like another one. */
export interface Near {
  phrase: string
  likeness: number
  meanings: Meaning[]
}

/** The entities that the phrase can mean; none if nothing is called so. */
export function meaningsOf({ phrases, meanings }: Dictionary, phrase: string): Meaning[] {
  const number = findString(phrases, phrase)
  return number < 0 ? [] : distinct(itemsOf(meanings, number))
}

/** The best look-alike phrases (Dice ≥ `likeness`), with the entities they mean. */
export function nearestPhrases(
  { phrases, meanings, trigrams }: Dictionary,
  phrase: string,
  likeness: number,
  count: number,
): Near[] {
  return nearest(trigrams, phrases, phrase, likeness, count).map(({ id, score }) => ({
    phrase: stringAt(phrases, id),
    likeness: score,
    meanings: distinct(itemsOf(meanings, id)),
  }))
}

/** An entity that is called so as a whole and in part is called so as a whole. */
function distinct(items: Uint32Array): Meaning[] {
  if (items.length === 1) return [{ entity: (items[0] ?? 0) >>> 1, whole: ((items[0] ?? 0) & 1) === 0 }]
  const seen = new Map<number, boolean>()
  for (const item of items) seen.set(item >>> 1, seen.get(item >>> 1) === true || (item & 1) === 0)
  return [...seen].map(([entity, whole]) => ({ entity, whole }))
}

/** Collects names for a `Dictionary`. */
export class DictionaryBuilder {
  readonly phrases = new StringsBuilder()
  /** Phrase, entity × 2 + (0 whole, 1 part), nothing. */
  readonly #meanings = new TripleTable()

  /** A name of an entity and the parts of it that people use alone. False if the entity is already called so. */
  addName(entity: number, name: string, folded: readonly string[]): boolean {
    for (const part of partsOf(name, folded)) this.addPhrase(entity, part, false)
    return this.addPhrase(entity, folded)
  }

  addPhrase(entity: number, folded: readonly string[], whole = true): boolean {
    if (folded.length === 0 || folded.length > longestPhrase) return true
    const { size } = this.#meanings
    this.#meanings.add(this.phrases.add(folded.join(' ')), entity * 2 + (whole ? 0 : 1), 0)
    return this.#meanings.size > size
  }

  /** Phrase → meanings, of what was added so far. */
  async meanings(pause: Pause): Promise<Groups> {
    const meanings = await groupByKey(this.#meanings.first.toArray(), this.phrases.size, pause)
    await inSteps(meanings.items.length, pause, at => {
      meanings.items[at] = this.#meanings.second.at(meanings.items[at] ?? 0)
    })
    return meanings
  }

  async build(pause: Pause): Promise<Dictionary> {
    const meanings = await this.meanings(pause)
    return {
      phrases: this.phrases.build(),
      meanings,
      trigrams: await buildTrigrams(this.phrases, pause),
    }
  }
}

/** Without "(…)", before the first comma, without a leading "the"; of a very long name its beginning. */
function partsOf(name: string, whole: readonly string[]): (readonly string[])[] {
  const parts: (readonly string[])[] = []
  if (name.includes('(')) parts.push(words(name.replace(/\([^()]*\)/g, ' ')))
  if (name.includes(',')) parts.push(words(name.slice(0, name.indexOf(','))))
  if (whole[0] === 'the' && whole.length > 1) parts.push(whole.slice(1))
  if (whole.length > longestPhrase) parts.push(whole.slice(0, longestPhrase))
  return parts
}

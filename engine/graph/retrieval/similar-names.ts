import { sizeOf } from '../collections/groups.js'
import { findString, stringAt } from '../collections/strings.js'
import { bestSums, Top } from '../collections/top.js'
import { frequency, idf } from '../index/bm25.js'
import { type Dictionary, type Meaning, meaningsAt } from '../index/dictionary.js'
import { countOf, unpack } from '../index/postings.js'
import type { SafeIndex } from '../index/safe-index.js'
import { dice, nearest, trigramsOf } from '../index/trigrams.js'
import type { Workspace } from '../index/workspace.js'
import { isStopWord, stem } from '../text/text.js'

/** A name similar to the one in the question. */
export interface SimilarName {
  phrase: string
  likeness: number
  meanings: Meaning[]
}

/** Correct spellings considered for a word, and their minimum likeness. */
const MAX_SPELLINGS = 4
const WORD_LIKENESS = 0.4
/** Entries read for one name. */
const MAX_POSTINGS = 2_000
/** Names whose likeness is measured exactly. */
const MAX_CANDIDATES = 12
/** Meanings of equally similar names. */
const MAX_MEANINGS = 1_000

/** A word of names that a word of the question may mean. */
interface Spelling {
  term: number
  /** Names with it. */
  names: number
  worth: number
}

/**
 * Finds names despite typos, for one question: for each word the similar words in names, then the names with
 * most of them, then those most similar as a whole. There are far fewer words than names, so this is fast and
 * reliable in a large Safe.
 */
export class SimilarNames {
  readonly #dictionary: Dictionary
  readonly #workspace: Workspace
  readonly #spellings = new Map<string, Spelling[]>()

  constructor({ dictionary, workspace }: SafeIndex) {
    this.#dictionary = dictionary
    this.#workspace = workspace
  }

  /**
   * The best `count` names similar to these folded words, with a Dice coefficient of trigrams of at least
   * `likeness`.
   */
  like(words: readonly string[], likeness: number, count: number): SimilarName[] {
    const { phrases } = this.#dictionary
    const own = trigramsOf(words.join(' '))
    const top = new Top(count)
    for (const phrase of this.#candidates(words)) {
      const score = dice(own, trigramsOf(stringAt(phrases, phrase)))
      if (score >= likeness) top.offer(phrase, score)
    }
    return top.sorted().map(({ id, score }) => ({
      phrase: stringAt(phrases, id),
      likeness: score,
      meanings: meaningsAt(this.#dictionary, id),
    }))
  }

  /** The most similar name. Equally similar names ("Meeting 1", "Meeting 2") are returned as its meanings. */
  best(words: readonly string[], likeness: number): SimilarName | null {
    const near = this.like(words, likeness, MAX_CANDIDATES)
    const [best] = near
    if (best === undefined) return null
    const alike = near
      .filter(({ likeness }) => likeness === best.likeness)
      .flatMap(({ meanings }) => meanings)
      .slice(0, MAX_MEANINGS)
    return { ...best, meanings: [...new Map(alike.map(meaning => [meaning.entity, meaning])).values()] }
  }

  /** The names with most of the words, rare words counting more; ties go to shorter names. */
  #candidates(words: readonly string[]): number[] {
    const { phrases, words: index, meanings } = this.#dictionary
    const { names: scores, unpacked } = this.#workspace
    const sums = scores.take(phrases.size)
    const touched: number[] = []
    let left = MAX_POSTINGS
    const spellings = words.flatMap(word => this.#spellingsOf(word)).sort((a, b) => a.names - b.names)
    for (const { term, names, worth } of spellings) {
      if (left <= 0) break
      const read = unpack(index.postings, term, Math.min(names, left), unpacked)
      left -= read.length
      for (const name of read) {
        if (sizeOf(meanings, name) === 0) continue
        const before = sums[name] ?? 0
        if (before === 0) touched.push(name)
        sums[name] = before + worth
      }
    }
    const shareOf = (sum: number, name: number) => sum / (words.length + (index.lengths[name] ?? 1))
    return bestSums(sums, touched, MAX_CANDIDATES, shareOf).map(({ id }) => id)
  }

  #spellingsOf(word: string): Spelling[] {
    const known = this.#spellings.get(word)
    if (known) return known
    const { words: index, spellings } = this.#dictionary
    const own = this.#workspace.stem(word)
    const found = isStopWord(word)
      ? []
      : nearest(this.#workspace, spellings, index.vocabulary, own, WORD_LIKENESS, MAX_SPELLINGS)
    const exact = findString(index.vocabulary, own)
    if (exact >= 0 && !found.some(({ id }) => id === exact)) found.push({ id: exact, score: 1 })
    const result = found.map(({ id, score }) => {
      const names = countOf(index.postings, id)
      return { term: id, names, worth: score * idf(index.lengths.length, names) }
    })
    this.#spellings.set(word, result)
    return result
  }
}

/** Minimum letters of a word that is corrected: shorter ones are too close to other words. */
export const MIN_LETTERS = 7
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/**
 * The most frequent known word that is one typing error away from an unknown word (a letter missing, added, wrong or
 * swapped), and its stem. Null if there is none. About 400 look-ups.
 */
export function corrected({ text }: SafeIndex, unknown: string): { word: string; stem: string } | null {
  let [best, most] = [null as { word: string; stem: string } | null, 0]
  for (const word of editsOf(unknown)) {
    for (const one of new Set([stem(word), word])) {
      const count = frequency(text, one)
      if (count > most) [best, most] = [{ word, stem: one }, count]
    }
  }
  return best
}

/** The first letter is hardly ever wrong. */
function* editsOf(word: string): Generator<string> {
  for (let at = 1; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    for (const letter of LETTERS) yield `${before}${letter}${after}`
    if (after === '') continue
    yield before + after.slice(1)
    yield `${before}${after.slice(1, 2)}${after.slice(0, 1)}${after.slice(2)}`
    for (const letter of LETTERS) yield `${before}${letter}${after.slice(1)}`
  }
}

import { sizeOf } from '../collections/groups.js'
import { hashOf } from '../collections/hash.js'
import { matchText, searchText } from '../index/bm25.js'
import { canOpen, MAX_PHRASE_LENGTH, type Meaning } from '../index/dictionary.js'
import { factCount, type SafeIndex } from '../index/safe-index.js'
import { dice, trigramsOf } from '../index/trigrams.js'
import { singular } from '../text/text.js'
import { type NameWord, NameWorth } from './name-worth.js'
import {
  canBeName,
  isCapital,
  isPredicateWord,
  isTypeWord,
  isUpper,
  isWordOf,
  meaningsInQuestion,
  type QuestionWord,
  questionWords,
  type ReadWord,
  readQuestion,
} from './question-word.js'
import { corrected, MIN_LETTERS, type SimilarName, SimilarNames } from './similar-names.js'

/** Words of the question linked to an entity. */
export interface EntityLink {
  /** As written in the question. */
  text: string
  /** Positions among the question's words; `to` is exclusive. */
  from: number
  to: number
  entity: number
  /** Between 0 and about 2: higher for longer names, lower for names of many entities. */
  weight: number
  /** The initial mass of the entity in forward push. */
  mass: number
  /** Its contribution to the trust in the question's names. */
  trust: number
  /** Between 0 and 1: higher if fewer passages can contain the name. */
  rarity: number
}

export interface LinkedQuestion {
  words: QuestionWord[]
  links: EntityLink[]
  /** Words that occur nowhere in the Safe. */
  unmatched: string[]
  /** Words with a typing error, as written and as they are read. */
  corrected: { text: string; word: string }[]
}

/** Entities per name; of more, the best connected ones. */
const MAX_MEANINGS = 24
/** Dice coefficient from which a misspelled name matches one in the Safe (GRAPH §3). */
const LIKENESS = 0.5
const WORD_LIKENESS = 0.2
const MAX_NAME_POSTINGS = 1_500
/** Look-ups of similar names per question. */
const MAX_LOOKUPS = 16
/** Likeness at which no shorter run of capitalised words is tried. */
const SURE = 0.75
/** Words of a question that are corrected. */
const MAX_CORRECTED = 2
/** Look-ups around one word. */
const MAX_RUNS = 9

/** Finds the entities named in a question (GRAPH §3, step 1). */
export function link(index: SafeIndex, question: string): LinkedQuestion {
  const linker = new Linker(index, question)
  linker.linkNames()
  linker.linkSimilarNames()
  linker.correctWords()
  linker.linkPartialNames()
  const { words, links, corrected } = linker
  const unmatched = linker.unmatched()
  linker.readMisspelled()
  return { words, links, unmatched, corrected }
}

class Linker {
  readonly words: QuestionWord[]
  readonly links: EntityLink[] = []
  readonly corrected: LinkedQuestion['corrected'] = []
  readonly #index: SafeIndex
  readonly #question: string
  readonly #worth: NameWorth
  /** Words that were linked exactly. */
  readonly #exact = new Set<QuestionWord>()
  /** Misspelled words, and the names that they were linked to. */
  readonly #misspelled = new Map<QuestionWord, readonly ReadWord[]>()

  constructor(index: SafeIndex, question: string) {
    this.#index = index
    this.#question = question
    this.#worth = new NameWorth(index)
    this.words = questionWords(index, question)
  }

  /** Links the longest names first; each word only once. */
  linkNames(): void {
    const opens = this.#openings()
    for (let length = Math.min(MAX_PHRASE_LENGTH, this.words.length); length > 0; length--) {
      for (let from = 0; from + length <= this.words.length; from++) {
        if (length > 1 && !opens[from]) continue
        const span = this.words.slice(from, from + length)
        // None is linked already or unknown in names.
        const isFree = span.every(word => !word.linked && word.inNames)
        if (!isFree || (!canBeName(span) && length < this.words.length)) continue
        const meanings = meaningsInQuestion(this.#index, this.#question, span)
        if (meanings.length > 0) this.#add(from, from + length, meanings)
      }
    }
  }

  /** For each word, whether it and the next one can begin a name. */
  #openings(): boolean[] {
    const { openings, phrases } = this.#index.dictionary
    const hash = (word: string) => hashOf(word, phrases.hashKey)
    const hashes = this.words.map(({ folded }) => hash(folded))
    return this.words.map((_, at) => {
      const next = this.words[at + 1]
      const [first = 0, second = 0] = [hashes[at], hashes[at + 1]]
      if (next === undefined) return false
      if (canOpen(openings, first, second)) return true
      const single = singular(next.folded)
      return single !== next.folded && canOpen(openings, first, hash(single))
    })
  }

  /**
   * Links misspelled names: around each unlinked word that looks like a name, finds the run of words most
   * similar to a name in the Safe. Links inside that run covered only part of the name and are removed.
   */
  linkSimilarNames(): void {
    const similar = new SimilarNames(this.#index)
    let lookups = MAX_LOOKUPS
    for (const at of this.#likelyTypos()) {
      const word = this.words[at]
      if (word === undefined || word.linked) continue
      let best: { from: number; to: number; near: SimilarName } | null = null
      for (const [from, to] of this.#runsAround(at)) {
        if (lookups-- <= 0) return
        const run = this.words.slice(from, to).map(word => word.folded)
        const near = similar.best(run, LIKENESS)
        if (near === null || near.phrase.length < 4 || !isMisspelled(near.phrase, run)) continue
        if (best === null || near.likeness > best.near.likeness) best = { from, to, near }
        if (near.likeness >= SURE && isCapital(word)) break
      }
      if (best === null) continue
      const { from, to, near } = best
      const inside = (link: EntityLink) => link.from < to && from < link.to
      this.links.splice(0, this.links.length, ...this.links.filter(link => !inside(link)))
      const name = readQuestion(this.#index, near.phrase, MAX_PHRASE_LENGTH)
      this.#add(from, to, near.meanings, near.likeness, name)
      for (const word of this.words.slice(from, to))
        if (!isWordOf(this.#index, word)) this.#misspelled.set(word, name)
    }
  }

  /** Runs of words that could be one name, the longest first: capitalised words, or else a few words. */
  #runsAround(at: number): [number, number][] {
    const capital = isCapital(this.words[at])
    let [first, end] = [at, at + 1]
    const reach = capital ? MAX_PHRASE_LENGTH : 3
    const isFree = (other: number) =>
      capital
        ? isCapital(this.words[other])
        : !this.links.some(({ from, to }) => to - from > 1 && from <= other && other < to)
    const belongs = (other: number) =>
      this.words[other] !== undefined && Math.abs(other - at) < reach && isFree(other)
    while (belongs(first - 1) && (first > 1 || !capital)) first--
    while (belongs(end)) end++
    const runs: [number, number][] = []
    for (let length = end - first; length > 0; length--) {
      for (let from = Math.max(first, at - length + 1); from <= at && from + length <= end; from++) {
        if (
          (capital && length === end - first) ||
          !(this.words[from]?.stop || this.words[from + length - 1]?.stop)
        ) {
          runs.push([from, from + length])
        }
      }
    }
    return runs.slice(0, MAX_RUNS)
  }

  /** Links words that are part of a name: "the lighthouse" for "North Lighthouse". */
  linkPartialNames(): void {
    const content = this.words.filter(word => !word.stop)
    if (content.every(word => word.linked || !word.inNames)) return
    const { workspace, names, nameOf } = this.#index
    const stems = content.flatMap(({ stems }) => stems)
    const namesWith = new Map(matchText(workspace, names, stems, MAX_NAME_POSTINGS, true))
    for (const { id } of searchText(workspace, names, stems, 8, MAX_NAME_POSTINGS)) {
      const entity = nameOf[id] ?? 0
      if (this.links.some(link => link.entity === entity)) continue
      const mask = namesWith.get(id) ?? 0
      const found = content.filter(word => word.stems.some(stem => mask & (1 << stems.indexOf(stem))))
      const first = found.find(word => !word.linked)
      if (first === undefined) continue
      const matched = new Set(found.map(word => word.stem)).size
      const covered = Math.min(1, matched / Math.max(1, names.lengths[id] ?? 1))
      if (covered < 0.3) continue
      const at = this.words.indexOf(first)
      const rarity = covered * this.#worth.rarityOf(this.#worth.passagesOf(entity, found))
      const weight = covered * Math.max(0.35, Math.min(1, 0.25 * matched))
      this.links.push({ ...this.#link(at, at + 1, entity, weight), rarity })
    }
  }

  /** Reads unknown words as known ones that differ by one letter. */
  correctWords(): void {
    for (const word of this.words) {
      if (this.corrected.length === MAX_CORRECTED) return
      if (word.linked || word.stop || word.folded.length < MIN_LETTERS || isWordOf(this.#index, word))
        continue
      const found = corrected(this.#index, word.folded)
      if (found === null) continue
      word.stem = found.stem
      word.stems = [found.stem]
      this.corrected.push({ text: word.text, word: found.word })
    }
  }

  /** Gives misspelled words of names the stems of what they resemble, by which passages have them. */
  readMisspelled(): void {
    for (const [word, name] of this.#misspelled) {
      const own = trigramsOf(word.folded)
      const likeness = (other: { folded: string }) => dice(own, trigramsOf(other.folded))
      const [best] = name.toSorted((a, b) => likeness(b) - likeness(a))
      if (best === undefined || likeness(best) < LIKENESS) continue
      word.stem = best.stem
      word.stems = [best.stem]
    }
  }

  unmatched(): string[] {
    const isKnown = (word: QuestionWord): boolean =>
      this.#exact.has(word) || isWordOf(this.#index, word) || isTypeWord(this.#index, word)
    const open = this.words.filter(word => !word.stop && !isKnown(word))
    return [...new Set(open.map(word => word.text))]
  }

  #add(
    from: number,
    to: number,
    meanings: Meaning[],
    certainty = 1,
    name: readonly NameWord[] = this.words.slice(from, to),
  ): void {
    const span = this.words.slice(from, to)
    const length = 1 + 0.25 * (Math.min(to - from, 5) - 1)
    // "a kind of", "the owner": a common word that is also part of a predicate rarely refers to an entity.
    const verb = span.length === 1 && isPredicateWord(this.#index, span[0]) ? 0.3 : 1
    const size = this.#worth.sizeOf(name)
    const total = meanings.reduce((sum, { whole }) => sum + (whole ? 1 : 0.5), 0)
    const known = meanings
      .map(meaning => ({
        ...meaning,
        degree: factCount(this.#index, meaning.entity) + sizeOf(this.#index.passages.about, meaning.entity),
      }))
      .sort((a, b) => b.degree - a.degree || a.entity - b.entity)
      .slice(0, MAX_MEANINGS)
    for (const { entity, whole, degree } of known) {
      const prominence = 1 + 0.02 * Math.log2(1 + degree)
      const weight = (length * certainty * verb * prominence * (whole ? 1 : 0.5)) / Math.max(1, total)
      const share = certainty / Math.max(1, total)
      const passages = this.#worth.passagesOf(entity, name)
      this.links.push({
        ...this.#link(from, to, entity, weight),
        mass: this.#worth.mass(size, share, passages),
        trust: this.#worth.trust(to - from, share, passages),
        rarity: this.#worth.rarityOf(passages),
      })
    }
    for (const word of span) {
      word.linked = true
      if (certainty === 1) this.#exact.add(word)
    }
  }

  #link(from: number, to: number, entity: number, weight: number): EntityLink {
    const start = this.words[from]?.start ?? 0
    return {
      text: this.#question.slice(start, this.words[to - 1]?.end ?? start),
      from,
      to,
      entity,
      weight,
      mass: 0,
      trust: 0,
      rarity: 0,
    }
  }

  /**
   * Positions of words that may be misspelled names: first words unknown in the Safe, then other capitalised
   * ones.
   */
  #likelyTypos(): number[] {
    const open = this.words.flatMap((word, at) => {
      if (word.linked || word.stop || word.folded.length < 4) return []
      return [{ word, at, isKnown: isWordOf(this.#index, word) }]
    })
    const others = open.filter(({ word, at, isKnown }) => isKnown && at > 0 && isUpper(word))
    return [...open.filter(({ isKnown }) => !isKnown), ...others].map(({ at }) => at)
  }
}

/** Whether a word of the run may be a misspelling of a word in the name that the run does not contain. */
function isMisspelled(name: string, run: readonly string[]): boolean {
  const parts = name.split(' ')
  const missing = parts.filter(part => !run.includes(part)).map(trigramsOf)
  return run.some(word => {
    if (parts.includes(word)) return false
    const own = trigramsOf(word)
    return missing.some(part => dice(own, part) >= WORD_LIKENESS)
  })
}

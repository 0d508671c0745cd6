import type { Form } from '../safe.js'
import type { Answer, AnswerPassage } from './answer.js'
import { AnswerCosts, Cost, type Room } from './answer-costs.js'
import { beginningOf, endOf, excerptOf } from './excerpt.js'
import { shortenedSummary } from './summary-lines.js'

/** The limits that an answer must fit. */
interface AnswerLimits {
  maxTokens: number
  characters?: Room['characters']
  /** Which form must fit; both when absent. */
  form?: Form
  /** Stems of the question; an excerpt keeps the part of a passage that contains them. */
  stems?: readonly string[]
  /** The ids of passages, and the places to keep in their excerpts. */
  places?: ReadonlyMap<string, number>
  /** Characters of each neighbouring passage; 240 by default. */
  neighbours?: number
  /** Known costs of passage texts. */
  bodyCost?: (passage: AnswerPassage) => Cost | undefined
  /** The cursor of a page that ends after this many facts and passages. */
  cursorAfter?: (count: number) => string | null
}

/** Length up to which a passage is extended before others, and to which a passage is first shortened. */
const LONG_PASSAGE = 2_000
const SHORT_PASSAGE = 250
/** Lengths to which the other lists are shortened before facts and passages are dropped. */
const LIST_LENGTHS = [10, 3]
/** Characters of a neighbouring passage when space is short. */
const SHORT_NEIGHBOUR = 80
/** Characters of the Safe's name when space is shortest. */
const MIN_NAME_LENGTH = 10
/** Minimum tokens worth adding to a passage. */
const CRUMB = 8

/**
 * Fits the answer into `maxTokens` and sets `truncated` if something was removed. Until it fits, passages are
 * shortened to 250 characters, then lists are shortened, then the facts and passages with the lowest scores
 * are dropped, then the hints, and finally the Safe's name is shortened. Remaining room goes to shortened
 * passages, the best first, and to the neighbours of passages if none was shortened.
 */
export function fitAnswer(answer: Answer, limits: AnswerLimits): Answer {
  return new Fitting(answer, limits).fitted()
}

/** A fact or passage with its minimum cost. */
interface FitItem {
  score: number
  cost: Cost
  /** Index of the passage; -1 for a fact. */
  passage: number
}

class Fitting {
  readonly #answer: Answer
  readonly #limits: AnswerLimits
  readonly #room: Room
  readonly #costs: AnswerCosts
  /** The passages as they will be shown. */
  readonly #passages: AnswerPassage[]
  readonly #passageCosts: Cost[]
  readonly #total = new Cost()

  constructor(answer: Answer, limits: AnswerLimits) {
    this.#answer = answer
    this.#limits = limits
    this.#room = { tokens: limits.maxTokens, characters: limits.characters }
    this.#costs = new AnswerCosts(answer, limits.form ?? 'both', limits.bodyCost)
    this.#passages = answer.passages.map(({ before: _before, after: _after, ...passage }) => passage)
    this.#passageCosts = this.#passages.map(passage => this.#costs.ofPassage(passage))
  }

  fitted(): Answer {
    const { facts } = this.#answer
    this.#total.add(this.#costs.ofFrame(this.#answer))
    for (const fact of facts) this.#total.add(this.#costs.ofFact(fact))
    for (const cost of this.#passageCosts) this.#total.add(cost)
    if (this.#fits()) {
      this.#addNeighbours()
      return { ...this.#answer, passages: this.#passages }
    }
    return this.#cutToFit()
  }

  #fits(more?: Cost): boolean {
    return this.#excess(more) <= 0
  }

  /** Tokens by which a form with `more` is too long; negative if some are left. */
  #excess(more?: Cost): number {
    return this.#total.excess(this.#room, more)
  }

  #cutToFit(): Answer {
    this.#total.clear()
    for (const [at, passage] of this.#passages.entries())
      this.#show(at, shortened(passage, SHORT_PASSAGE, this.#limits))
    const items = this.#items()
    for (const { answer, least } of this.#frames()) {
      const kept = this.#keep(answer, items, least)
      if (kept === null) continue
      this.#lengthen(new Set(kept.map(({ passage }) => passage)))
      return this.#withItems(answer, kept)
    }
    return this.#withNothing()
  }

  /** Facts and passages, the best first. Those that are dropped start the next page. */
  #items(): FitItem[] {
    const facts = this.#answer.facts.map(fact => ({
      score: fact.score,
      cost: this.#costs.ofFact(fact),
      passage: -1,
    }))
    const passages = this.#passages.map(({ score }, at) => ({
      score,
      cost: this.#passageCosts[at] ?? new Cost(),
      passage: at,
    }))
    return [...facts, ...passages].sort((a, b) => b.score - a.score)
  }

  /** Ever smaller frames around facts and passages, each with its minimum number of items. */
  *#frames(): Generator<{ answer: Answer; least: number }> {
    const count = this.#answer.facts.length + this.#answer.passages.length
    const [long = 0, short = 0] = LIST_LENGTHS
    yield { answer: this.#answer, least: count }
    yield { answer: withLists(this.#answer, long), least: count }
    const few = withLists(this.#answer, short)
    yield { answer: few, least: 1 }
    const bare = withLists(this.#answer, 0)
    yield { answer: bare, least: 1 }
    yield { answer: { ...bare, hints: [] }, least: 1 }
  }

  /** The items that fit with this frame, or null if fewer than `least`. `#total` is then their cost. */
  #keep(frame: Answer, items: readonly FitItem[], least: number): FitItem[] | null {
    const around = this.#costs.ofFrame(frame)
    this.#total.clear()
    for (const { cost } of items) this.#total.add(cost)
    for (let count = items.length; count >= Math.max(1, least); count--) {
      if (this.#fits(around)) {
        const frameCost = this.#costs.ofFrame(this.#ending(frame, count))
        if (this.#fits(frameCost)) {
          this.#total.add(frameCost)
          return items.slice(0, count)
        }
      }
      this.#total.subtract(items[count - 1]?.cost ?? new Cost())
    }
    return null
  }

  /** The frame with the cursor of a page that ends after `count` facts and passages. */
  #ending(frame: Answer, count: number): Answer {
    const whole = count === this.#answer.facts.length + this.#answer.passages.length
    if (whole || !this.#limits.cursorAfter) return frame
    return { ...frame, next_cursor: this.#limits.cursorAfter(count) }
  }

  /** Extends shortened passages into the remaining room, the best first: to 2,000 characters each, then completely. */
  #lengthen(kept: ReadonlySet<number>): void {
    for (const most of [LONG_PASSAGE, Number.POSITIVE_INFINITY]) {
      for (const [at, passage] of this.#answer.passages.entries()) {
        const length = Math.min(passage.text.length, most)
        if (!kept.has(at) || (this.#passages[at]?.text.length ?? 0) >= length) continue
        if (this.#grow(at, passage, length)) continue
        return
      }
    }
  }

  /** Extends a passage as far as it fits. Returns false if that is less than `length`. */
  #grow(at: number, { before: _before, after: _after, ...passage }: AnswerPassage, length: number): boolean {
    const now = this.#passageCosts[at] ?? new Cost()
    this.#total.subtract(now)
    let [fits, tooLong] = [this.#passages[at]?.text.length ?? 0, length + 1]
    let [left, lacking] = [-this.#excess(now), Number.POSITIVE_INFINITY]
    let best: AnswerPassage | null = null
    for (let tried = length; tooLong - fits > CRUMB && left > CRUMB; ) {
      const longer = shortened(passage, tried, this.#limits)
      const excess = this.#excess(this.#costs.ofPassage(longer))
      if (excess <= 0) [fits, best, left] = [tried, longer, -excess]
      else [tooLong, lacking] = [tried, excess]
      // Tokens are spread evenly enough for an estimate.
      const guess = fits + Math.ceil(((tooLong - fits) * left) / (left + lacking))
      tried = Math.min(Math.max(guess, fits + 1), tooLong - 1)
    }
    this.#total.add(now)
    if (best) this.#show(at, best)
    return fits === length
  }

  #show(at: number, passage: AnswerPassage): void {
    const cost = this.#costs.ofPassage(passage)
    this.#total.subtract(this.#passageCosts[at] ?? new Cost())
    this.#total.add(cost)
    this.#passages[at] = passage
    this.#passageCosts[at] = cost
  }

  /** Adds neighbouring passages as far as they fit. */
  #addNeighbours(): void {
    const { neighbours = 240 } = this.#limits
    for (const [at, { before, after }] of this.#answer.passages.entries()) {
      const passage = this.#passages[at]
      if (!passage || (before === undefined && after === undefined)) continue
      for (const length of [neighbours, Math.min(neighbours, SHORT_NEIGHBOUR)]) {
        const beside = {
          ...(before !== undefined && { before: endOf(before, length) }),
          ...(after !== undefined && { after: beginningOf(after, length) }),
        }
        const cost = this.#costs.ofNeighbours(beside)
        if (!this.#fits(cost)) continue
        this.#total.add(cost)
        this.#passages[at] = { ...passage, ...beside }
        break
      }
    }
  }

  #withItems(frame: Answer, kept: readonly FitItem[]): Answer {
    const { facts } = this.#answer
    const passages = this.#passages.filter((_, at) => kept.some(({ passage }) => passage === at))
    const least = kept.at(-1)?.score ?? 0
    const count = kept.length - passages.length
    return {
      ...this.#ending(frame, kept.length),
      facts: facts.filter(({ score }) => score >= least).slice(0, count),
      passages,
      truncated: true,
    }
  }

  #withNothing(): Answer {
    const { hints, verdict: _verdict, confidence: _confidence, ...answer } = this.#answer
    const { safe } = answer
    const bare = { ...withLists({ ...answer, hints }, 0), facts: [], passages: [], next_cursor: null }
    const nothing = { ...bare, hints: [] }
    const small = { ...nothing, safe: { ...safe, name: beginningOf(safe.name, MIN_NAME_LENGTH) } }
    const fits = (answer: Answer) => this.#costs.ofWhole(answer).excess(this.#room) <= 0
    return [{ ...nothing, hints }, nothing].find(fits) ?? small
  }
}

/** Shortens the lists beside facts and passages to a length; 0 removes them and the lead. */
function withLists({ summary, lead, ...answer }: Answer, length: number): Answer {
  const { linked, entities } = answer
  const shorter = {
    ...answer,
    linked: linked.slice(0, length),
    entities: entities.slice(0, length),
    truncated: true,
  }
  if (length === 0) return shorter
  return {
    ...shorter,
    ...(lead && { lead }),
    ...(summary && { summary: shortenedSummary(summary, length) }),
  }
}

/** Shortens every passage to a length and sets `truncated` if one was longer. */
export function withPassages(answer: Answer, length: number, limits: Partial<AnswerLimits> = {}): Answer {
  if (answer.passages.every(({ text }) => text.length <= length)) return answer
  const passages = answer.passages.map(passage => shortened(passage, length, limits))
  return { ...answer, passages, truncated: true }
}

function shortened(passage: AnswerPassage, length: number, limits: Partial<AnswerLimits>): AnswerPassage {
  if (passage.text.length <= length) return passage
  const place = limits.places?.get(passage.id)
  // Reading `stems` stems the question.
  const stems = place === undefined ? (limits.stems ?? []) : []
  return { ...passage, text: excerptOf(passage.text, length, stems, place) }
}

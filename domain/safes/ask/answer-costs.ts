import type { Form, Question } from '../safe.js'
import {
  type Answer,
  type AnswerFact,
  type AnswerPassage,
  answerText,
  factLine,
  frameLines,
  neighbourLines,
  passageLine,
} from './answer.js'
import { indented } from './one-line.js'
import { tokenCost } from './tokens.js'

/** Maximum tokens of each form, and maximum characters of each form and of both together. */
export interface Room {
  tokens: number
  characters?: Question['characters']
}

/** Tokens that a character counts as where characters are limited. */
const TOKENS_PER_CHARACTER = 0.25

/** Estimated tokens in each form, an upper bound, not rounded, so that the costs of parts add up; and its characters. */
export class Cost {
  text = 0
  json = 0
  textLength = 0
  jsonLength = 0

  /** The cost of a part in each form. */
  static of(text: string | null, json: string | null): Cost {
    const cost = new Cost()
    if (text !== null) [cost.text, cost.textLength] = [tokenCost(text), text.length]
    if (json !== null) [cost.json, cost.jsonLength] = [tokenCost(json), json.length]
    return cost
  }

  add(other: Cost, times = 1): void {
    this.text += times * other.text
    this.json += times * other.json
    this.textLength += times * other.textLength
    this.jsonLength += times * other.jsonLength
  }

  subtract(other: Cost): void {
    this.add(other, -1)
  }

  clear(): void {
    this.subtract(this)
  }

  /** Tokens by which it exceeds a limit, with `more`; negative if some are left. */
  excess({ tokens, characters }: Room, more: Cost = NOTHING): number {
    const overTokens = Math.max(this.text + more.text, this.json + more.json) - tokens
    if (!characters) return overTokens
    const [text, json] = [this.textLength + more.textLength, this.jsonLength + more.jsonLength]
    const over = Math.max(text - characters.each, json - characters.each, text + json - characters.together)
    return Math.max(overTokens, over * TOKENS_PER_CHARACTER)
  }
}

const NOTHING = new Cost()

/** The cost of a passage's text in these forms. */
export const costOfBody = (text: string, inText = true, inJson = true): Cost =>
  Cost.of(inText ? indented(text) : null, inJson ? JSON.stringify(text) : null)

/** Tokens of the sentence that introduces the cursor in the text form, without the cursor. */
const CURSOR_SENTENCE = 30
/** Its characters. */
const CURSOR_CHARACTERS = 80

/** The costs of the parts of one answer, each computed once. */
export class AnswerCosts {
  readonly #inText: boolean
  readonly #inJson: boolean
  /** The common source of all facts and passages; null if they differ. */
  readonly #source: string | null
  readonly #bodyCost: ((passage: AnswerPassage) => Cost | undefined) | undefined

  /** `bodyCost` supplies known costs of passage texts. */
  constructor(
    { facts, passages }: Answer,
    form: Form,
    bodyCost?: (passage: AnswerPassage) => Cost | undefined,
  ) {
    this.#bodyCost = bodyCost
    this.#inText = form !== 'json'
    this.#inJson = form !== 'text'
    const sources = [
      ...facts.map(({ sources }) => sources.join('; ')),
      ...passages.map(({ source }) => source),
    ]
    const [first = null] = sources
    this.#source = sources.every(source => source === first) ? first : null
  }

  /** Everything except facts and passages. */
  ofFrame(answer: Answer): Cost {
    const cost = this.#cost(frameLines(answer).join('\n'), { ...answer, facts: [], passages: [] })
    if (answer.next_cursor === null || !this.#inText) return cost
    cost.text += CURSOR_SENTENCE + tokenCost(answer.next_cursor)
    cost.textLength += CURSOR_CHARACTERS + answer.next_cursor.length
    return cost
  }

  ofFact(fact: AnswerFact): Cost {
    return this.#cost(factLine(fact, this.#source), fact)
  }

  /** Without its neighbours. */
  ofPassage(passage: AnswerPassage): Cost {
    const bare = { ...passage, text: '' }
    const head = this.#cost(passageLine(bare, this.#source), bare)
    head.add(this.#bodyCost?.(passage) ?? costOfBody(passage.text, this.#inText, this.#inJson))
    if (!this.#inText) [head.text, head.textLength] = [0, 0]
    if (!this.#inJson) [head.json, head.jsonLength] = [0, 0]
    return head
  }

  ofNeighbours(beside: Pick<AnswerPassage, 'before' | 'after'>): Cost {
    return this.#cost(neighbourLines(beside).join('\n'), beside)
  }

  ofWhole(answer: Answer): Cost {
    return this.#cost(answerText(answer), answer)
  }

  /** Both include the separator before the next part. */
  #cost(text: string, json: object): Cost {
    const cost = Cost.of(this.#inText ? text : null, this.#inJson ? JSON.stringify(json) : null)
    if (this.#inText) [cost.text, cost.textLength] = [cost.text + 1, cost.textLength + 1]
    if (this.#inJson) [cost.json, cost.jsonLength] = [cost.json + 1, cost.jsonLength + 1]
    return cost
  }
}

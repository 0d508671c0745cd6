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

/** Which form of an answer a client receives: text, structured, or both. */
export type Form = 'text' | 'json' | 'both'

/** Estimated tokens in each form: an upper bound, not rounded, so that the costs of parts add up. */
export class Cost {
  text: number
  json: number

  constructor(text = 0, json = 0) {
    this.text = text
    this.json = json
  }

  add({ text, json }: Cost): void {
    this.text += text
    this.json += json
  }

  subtract({ text, json }: Cost): void {
    this.text -= text
    this.json -= json
  }

  clear(): void {
    this.text = 0
    this.json = 0
  }

  /** Whether each form, plus `more`, takes at most this many tokens. */
  atMost(tokens: number, more?: Cost): boolean {
    return this.text + (more?.text ?? 0) <= tokens && this.json + (more?.json ?? 0) <= tokens
  }
}

/** The cost of a passage's text in both forms. */
export function costOfBody(text: string): Cost {
  return new Cost(tokenCost(indented(text)), tokenCost(JSON.stringify(text)))
}

/** Tokens of the sentence that introduces the cursor in the text form, without the cursor. */
const CURSOR_SENTENCE = 30

/** The costs of the parts of one answer, each computed once. */
export class AnswerCosts {
  readonly #inText: boolean
  readonly #inJson: boolean
  /** The common source of all facts and passages; null if they differ. */
  readonly #source: string | null
  readonly #bodyCost: (passage: AnswerPassage) => Cost

  /** `bodyCost` supplies known costs of passage texts. */
  constructor(
    { facts, passages }: Answer,
    form: Form,
    bodyCost = ({ text }: AnswerPassage) => costOfBody(text),
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
    const cursor = answer.next_cursor === null ? 0 : CURSOR_SENTENCE + tokenCost(answer.next_cursor)
    return new Cost(
      this.#inText ? tokenCost(frameLines(answer).join('\n')) + cursor : 0,
      this.#inJson ? tokenCost(JSON.stringify({ ...answer, facts: [], passages: [] })) : 0,
    )
  }

  ofFact(fact: AnswerFact): Cost {
    return this.#cost(factLine(fact, this.#source), fact)
  }

  /** Without its neighbours. */
  ofPassage(passage: AnswerPassage): Cost {
    const bare = { ...passage, text: '' }
    const head = this.#cost(passageLine(bare, this.#source), bare)
    head.add(this.#bodyCost(passage))
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
    return new Cost(
      this.#inText ? tokenCost(text) + 1 : 0,
      this.#inJson ? tokenCost(JSON.stringify(json)) + 1 : 0,
    )
  }
}

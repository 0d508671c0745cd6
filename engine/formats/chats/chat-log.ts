import type { Parsed } from '../../graph/index.js'
import type { DocumentSink } from '../shared/format.js'
import { ConversationRecords, type ConversationThing } from './conversation-records.js'

/** A message of people to each other. */
export interface ChatMessage {
  who: string
  text: string
  /** Milliseconds since 1970. */
  time: number | undefined
}

/** Characters and milliseconds of messages that are read together. */
const ENOUGH = 800
const LONGEST_PAUSE = 3_600_000
const LONGEST_MESSAGE = 20_000
const MOST_NAMED = 3

/** Messages are short and answer each other, so those that follow closely are one passage. */
export class ChatLog {
  readonly #records: ConversationRecords
  #messages: ChatMessage[] = []
  #length = 0

  constructor(thing: ConversationThing, document: DocumentSink | undefined) {
    this.#records = new ConversationRecords(thing, document)
  }

  begin(line: number): Parsed {
    return this.#records.begin(line)
  }

  relate(line: number, predicate: string, object: string): Parsed {
    return this.#records.relate(line, predicate, object)
  }

  *add(line: number, message: ChatMessage): Generator<Parsed> {
    const last = this.#messages.at(-1)
    const pause = Math.abs((message.time ?? 0) - (last?.time ?? 0))
    if (this.#length > ENOUGH || (last && pause > LONGEST_PAUSE)) yield* this.end(line)
    const text = message.text.slice(0, LONGEST_MESSAGE).replaceAll('\0', '')
    this.#messages.push({ ...message, text })
    this.#length += text.length
  }

  *end(line: number): Generator<Parsed> {
    const [first] = this.#messages
    if (!first) return
    const names = [...new Set(this.#messages.map(({ who }) => who))]
    const day = first.time === undefined ? '' : `, ${new Date(first.time).toISOString().slice(0, 10)}`
    const heading =
      names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? ' and others' : '') + day
    const text = this.#messages.map(({ who, text }) => `${who}: ${text}`).join('\n\n')
    yield* this.#records.add(line, { heading, text, time: first.time })
    this.#messages = []
    this.#length = 0
  }
}

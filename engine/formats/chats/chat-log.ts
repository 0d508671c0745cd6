import type { Parsed } from '../../graph/index.js'
import type { DocumentSink } from '../shared/format.js'
import { checked } from '../shared/record.js'
import { ConversationRecords, type ConversationThing } from './conversation-records.js'

/** A message of people to each other. */
export interface ChatMessage {
  who: string
  /** What identifies them, if it is known. */
  person?: string | undefined
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
  readonly #people = new Set<string>()
  #messages: ChatMessage[] = []
  #length = 0

  private constructor(thing: ConversationThing, document: DocumentSink | undefined) {
    this.#records = new ConversationRecords(thing, document)
  }

  /** Begins a chat. `title`: of its document, if that is about a part of it; `time`: of the first message. */
  static *open(
    { title, ...thing }: ConversationThing & { title?: string },
    document: DocumentSink | undefined,
    line: number,
    time: number | undefined,
  ): Generator<Parsed, ChatLog> {
    document?.about({ title: title ?? thing.name, ...(time === undefined ? {} : { time }) })
    const log = new ChatLog(thing, document)
    yield log.#records.begin(line)
    return log
  }

  *add(line: number, message: ChatMessage): Generator<Parsed> {
    const { person = '', who } = message
    if (person !== '' && !this.#people.has(person)) {
      this.#people.add(person)
      yield checked(line, { kind: 'entity', id: person, name: who, type: 'person' })
      yield this.#records.relate(line, 'has messages from', person)
    }
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

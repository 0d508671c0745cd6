import type { Parsed } from '../../graph/index.js'
import { markdownPassages } from '../notes/note-passages.js'
import type { DocumentSink } from '../shared/format.js'
import { checked } from '../shared/record.js'
import { dayOf, joined, minuteOf } from '../shared/values.js'

/** A conversation with an assistant, from any supported export. */
export interface Conversation {
  assistant: 'ChatGPT' | 'Claude'
  /** The kind, `conversation` by default. */
  kind?: 'conversation' | 'project' | 'memory'
  /** Its id in the export. */
  id: string
  title: string
  /** Milliseconds since 1970, for messages without a time of their own or above them. */
  time: number | undefined
  messages: ConversationMessage[]
}

export interface ConversationMessage {
  /** The sender and the recipient as a heading: `You asked Claude`. */
  heading: string
  /** Markdown. */
  text: string
  /** Milliseconds since 1970. */
  time: number | undefined
}

/** The entity of a conversation. */
interface ConversationThing {
  /** Its id. */
  id: string
  name: string
  /** For example `Claude conversation`. */
  type: string
  /** The title of its document, if it has its own. */
  title?: string
  /** The name of its document within the file, if there are several. */
  path?: string
}

/** Maximum characters of a conversation's name and of a heading. */
export const MAX_TITLE_LENGTH = 300

/** Turns the messages of a conversation into passages in sequence, and into its document, one by one. */
export class ConversationRecords {
  readonly #thing: ConversationThing
  readonly #document: DocumentSink | undefined
  #seq = 0

  constructor(thing: ConversationThing, document: DocumentSink | undefined) {
    this.#thing = thing
    this.#document = document
  }

  /** @param time the time of the first message */
  begin(line: number, time: number | undefined): Parsed {
    const { title, path, ...thing } = this.#thing
    if (path !== undefined) this.#document?.begin(path)
    if (title !== undefined) this.#document?.about({ title })
    if (time !== undefined) this.#document?.about({ time })
    return checked(line, { kind: 'entity', ...thing })
  }

  relate(line: number, predicate: string, object: string): Parsed {
    if (predicate === 'tagged') this.#document?.about({ tags: [object] })
    return checked(line, { kind: 'relation', subject: this.#thing.id, predicate, object })
  }

  *add(line: number, { heading, text, time }: ConversationMessage): Generator<Parsed> {
    const { id: entity, name } = this.#thing
    const title = `${name} > ${heading.slice(0, MAX_TITLE_LENGTH)}`
    const origin = { ...(time === undefined ? {} : { time }), line: this.#document?.line ?? line }
    this.#document?.write(messageText(heading, time, text))
    for (const passage of markdownPassages(text))
      yield checked(line, { kind: 'passage', entity, title, text: passage, seq: ++this.#seq, ...origin })
  }
}

/** A message in a document: a level 3 heading with sender and time, then its text with escaped headings. */
function messageText(heading: string, time: number | undefined, text: string): string {
  const body = text.replace(/^### /gm, '\\### ').trimEnd()
  return `### ${joined([heading.replace(/\s+/g, ' '), minuteOf(time)], ' · ')}\n\n${body}\n\n`
}

/** A message between people. */
export interface ChatMessage {
  /** The sender; empty if unknown. */
  who: string
  /** The id of the sender, if known. */
  person?: string | undefined
  text: string
  /** Milliseconds since 1970. */
  time: number | undefined
}

/** Maximum characters of a passage, and milliseconds between its messages. */
const ENOUGH = 800
const MAX_PAUSE = 3_600_000
const MAX_MESSAGE_LENGTH = 20_000
const MAX_NAME_LENGTH = 200
const MAX_NAMED = 3

/** Collects messages into passages: they are short and answer each other, so consecutive ones belong together. */
export class ChatLog {
  readonly #document: DocumentSink | undefined
  readonly #chat: () => ConversationThing
  #records: ConversationRecords | null = null
  readonly #people = new Set<string>()
  #messages: ChatMessage[] = []
  #length = 0

  /** @param chat returns the conversation; called after the first message */
  constructor(document: DocumentSink | undefined, chat: () => ConversationThing) {
    this.#document = document
    this.#chat = chat
  }

  /** Whether there are no messages so far. */
  get isEmpty(): boolean {
    return this.#records === null
  }

  *add(line: number, message: ChatMessage): Generator<Parsed> {
    this.#records ??= yield* this.#begin(line, message.time)
    const who = message.who.trim().slice(0, MAX_NAME_LENGTH) || 'Somebody'
    const person = message.person?.slice(0, MAX_NAME_LENGTH) ?? ''
    if (person !== '' && !this.#people.has(person)) {
      this.#people.add(person)
      yield checked(line, { kind: 'entity', id: person, name: who, type: 'person' })
      yield this.#records.relate(line, 'has messages from', person)
    }
    const last = this.#messages.at(-1)
    const pause = Math.abs((message.time ?? 0) - (last?.time ?? 0))
    if (this.#length > ENOUGH || (last && pause > MAX_PAUSE)) yield* this.end(line)
    const text = message.text.slice(0, MAX_MESSAGE_LENGTH).replaceAll('\0', '')
    this.#messages.push({ ...message, who, text })
    this.#length += text.length
  }

  *end(line: number): Generator<Parsed> {
    const [messages, time] = [this.#messages, this.#messages[0]?.time]
    if (messages.length === 0 || !this.#records) return
    const names = [...new Set(messages.map(({ who }) => who))]
    const others = names.length > MAX_NAMED ? ' and others' : ''
    const heading = joined([names.slice(0, MAX_NAMED).join(', ') + others, dayOf(time)], ', ')
    const text = messages.map(({ who, text }) => `${who}: ${text}`).join('\n\n')
    yield* this.#records.add(line, { heading, text, time })
    this.#messages = []
    this.#length = 0
  }

  *#begin(line: number, time: number | undefined): Generator<Parsed, ConversationRecords> {
    const { id, name, title = name.slice(0, MAX_NAME_LENGTH), ...chat } = this.#chat()
    const [shortId, shortName] = [id, name].map(text => text.slice(0, MAX_NAME_LENGTH)) as [string, string]
    const thing = { ...chat, id: shortId, name: shortName, title }
    const records = new ConversationRecords(thing, this.#document)
    yield records.begin(line, time)
    return records
  }
}

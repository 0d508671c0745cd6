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
  /** The project that it belongs to; may be empty. */
  project?: string
  /** Its time, if the first message has none. */
  time?: number | undefined
}

/** Maximum characters of a conversation's name and of a heading. */
export const MAX_TITLE_LENGTH = 300

/** Turns the messages of a conversation into passages in sequence, and into its document, one by one. */
export class ConversationRecords {
  /** Whether there are no messages so far. */
  isEmpty = true
  readonly #about: (first: string) => ConversationThing
  readonly #document: DocumentSink | undefined
  #id = ''
  #name = ''
  #seq = 0

  /** @param about returns the conversation; called with the text of the first message */
  constructor(document: DocumentSink | undefined, about: (first: string) => ConversationThing) {
    this.#document = document
    this.#about = about
  }

  /** Adds the entity before the first message. */
  protected *begin(line: number, first: Pick<ConversationMessage, 'text' | 'time'>): Generator<Parsed> {
    if (!this.isEmpty) return
    const { id, name, type, title, path, project = '', ...about } = this.#about(first.text)
    const time = first.time ?? about.time
    this.isEmpty = false
    this.#id = id
    this.#name = name
    if (path !== undefined) this.#document?.begin(path)
    if (title !== undefined) this.#document?.about({ title })
    if (time !== undefined) this.#document?.about({ time })
    yield checked(line, { kind: 'entity', id, name, type })
    if (project === '') return
    this.#document?.about({ tags: [project] })
    for (const predicate of ['tagged', 'in project']) yield this.relate(line, predicate, project)
  }

  protected relate(line: number, predicate: string, object: string): Parsed {
    return checked(line, { kind: 'relation', subject: this.#id, predicate, object })
  }

  *add(line: number, message: ConversationMessage): Generator<Parsed> {
    yield* this.begin(line, message)
    const { heading, time } = message
    const title = `${this.#name} > ${heading.slice(0, MAX_TITLE_LENGTH)}`
    const origin = { ...(time === undefined ? {} : { time }), line: this.#document?.line ?? line }
    this.#document?.write(messageText(message))
    for (const text of markdownPassages(message.text))
      yield checked(line, { kind: 'passage', entity: this.#id, title, text, seq: ++this.#seq, ...origin })
  }
}

/** A message in a document: a level 3 heading with sender and time, then its text with escaped headings. */
function messageText({ heading, time, text }: ConversationMessage): string {
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
export class ChatLog extends ConversationRecords {
  readonly #people = new Set<string>()
  #messages: ChatMessage[] = []
  #length = 0

  /** @param chat returns the conversation; called with the first message */
  constructor(document: DocumentSink | undefined, chat: () => ConversationThing) {
    super(document, () => shortened(chat()))
  }

  *say(line: number, message: ChatMessage): Generator<Parsed> {
    yield* this.begin(line, message)
    const who = message.who.trim().slice(0, MAX_NAME_LENGTH) || 'Somebody'
    const person = message.person?.slice(0, MAX_NAME_LENGTH) ?? ''
    if (person !== '' && !this.#people.has(person)) {
      this.#people.add(person)
      yield checked(line, { kind: 'entity', id: person, name: who, type: 'person' })
      yield this.relate(line, 'has messages from', person)
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
    if (messages.length === 0) return
    const names = [...new Set(messages.map(({ who }) => who))]
    const others = names.length > MAX_NAMED ? ' and others' : ''
    const heading = joined([names.slice(0, MAX_NAMED).join(', ') + others, dayOf(time)], ', ')
    const text = messages.map(({ who, text }) => `${who}: ${text}`).join('\n\n')
    yield* this.add(line, { heading, text, time })
    this.#messages = []
    this.#length = 0
  }
}

function shortened({ id, name, ...chat }: ConversationThing): ConversationThing {
  const shown = name.slice(0, MAX_NAME_LENGTH)
  return { title: shown, ...chat, id: id.slice(0, MAX_NAME_LENGTH), name: shown }
}

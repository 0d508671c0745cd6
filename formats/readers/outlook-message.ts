import { isUtf8 } from 'node:buffer'
import { encodingOf } from './code-page.js'
import { openCompoundFile, type Storage } from './compound-file.js'
import {
  clean,
  EARLIEST,
  flat,
  idOf,
  idsOf,
  LATEST,
  linesOf,
  type MailMessage,
  MOST_ATTACHMENTS,
  MOST_PEOPLE,
} from './mail-message.js'
import type { Person } from './person.js'

/** Properties of messages, people and attachments (MS-OXPROPS). */
const SUBJECT = 0x0037
const SUBMITTED = 0x0039
const [SENT_FOR_NAME, SENT_FOR_ADDRESS, SENT_FOR_SMTP] = [0x0042, 0x0065, 0x5d02]
const [SENDER_NAME, SENDER_ADDRESS, SENDER_SMTP] = [0x0c1a, 0x0c1f, 0x5d01]
const HEADERS = 0x007d
const [CREATOR_ADDRESS, CREATOR_SMTP] = [0x4023, 0x5d0a]
const DELIVERED = 0x0e06
const [TEXT, HTML] = [0x1000, 0x1013]
const [MESSAGE_ID, REFERENCES, IN_REPLY_TO] = [0x1035, 0x1039, 0x1042]
const [NAME, ADDRESS, SMTP, ROLE] = [0x3001, 0x3003, 0x39fe, 0x0c15]
const [CODE_PAGE, HTML_CODE_PAGE] = [0x3ffd, 0x3fde]
const [CONTENT, FILE_NAME, SHORT_FILE_NAME, IS_HIDDEN] = [0x3701, 0x3707, 0x3704, 0x7ffe]
/** Types of values (MS-OXCDATA §2.11.1). */
const [EMBEDDED, ANSI, UNICODE, BINARY] = [0x000d, 0x001e, 0x001f, 0x0102]

const PROPERTY_BYTES = 16
/** Bytes before the properties of a message, of one inside another, and of a person or an attachment (MS-OXMSG §2.4). */
const HEAD = { message: 32, inner: 24, part: 8 }
const COPY = 2
/** Messages inside messages. */
const DEEPEST = 3
/** 1970 in milliseconds since 1601. */
const EPOCH = 11_644_473_600_000

/** A message of Outlook (MS-OXMSG). @throws UnreadableFile */
export function outlookMessage(bytes: Buffer): MailMessage {
  return messageIn(openCompoundFile(bytes, 'message of Outlook'), HEAD.message, 0)
}

function messageIn(storage: Storage, head: number, depth: number): MailMessage {
  const properties = new Properties(storage, head)
  const text = (id: number) => properties.text(id)
  const subject = flat(text(SUBJECT))
  const time = properties.time(SUBMITTED) ?? properties.time(DELIVERED)
  const from = senderOf(properties)
  const references = idsOf(text(REFERENCES))
  const inReplyTo = idsOf(text(IN_REPLY_TO))[0] ?? references.at(-1) ?? null
  const id = idsOf(text(MESSAGE_ID))[0] ?? idOf({ time, from, subject })
  const body = { text: text(TEXT), html: properties.html() }
  const people = partsOf(storage, '__recip_', MOST_PEOPLE).map(
    part => new Properties(part, HEAD.part, properties.encoding),
  )
  const inRole = (isWanted: (role: number | null) => boolean) =>
    people
      .filter(person => isWanted(person.number(ROLE)))
      .flatMap(person => personOf(person, NAME, SMTP, ADDRESS))
  const message: MailMessage = {
    ...{ id, root: references[0] ?? inReplyTo ?? id, inReplyTo, subject, time, from },
    to: inRole(role => role !== COPY),
    cc: inRole(role => role === COPY),
    ...{ tags: [], lines: linesOf(body), attachments: [] },
  }
  for (const part of partsOf(storage, '__attach_', MOST_ATTACHMENTS))
    addAttachment(message, part, properties, depth)
  return message
}

function senderOf(properties: Properties): Person[] {
  const sentFor = personOf(properties, SENT_FOR_NAME, SENT_FOR_SMTP, SENT_FOR_ADDRESS)
  const sender = personOf(properties, SENDER_NAME, SENDER_SMTP, SENDER_ADDRESS)
  const known = sender[0]?.address || sentFor.length === 0 ? sender : sentFor
  return known.map(({ name, address }) => ({ name, address: address || addressOf(properties) }))
}

/** The address of a sender of Exchange: in the headers, or of the one who made the message, if that is the sender. */
function addressOf(properties: Properties): string {
  const inHeaders = FROM.exec(properties.text(HEADERS))?.[1]
  const isCreator = properties.text(CREATOR_ADDRESS) === properties.text(SENDER_ADDRESS)
  return inHeaders ?? (isCreator ? flat(properties.text(CREATOR_SMTP)) : '')
}

const FROM = /^from:(?:[^\n<]|\n[\t ]){0,300}<([^<>\s]{1,300})>/im

/** Addresses inside an Exchange server (`/o=…`) are no mail addresses. */
function personOf(properties: Properties, name: number, ...addresses: number[]): Person[] {
  const address = addresses.map(id => flat(properties.text(id))).find(text => text.includes('@')) ?? ''
  const person = { name: flat(properties.text(name)), address }
  return person.name === '' && address === '' ? [] : [person]
}

/** An attached message is part of the text, as in other mail. */
function addAttachment(message: MailMessage, part: Storage, { encoding }: Properties, depth: number): void {
  const properties = new Properties(part, HEAD.part, encoding)
  const inner = part.storages.get(nameOf(CONTENT, EMBEDDED))
  if (inner && depth < DEEPEST) {
    const { subject, lines, attachments } = messageIn(inner, HEAD.inner, depth + 1)
    message.lines.push('', subject, '', ...lines)
    message.attachments.push(...attachments.slice(0, MOST_ATTACHMENTS - message.attachments.length))
    return
  }
  const bytes = part.stream(nameOf(CONTENT, BINARY))
  const name = flat(properties.text(FILE_NAME) || properties.text(SHORT_FILE_NAME)).replace(/[/\\]/g, '_')
  if (bytes && name !== '' && properties.number(IS_HIDDEN) !== 1)
    message.attachments.push({ name: name.slice(-150), bytes })
}

function partsOf({ storages }: Storage, prefix: string, most: number): Storage[] {
  const parts = [...storages]
    .filter(([name]) => name.startsWith(prefix))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return parts.slice(0, most).map(([, part]) => part)
}

const nameOf = (id: number, type: number) => `__substg1.0_${hex(id)}${hex(type)}`
const hex = (number: number) => number.toString(16).toUpperCase().padStart(4, '0')

/** The properties of a message, a person or an attachment. */
class Properties {
  /** Of texts that are not Unicode. */
  readonly encoding: string
  readonly #storage: Storage
  /** Where values of a fixed length are in the list, by id. */
  readonly #places = new Map<number, number>()
  readonly #list: Buffer

  constructor(storage: Storage, head: number, encoding?: string) {
    this.#storage = storage
    this.#list = storage.stream('__properties_version1.0') ?? Buffer.alloc(0)
    for (let at = head; at + PROPERTY_BYTES <= this.#list.length; at += PROPERTY_BYTES)
      this.#places.set(this.#list.readUInt16LE(at + 2), at)
    this.encoding = encoding ?? encodingOf(this.number(CODE_PAGE) ?? this.number(HTML_CODE_PAGE) ?? 0)
  }

  text(id: number): string {
    const unicode = this.#storage.stream(nameOf(id, UNICODE))
    if (unicode) return clean(unicode.toString('utf16le'))
    const ansi = this.#storage.stream(nameOf(id, ANSI))
    return ansi ? clean(new TextDecoder(this.encoding).decode(ansi)) : ''
  }

  html(): string {
    const bytes = this.#storage.stream(nameOf(HTML, BINARY))
    if (!bytes) return this.text(HTML)
    const page = this.number(HTML_CODE_PAGE)
    const unnamed = isUtf8(bytes) ? 'utf-8' : this.encoding
    return new TextDecoder(page === null ? unnamed : encodingOf(page)).decode(bytes)
  }

  /** A number, or a truth value as 0 or 1. */
  number(id: number): number | null {
    const at = this.#places.get(id)
    return at === undefined ? null : this.#list.readInt32LE(at + 8)
  }

  /** Milliseconds since 1970. Forged dates far from ours are none. */
  time(id: number): number | undefined {
    const at = this.#places.get(id)
    const time = at === undefined ? Number.NaN : Number(this.#list.readBigUInt64LE(at + 8) / 10_000n) - EPOCH
    return time > EARLIEST && time < LATEST ? time : undefined
  }
}

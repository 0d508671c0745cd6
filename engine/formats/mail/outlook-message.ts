import { flatName as flat } from '../shared/flat.js'
import { openCompoundFile, type Storage } from './compound-file.js'
import { idOf, idsOf, linesOf, MAX_ATTACHMENTS, MAX_PEOPLE, type MailMessage } from './mail-message.js'
import { itemOf, type OutlookItem } from './outlook-item.js'
import { BINARY, EMBEDDED, HEAD, nameOf, Properties } from './outlook-properties.js'
import type { Person } from './person.js'

/** Properties of messages, people and attachments (MS-OXPROPS). */
const SUBJECT = 0x0037
const TEXT = 0x1000
const SUBMITTED = 0x0039
const [SENT_FOR_NAME, SENT_FOR_ADDRESS, SENT_FOR_SMTP] = [0x0042, 0x0065, 0x5d02]
const [SENDER_NAME, SENDER_ADDRESS, SENDER_SMTP] = [0x0c1a, 0x0c1f, 0x5d01]
const HEADERS = 0x007d
const [CREATOR_ADDRESS, CREATOR_SMTP] = [0x4023, 0x5d0a]
const DELIVERED = 0x0e06
const [MESSAGE_ID, REFERENCES, IN_REPLY_TO] = [0x1035, 0x1039, 0x1042]
const [NAME, ADDRESS, SMTP, ROLE] = [0x3001, 0x3003, 0x39fe, 0x0c15]
const [CONTENT, FILE_NAME, SHORT_FILE_NAME, IS_HIDDEN] = [0x3701, 0x3707, 0x3704, 0x7ffe]

const COPY = 2
/** Maximum nesting of messages. */
const MAX_DEPTH = 3

/** Reads an Outlook message (MS-OXMSG). @throws UnreadableFile */
export function outlookMessage(bytes: Buffer): MailMessage | OutlookItem {
  const storage = openCompoundFile(bytes, 'message of Outlook')
  const message = messageIn(storage, HEAD.message, 0)
  return itemOf(storage, message) ?? message
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
  const people = partsOf(storage, '__recip_', MAX_PEOPLE).map(
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
  for (const part of partsOf(storage, '__attach_', MAX_ATTACHMENTS))
    addAttachment(message, part, properties, depth)
  return message
}

function senderOf(properties: Properties): Person[] {
  const sentFor = personOf(properties, SENT_FOR_NAME, SENT_FOR_SMTP, SENT_FOR_ADDRESS)
  const sender = personOf(properties, SENDER_NAME, SENDER_SMTP, SENDER_ADDRESS)
  const known = sender[0]?.address || sentFor.length === 0 ? sender : sentFor
  return known.map(({ name, address }) => ({ name, address: address || addressOf(properties) }))
}

/** The address of an Exchange sender: from the headers, or from the creator if that is the sender. */
function addressOf(properties: Properties): string {
  const inHeaders = FROM.exec(properties.text(HEADERS))?.[1]
  const isCreator = properties.text(CREATOR_ADDRESS) === properties.text(SENDER_ADDRESS)
  return inHeaders ?? (isCreator ? flat(properties.text(CREATOR_SMTP)) : '')
}

const FROM = /^from:(?:[^\n<]|\n[\t ]){0,300}<([^<>\s]{1,300})>/im

/** Addresses inside an Exchange server (`/o=…`) are not email addresses. */
function personOf(properties: Properties, name: number, ...addresses: number[]): Person[] {
  const address = addresses.map(id => flat(properties.text(id))).find(text => text.includes('@')) ?? ''
  const person = { name: flat(properties.text(name)), address }
  return person.name === '' && address === '' ? [] : [person]
}

/** Adds an attachment. An attached message becomes part of the text, as in other mail. */
function addAttachment(message: MailMessage, part: Storage, { encoding }: Properties, depth: number): void {
  const properties = new Properties(part, HEAD.part, encoding)
  const inner = part.storages.get(nameOf(CONTENT, EMBEDDED))
  if (inner && depth < MAX_DEPTH) {
    const { subject, lines, attachments } = messageIn(inner, HEAD.inner, depth + 1)
    message.lines.push('', subject, '', ...lines)
    message.attachments.push(...attachments.slice(0, MAX_ATTACHMENTS - message.attachments.length))
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

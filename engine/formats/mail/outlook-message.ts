import { flatName as flat } from '../shared/flat.js'
import type { Format } from '../shared/format.js'
import { wholeOf } from '../shared/whole-file.js'
import { singleMailRecords } from './mail-document.js'
import { fileName, linesOf, MAX_ATTACHMENTS, MAX_PEOPLE, type MailMessage, threadOf } from './mail-message.js'
import { itemOf, outlookItemRecords } from './outlook-item.js'
import { OutlookPart } from './outlook-part.js'
import type { Person } from './person.js'

/** Properties of messages, people and attachments (MS-OXPROPS). */
const [SUBJECT, TEXT, SUBMITTED, DELIVERED] = [0x0037, 0x1000, 0x0039, 0x0e06]
const [MESSAGE_ID, REFERENCES, IN_REPLY_TO, HEADERS] = [0x1035, 0x1039, 0x1042, 0x007d]
const [SENDER_ADDRESS, CREATOR_ADDRESS, CREATOR_SMTP] = [0x0c1f, 0x4023, 0x5d0a]
const [ROLE, CONTENT, FILE_NAME, SHORT_FILE_NAME, IS_HIDDEN] = [0x0c15, 0x3701, 0x3707, 0x3704, 0x7ffe]
/** A name, and the properties with an address, best first. */
const SENT_FOR = [0x0042, 0x5d02, 0x0065] as const
const SENDER = [0x0c1a, 0x5d01, SENDER_ADDRESS] as const
const PERSON = [0x3001, 0x39fe, 0x3003] as const

const COPY = 2
/** Maximum nesting of messages. */
const MAX_DEPTH = 3

/** Reads an Outlook message (MS-OXMSG). @throws UnreadableFile */
export const readOutlook: Format['parse'] = async function* (bytes, file) {
  const part = OutlookPart.message(await wholeOf(bytes, 'message'))
  const message = messageIn(part, 0)
  const item = itemOf(part, message)
  yield* item ? outlookItemRecords(file, item) : singleMailRecords(file, message)
}

function messageIn(part: OutlookPart, depth: number): MailMessage {
  const subject = flat(part.text(SUBJECT))
  const time = part.time(SUBMITTED) ?? part.time(DELIVERED)
  const from = senderOf(part)
  const [id, answered, above] = [part.text(MESSAGE_ID), part.text(IN_REPLY_TO), part.text(REFERENCES)]
  const people = part.parts('recip', MAX_PEOPLE)
  const inRole = (isCopy: boolean) =>
    people
      .filter(person => (person.number(ROLE) === COPY) === isCopy)
      .flatMap(person => personOf(person, PERSON))
  const message: MailMessage = {
    ...threadOf(id, answered, above, { time, from, subject }),
    ...{ subject, time, from },
    ...{ to: inRole(false), cc: inRole(true), tags: [], attachments: [] },
    lines: linesOf({ text: part.text(TEXT), html: part.html() }),
  }
  for (const attached of part.parts('attach', MAX_ATTACHMENTS)) addAttachment(message, attached, depth)
  return message
}

function senderOf(part: OutlookPart): Person[] {
  const sentFor = personOf(part, SENT_FOR)
  const sender = personOf(part, SENDER)
  const known = sender[0]?.address || sentFor.length === 0 ? sender : sentFor
  return known.map(({ name, address }) => ({ name, address: address || addressOf(part) }))
}

/** The address of an Exchange sender: from the headers, or from the creator if that is the sender. */
function addressOf(part: OutlookPart): string {
  const inHeaders = FROM.exec(part.text(HEADERS))?.[1]
  const isCreator = part.text(CREATOR_ADDRESS) === part.text(SENDER_ADDRESS)
  return inHeaders ?? (isCreator ? flat(part.text(CREATOR_SMTP)) : '')
}

const FROM = /^from:(?:[^\n<]|\n[\t ]){0,300}<([^<>\s]{1,300})>/im

/** Addresses inside an Exchange server (`/o=…`) are not email addresses. */
function personOf(part: OutlookPart, [named, ...addresses]: readonly [number, ...number[]]): Person[] {
  const address = addresses.map(id => flat(part.text(id))).find(text => text.includes('@')) ?? ''
  const name = flat(part.text(named))
  return name === '' && address === '' ? [] : [{ name, address }]
}

/** Adds an attachment. An attached message becomes part of the text, as in other mail. */
function addAttachment(message: MailMessage, part: OutlookPart, depth: number): void {
  const inner = part.inner()
  if (inner && depth < MAX_DEPTH) {
    const { subject, lines, attachments } = messageIn(inner, depth + 1)
    message.lines.push('', subject, '', ...lines)
    message.attachments.push(...attachments.slice(0, MAX_ATTACHMENTS - message.attachments.length))
    return
  }
  const bytes = part.bytes(CONTENT)
  const name = fileName(part.text(FILE_NAME) || part.text(SHORT_FILE_NAME))
  if (bytes && name !== '' && part.number(IS_HIDDEN) !== 1) message.attachments.push({ name, bytes })
}

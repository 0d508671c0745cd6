import type { Parsed } from '../../graph/index.js'
import { type Format, UnreadableFile } from '../shared/format.js'
import { dayOf, joined } from '../shared/values.js'
import { wholeOf } from '../shared/whole-file.js'
import { mailRecords, singleMailRecords } from './mail-document.js'
import { type MailMessage, mailMessage } from './mail-message.js'
import { SeenText } from './quoted-text.js'

/** Reads a message that is a file of its own. */
export const readMail: Format['parse'] = async function* (bytes, file) {
  const message = await mailMessage(shortened(withoutLength(await wholeOf(bytes, 'message')))).catch(
    (error: Error) => {
      throw new UnreadableFile(`This message cannot be read: ${error.message}.`)
    },
  )
  yield* singleMailRecords(file, message)
}

/** Removes Apple Mail's length line above the message and settings below it. */
function withoutLength(bytes: Buffer): Buffer {
  const [, spaces, length] = /^(\s{0,20}(\d{1,9})\s{0,20}\n)/.exec(bytes.toString('latin1', 0, 60)) ?? []
  return spaces === undefined ? bytes : bytes.subarray(spaces.length, spaces.length + Number(length))
}

/** Maximum messages whose conversation is stored. */
const MAX_REMEMBERED = 50_000

/** Reads the messages of a mailbox one by one, so that only one of them is in memory. */
export const readMailbox: Format['parse'] = async function* (bytes, file) {
  const seen = new SeenText()
  const rootOf = conversations()
  const split = newSplitter()
  let count = 0
  async function* records({ line, bytes }: RawMessage): AsyncGenerator<Parsed[]> {
    count++
    const message = await mailMessage(bytes).catch((error: Error) => error.message)
    if (typeof message === 'string')
      return yield [{ line, problem: `This message cannot be read: ${message}.` }]
    const place = { line, path: nameOf(message) }
    yield* mailRecords(file, { ...message, root: rootOf(message) }, seen, place)
  }
  for await (const chunk of bytes) {
    for (const raw of split(chunk)) yield* records(raw)
    // Even when empty, so that the caller can yield to other work.
    yield []
  }
  for (const raw of split(null)) yield* records(raw)
  if (count === 0) yield [{ line: 1, problem: 'This mailbox has no messages: none begins with “From ”.' }]
}

/** Finds the first message of a conversation even if programs omit references or answers come first. Circular references are one conversation. */
function conversations(): (message: MailMessage) => string {
  /** By the ids of messages. */
  const roots = new Map<string, string>()
  return ({ id, root, inReplyTo }) => {
    const related = [id, root, ...(inReplyTo === null ? [] : [inReplyTo])]
    const known = related.map(other => roots.get(other)).find(other => other !== undefined) ?? root
    for (const other of related) {
      if (roots.size >= MAX_REMEMBERED) roots.delete(roots.keys().next().value ?? '')
      roots.set(other, known)
    }
    return known
  }
}

/** `2024-05-03 Re: The boat` */
function nameOf({ subject, time }: MailMessage): string {
  return joined([dayOf(time), subject.slice(0, 150) || 'Mail without subject'], ' ')
}

/** A message as written in a mailbox, and the line of the file where it begins. */
type RawMessage = { line: number; bytes: Uint8Array }

/** Maximum bytes of a message; the rest, usually attachments, is cut off. */
const MAX_LENGTH = 10 * 1_048_576
/** The same for a message without base64 attachments, because lines of text take ten times the memory. */
const MAX_TEXT_LENGTH = 3 * 1_048_576
/** Maximum bytes of a line that are checked. */
const LOOKED_AT = 200
const NEWLINE = 0x0a
const FROM = Buffer.from('From ')
/** "From ", then an address and a date (RFC 4155); other lines with this beginning are escaped. */
const SEPARATOR = /^From (?:\S{1,150} .{0,60}\d{4}|-|\S{1,150}$)/

/** Splits the chunks of a mailbox into messages. Called with null at the end. */
function newSplitter(): (chunk: Uint8Array | null) => RawMessage[] {
  /** The current message; null before the first one. */
  let message: { line: number; parts: Buffer[]; length: number } | null = null
  let line = 1
  /** The beginning of a line that may be a separator. */
  let rest = Buffer.alloc(0)
  let [isLineStart, wasBlank] = [true, true]
  const keep = (some: Buffer) => {
    if (!message || message.length >= MAX_LENGTH) return
    message.length += some.length
    // A copy: the chunk may share its memory with other data.
    message.parts.push(Buffer.from(some))
  }
  const whole = () =>
    message?.length ? [{ line: message.line, bytes: shortened(Buffer.concat(message.parts)) }] : []
  return chunk => {
    if (!chunk) {
      keep(rest)
      return whole()
    }
    const found: RawMessage[] = []
    const bytes = Buffer.concat([rest, chunk])
    let [kept, from] = [0, 0]
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      if (wasBlank && isLineStart && isSeparator(bytes, from, at)) {
        keep(bytes.subarray(kept, from))
        found.push(...whole())
        message = { line, parts: [], length: 0 }
        kept = at + 1
      }
      wasBlank = isLineStart && (at === from || (at === from + 1 && bytes[from] === 0x0d))
      isLineStart = true
      line++
      from = at + 1
    }
    isLineStart &&= bytes.length - from < LOOKED_AT
    rest = Buffer.from(bytes.subarray(isLineStart ? from : bytes.length))
    keep(bytes.subarray(kept, bytes.length - rest.length))
    return found
  }
}

function isSeparator(bytes: Buffer, from: number, to: number): boolean {
  if (!bytes.subarray(from, from + FROM.length).equals(FROM)) return false
  return SEPARATOR.test(bytes.toString('latin1', from, Math.min(to, from + LOOKED_AT)).trimEnd())
}

/** Cuts a message to the size that can be decoded in the memory of a reading process. */
function shortened(message: Buffer): Buffer {
  if (message.length <= MAX_TEXT_LENGTH) return message
  const hasBase64 = /\nContent-Transfer-Encoding:\s{0,9}base64/i.test(
    message.toString('latin1', 0, MAX_TEXT_LENGTH),
  )
  return message.subarray(0, hasBase64 ? MAX_LENGTH : MAX_TEXT_LENGTH)
}

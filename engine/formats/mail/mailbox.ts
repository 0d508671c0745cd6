import type { Parsed } from '../../graph/index.js'
import type { SourceFile } from '../shared/format.js'
import { mailRecords } from './mail-document.js'
import { type MailMessage, mailMessage } from './mail-message.js'
import { SeenText } from './quoted-text.js'

/** Maximum messages whose conversation is stored. */
const MAX_REMEMBERED = 50_000

/** Reads the messages of a mailbox one by one, so that only one of them is in memory. */
export class MailboxReader {
  readonly #file: SourceFile | undefined
  readonly #seen = new SeenText()
  /** Id of a message → id of the first message in its conversation. */
  readonly #roots = new Map<string, string>()

  constructor(file: SourceFile | undefined) {
    this.#file = file
  }

  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Parsed[]> {
    const splitter = new MessageSplitter()
    for await (const chunk of bytes) {
      for (const raw of splitter.read(chunk)) yield* this.#records(raw)
      // Even when empty, so that the caller can yield to other work.
      yield []
    }
    for (const raw of splitter.end()) yield* this.#records(raw)
    if (splitter.isEmpty)
      yield [{ line: 1, problem: 'This mailbox has no messages: none begins with “From ”.' }]
  }

  async *#records({ line, bytes }: RawMessage): AsyncGenerator<Parsed[]> {
    const message = await mailMessage(bytes).catch((error: Error) => error.message)
    if (typeof message === 'string')
      return yield [{ line, problem: `This message cannot be read: ${message}.` }]
    const root = this.#rootOf(message)
    yield* mailRecords(this.#file, { ...message, root }, this.#seen, { line, path: nameOf(message) })
  }

  /** Finds the conversation even if programs omit references or answers come first. Circular references are one conversation. */
  #rootOf({ id, root, inReplyTo }: MailMessage): string {
    const related = [id, root, ...(inReplyTo === null ? [] : [inReplyTo])]
    const known = related.map(other => this.#roots.get(other)).find(other => other !== undefined) ?? root
    for (const other of related) this.#remember(other, known)
    return known
  }

  #remember(id: string, root: string): void {
    if (this.#roots.size >= MAX_REMEMBERED) {
      const [oldest = ''] = this.#roots.keys()
      this.#roots.delete(oldest)
    }
    this.#roots.set(id, root)
  }
}

/** `2024-05-03 Re: The boat` */
function nameOf({ subject, time }: MailMessage): string {
  const day = time === undefined ? '' : `${new Date(time).toISOString().slice(0, 10)} `
  return `${day}${subject.slice(0, 150) || 'Mail without subject'}`
}

/** A message as written in a mailbox. */
interface RawMessage {
  /** The line of the file where it begins. */
  line: number
  bytes: Uint8Array
}

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

/** Splits the chunks of a mailbox into messages. */
class MessageSplitter {
  /** Whether no message has begun yet. */
  isEmpty = true
  #line = 1
  #begun = 1
  #parts: Buffer[] = []
  #length = 0
  /** The beginning of a line that may be a separator. */
  #rest: Buffer = Buffer.alloc(0)
  #isLineStart = true
  #wasBlank = true

  read(chunk: Uint8Array): RawMessage[] {
    const bytes = Buffer.concat([this.#rest, chunk])
    this.#rest = Buffer.alloc(0)
    const found: RawMessage[] = []
    let kept = 0
    let from = 0
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      if (this.#isSeparator(bytes, from, at)) {
        this.#keep(bytes.subarray(kept, from))
        this.#finish(found)
        kept = at + 1
      }
      this.#wasBlank = this.#isLineStart && (at === from || (at === from + 1 && bytes[from] === 0x0d))
      this.#isLineStart = true
      this.#line++
      from = at + 1
    }
    if (this.#isLineStart && bytes.length - from < LOOKED_AT) {
      this.#rest = Buffer.from(bytes.subarray(from))
      this.#keep(bytes.subarray(kept, from))
    } else {
      this.#isLineStart = false
      this.#keep(bytes.subarray(kept))
    }
    return found
  }

  end(): RawMessage[] {
    const found: RawMessage[] = []
    this.#keep(this.#rest)
    if (!this.isEmpty) this.#finish(found)
    return found
  }

  #isSeparator(bytes: Buffer, from: number, to: number): boolean {
    if (!this.#wasBlank || !this.#isLineStart) return false
    if (!bytes.subarray(from, from + FROM.length).equals(FROM)) return false
    return SEPARATOR.test(bytes.toString('latin1', from, Math.min(to, from + LOOKED_AT)).trimEnd())
  }

  #keep(some: Buffer): void {
    if (this.isEmpty || some.length === 0 || this.#length >= MAX_LENGTH) return
    this.#length += some.length
    // A copy: the chunk may share its memory with other data.
    this.#parts.push(Buffer.from(some))
  }

  #finish(found: RawMessage[]): void {
    if (this.#length > 0) found.push({ line: this.#begun, bytes: shortened(Buffer.concat(this.#parts)) })
    this.#parts = []
    this.#length = 0
    this.#begun = this.#line
    this.isEmpty = false
  }
}

/** Cuts a message to the size that can be decoded in the memory of a reading process. */
export function shortened(message: Buffer): Buffer {
  if (message.length <= MAX_TEXT_LENGTH) return message
  const hasBase64 = /\nContent-Transfer-Encoding:\s{0,9}base64/i.test(
    message.toString('latin1', 0, MAX_TEXT_LENGTH),
  )
  return message.subarray(0, hasBase64 ? MAX_LENGTH : MAX_TEXT_LENGTH)
}

import type { Parsed } from '../../graph/index.js'
import type { SourceFile } from '../shared/format.js'
import { mailRecords } from './mail-document.js'
import { type MailMessage, mailMessage } from './mail-message.js'
import { MessageSplitter, type RawMessage } from './message-splitter.js'
import { SeenText } from './seen-text.js'

/** Messages whose conversation is remembered. */
const MOST_REMEMBERED = 50_000

/** Reads the messages of a mailbox one by one, so that only one of them is in memory. */
export class MailboxReader {
  readonly #file: SourceFile | undefined
  readonly #seen = new SeenText()
  /** Id of a message → of the first one of its conversation. */
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

  /** Programs leave out references, and answers may come before what they answer. A circle is one conversation. */
  #rootOf({ id, root, inReplyTo }: MailMessage): string {
    const related = [id, root, ...(inReplyTo === null ? [] : [inReplyTo])]
    const known = related.map(other => this.#roots.get(other)).find(other => other !== undefined) ?? root
    for (const other of related) this.#remember(other, known)
    return known
  }

  #remember(id: string, root: string): void {
    if (this.#roots.size >= MOST_REMEMBERED) {
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

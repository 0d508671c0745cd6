import type { ImportOptions } from '../safe.js'
import type { ReadPosition } from './import-pieces.js'
import type { ReadingWork } from './reader-messages.js'

/** The source of a reading: a stream, or files of a folder. */
export type Reading = Pick<ImportOptions, 'source' | 'bytes' | 'files'>

/** The bytes of what a reader reads, which it requests: one file at a time. */
export class ReadingBytes {
  readonly #reading: Reading
  #bytes: AsyncIterator<Uint8Array | string> | null = null
  #isEnded = false
  /** The position of the reader. */
  place: ReadPosition = { file: null, line: 0 }

  constructor(reading: Reading) {
    this.#reading = reading
  }

  /** Answers the reader. */
  async answer(question: ReadingWork['question']): Promise<Uint8Array | null> {
    if (question === 'close') return this.#close()
    if (question !== 'pull') await this.#open(question.open)
    const pulled = this.#pull()
    // The reading may have ended while the file was opened. An unread stream would stay open.
    if (this.#isEnded) await this.#close()
    return pulled
  }

  /** Closes everything that is open. */
  end(): void {
    this.#isEnded = true
    void this.#close()
  }

  async #open(file: number | null): Promise<void> {
    const { bytes, files } = this.#reading
    const chosen = file === null ? undefined : files?.files[file]
    if (chosen) this.place = { file: chosen.path, line: 0 }
    const opened = chosen ? await chosen.open() : bytes
    this.#bytes = opened?.[Symbol.asyncIterator]() ?? null
  }

  async #pull(): Promise<Uint8Array | null> {
    const next = await this.#bytes?.next()
    const value = next?.done === false ? next.value : null
    return typeof value === 'string' ? Buffer.from(value) : value
  }

  async #close(): Promise<null> {
    const bytes = this.#bytes
    this.#bytes = null
    await bytes?.return?.().catch(() => {})
    return null
  }
}

import { Lost, type Talk } from '../../../platform/processes/talk.js'
import type { ImportOptions } from '../safe.js'
import type { ReadPosition } from './import-pieces.js'
import { ImportRejected } from './import-source.js'
import { unpacked } from './packed-rows.js'
import type { FromReader, Piece, ReadingJob, SentPiece, ToReader } from './reader-messages.js'

/** What is read: a stream, or files of a folder. */
export type Reading = Pick<ImportOptions, 'source' | 'bytes' | 'files'>

/** Why a file was not read to its end. */
const STOPPED = 'The service was stopped while this file was being read.'

/** @throws the reason of an aborted reading as a sentence */
export function stopped(reason: unknown): never {
  throw reason instanceof ImportRejected ? reason : new ImportRejected(STOPPED)
}

/** One file or folder being read by a reader. */
export class ReadingSession {
  readonly #talk: Talk<ToReader, FromReader>
  readonly #reading: Reading
  #bytes: AsyncIterator<Uint8Array | string> | null = null
  #place: ReadPosition = { file: null, line: 0 }
  /** Whether the reader has finished the file, so that it can read another one. */
  #isFinished = false
  #isEnded = false
  #began = false

  constructor(talk: Talk<ToReader, FromReader>, reading: Reading) {
    this.#talk = talk
    this.#reading = reading
  }

  begin(job: ReadingJob): void {
    this.#talk.send({ kind: 'read', job })
  }

  /** Says where the reader was. */
  tookTooLong(): ImportRejected {
    return this.#refusal('took too long')
  }

  /** A piece that is still waited for is refused. */
  end(): void {
    this.#isEnded = true
    this.#talk.end(this.#isFinished)
    void this.#closeBytes()
  }

  /** The next piece; requesting it lets the reader continue. */
  async next(): Promise<Piece> {
    if (this.#began) this.#talk.send({ kind: 'go on' })
    this.#began = true
    for (;;) {
      const message = await this.#talk.next().catch(error => this.#fail(error))
      if (message.kind === 'open') void this.#open(message.file, message.request)
      else if (message.kind === 'pull') void this.#pull(message.request)
      else if (message.kind === 'close') void this.#closeBytes()
      else if (message.kind === 'piece') return this.#arrived(message.piece)
      else {
        this.#isFinished = true
        throw message.isRefusal ? new ImportRejected(message.message) : new Error(message.message)
      }
    }
  }

  #arrived(piece: SentPiece): Piece {
    this.#place = piece.place
    this.#isFinished = piece.contentHash !== undefined
    if (!('packed' in piece)) return piece
    const { packed, ...rest } = piece
    return { ...rest, rows: unpacked(packed) }
  }

  #fail(error: unknown): never {
    if (!(error instanceof Lost) || error.how === 'stopped') return stopped(error)
    if (error.how === 'silent') throw this.tookTooLong()
    if (error.how === 'memory')
      throw this.#refusal('took too much memory', ' Split the file into smaller ones and add those.')
    throw new Error('the process that read a file was lost', { cause: error })
  }

  #refusal(what: string, remedy = ''): ImportRejected {
    const { file, line } = this.#place
    const name = file ?? this.#reading.source
    return new ImportRejected(
      `Reading ${name} ${what}${line > 0 ? ` after line ${line}` : ''}. Nothing was added.${remedy}`,
    )
  }

  async #open(file: number | null, request: number): Promise<void> {
    const { bytes, files } = this.#reading
    try {
      const chosen = file === null ? undefined : files?.files[file]
      if (chosen) this.#place = { file: chosen.path, line: 0 }
      const opened = chosen ? await chosen.open() : bytes
      this.#bytes = opened?.[Symbol.asyncIterator]() ?? null
      const pulled = this.#pull(request)
      // The reading may have ended while the file was opened. A stream that nobody has begun to read would stay open.
      if (this.#isEnded) void this.#closeBytes()
      await pulled
    } catch (error) {
      this.#break(request, error)
    }
  }

  async #pull(request: number): Promise<void> {
    try {
      const next = await this.#bytes?.next()
      const value = next?.done === false ? next.value : null
      const bytes = typeof value === 'string' ? Buffer.from(value) : value
      this.#talk.send({ kind: 'bytes', request, bytes })
    } catch (error) {
      this.#break(request, error)
    }
  }

  #break(request: number, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    this.#talk.send({ kind: 'broken', request, message })
  }

  async #closeBytes(): Promise<void> {
    const bytes = this.#bytes
    this.#bytes = null
    await bytes?.return?.().catch(() => {})
  }
}

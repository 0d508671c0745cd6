import type { ChildProcess } from 'node:child_process'
import { ranOutOfMemory } from '../../../platform/common/child.js'
import { Watchdog } from '../index/watchdog.js'
import type { ImportOptions } from '../safe.js'
import type { ImportFile } from './import-files.js'
import type { ReadPosition } from './import-pieces.js'
import { ImportRejected } from './import-source.js'
import { unpacked } from './packed-rows.js'
import type { FromReader, Piece, ReadingJob, SentPiece, ToReader } from './reader-messages.js'

/** What is read: a stream, or files of a folder. */
export type Reading = Pick<ImportOptions, 'source' | 'bytes' | 'files'>

/** Why a file was not read to its end. */
export const STOPPED = 'The service was stopped while this file was being read.'

/** One file or folder being read by a reader. */
export class ReadingSession {
  /** Whether the reader has finished the file, so that it can read another one. */
  isFinished = false
  #isEnded = false
  readonly #child: ChildProcess
  readonly #reading: Reading
  #bytes: AsyncIterator<Uint8Array | string> | null = null
  #place: ReadPosition = { file: null, line: 0 }
  readonly #watchdog: Watchdog
  #began = false
  #signal: AbortSignal | null = null
  #settle: { resolve(piece: Piece): void; reject(error: unknown): void } | null = null
  #arrived: Piece | null = null
  #error: unknown = null

  constructor(child: ChildProcess, reading: Reading, silentMs: number) {
    this.#child = child
    this.#reading = reading
    this.#watchdog = new Watchdog(silentMs, () => this.#fail(this.tookTooLong()))
  }

  begin(job: ReadingJob, signal: AbortSignal): void {
    this.#child.on('message', this.#onMessage).on('error', this.#onError).on('exit', this.#onExit)
    this.#child.ref()
    this.#child.channel?.ref()
    this.#watchdog.start()
    signal.addEventListener('abort', this.#onAbort, { once: true })
    this.#signal = signal
    this.#send({ kind: 'read', job })
  }

  /** Says where the reader was. */
  tookTooLong(): ImportRejected {
    return this.#refusal('took too long')
  }

  /** A piece that is still waited for is refused. */
  end(): void {
    this.#isEnded = true
    this.#fail(new ImportRejected(STOPPED))
    this.#watchdog.stop()
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#child.off('message', this.#onMessage).off('error', this.#onError).off('exit', this.#onExit)
    this.#child.unref()
    this.#child.channel?.unref()
    void this.#closeBytes()
  }

  /** The next piece; requesting it lets the reader continue. */
  next(): Promise<Piece> {
    return new Promise((resolve, reject) => {
      if (this.#error) return reject(this.#error)
      if (this.#began) this.#send({ kind: 'go on' })
      this.#began = true
      this.#settle = { resolve, reject }
      this.#deliver()
    })
  }

  readonly #onMessage = (received: unknown): void => {
    const message = received as FromReader
    this.#watchdog.reset()
    switch (message.kind) {
      case 'open':
        return void this.#open(message.file, message.request)
      case 'pull':
        return void this.#pull(message.request)
      case 'close':
        return void this.#closeBytes()
      case 'piece':
        this.#place = message.piece.place
        this.#arrived = arrived(message.piece)
        this.isFinished = message.piece.contentHash !== undefined
        this.#deliver()
        break
      case 'failed':
        this.isFinished = true
        this.#fail(message.isRefusal ? new ImportRejected(message.message) : new Error(message.message))
    }
  }

  readonly #onError = (error: Error): void =>
    this.#fail(new Error('the process that read a file failed', { cause: error }))

  readonly #onExit = (code: number | null, signal: NodeJS.Signals | null): void =>
    this.#fail(
      ranOutOfMemory(code, signal)
        ? this.#refusal('took too much memory', ' Split the file into smaller ones and add those.')
        : new Error(`the process that read a file ended: ${signal ?? code}`),
    )

  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal?.reason
    this.#fail(reason instanceof ImportRejected ? reason : new ImportRejected(STOPPED))
  }

  #refusal(what: string, remedy = ''): ImportRejected {
    const { file, line } = this.#place
    const name = file ?? this.#reading.source
    return new ImportRejected(
      `Reading ${name} ${what}${line > 0 ? ` after line ${line}` : ''}. Nothing was added.${remedy}`,
    )
  }

  #deliver(): void {
    const [piece, settle] = [this.#arrived, this.#settle]
    if (!settle || (!piece && !this.#error)) return
    this.#settle = null
    this.#arrived = null
    if (piece) settle.resolve(piece)
    else settle.reject(this.#error)
  }

  #fail(error: unknown): void {
    this.#error ??= error
    this.#deliver()
  }

  async #open(file: number | null, request: number): Promise<void> {
    const { bytes, files } = this.#reading
    try {
      const chosen: ImportFile | undefined = file === null ? undefined : files?.files[file]
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
      if (!next || next.done) return this.#send({ kind: 'bytes', request, bytes: null })
      const { value } = next
      const bytes = typeof value === 'string' ? Buffer.from(value) : value
      this.#send({ kind: 'bytes', request, bytes })
    } catch (error) {
      this.#break(request, error)
    }
  }

  #break(request: number, error: unknown): void {
    this.#send({ kind: 'broken', request, message: error instanceof Error ? error.message : String(error) })
  }

  async #closeBytes(): Promise<void> {
    const bytes = this.#bytes
    this.#bytes = null
    await bytes?.return?.().catch(() => {})
  }

  #send(message: ToReader): void {
    if (this.#isEnded) return
    // When the process has ended, its end says so.
    this.#child.send(message, () => {})
  }
}

function arrived(piece: SentPiece): Piece {
  if (!('packed' in piece)) return piece
  const { packed, ...rest } = piece
  return { ...rest, rows: unpacked(packed) }
}

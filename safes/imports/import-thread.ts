import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../common/worker.js'
import { Watchdog } from '../index/watchdog.js'
import type { ImportOptions } from '../safe.js'
import type { FilesPiece, FilesToRead } from '../sync/file-pieces.js'
import type { ImportFile, ImportFiles } from './import-files.js'
import type { ImportPiece, ReadPosition } from './import-pieces.js'
import { ImportRejected } from './import-source.js'

/** A file, archive or folder for the thread to read. Its bytes follow on request. */
export interface ReadingJob {
  format: string
  source: string
  folder: { paths: string[]; problems: ImportFiles['problems'] } | null
  /** Set if the files of the folder are read one by one (`file-pieces.ts`); scopes in their order. */
  each?: Omit<FilesToRead, 'files'> & { scopes: string[] }
  spoolFolder: string
}

/** What the thread has read. The last piece has a hash. */
type Piece = ImportPiece | FilesPiece

export type ToThread =
  | { kind: 'read'; job: ReadingJob }
  /** Null at the end. */
  | { kind: 'bytes'; bytes: Uint8Array | null }
  | { kind: 'broken'; message: string }
  | { kind: 'go on' }

export type FromThread =
  /** `file`: its position in the folder; null for a single file. */
  | { kind: 'open'; file: number | null }
  | { kind: 'pull' }
  | { kind: 'close' }
  | { kind: 'piece'; piece: Piece }
  | { kind: 'failed'; message: string; isRefusal: boolean }
  /** Sent on a timer, which a hung thread does not run. */
  | { kind: 'alive' }

export type Reading = Pick<ImportOptions, 'source' | 'bytes' | 'files'>

/** What a thread may use, and how long it may be silent. */
export interface ThreadLimits {
  heapMb: number
  silentMs: number
}

const LIMITS: ThreadLimits = { heapMb: 384, silentMs: 15_000 }
const STOPPED = 'The service was stopped while this file was being read.'
/** How long an idle thread is kept for the next file. */
const IDLE_MS = 10_000

const startReading = ({ heapMb }: ThreadLimits) =>
  startWorker('import-worker', import.meta.url, null, { maxOldGenerationSizeMb: heapMb })

/**
 * Reads files in threads (`import-worker.ts`), so that no file blocks the event loop or crashes the process
 * (docs/decisions/0029). A thread that hangs, dies or is aborted is terminated; any other is reused for the
 * next file.
 */
export class ImportThreads {
  readonly #limits: ThreadLimits
  readonly #startThread: (limits: ThreadLimits) => Worker
  #idle: { worker: Worker; timer: NodeJS.Timeout } | null = null
  #closed = false

  constructor(limits = LIMITS, startThread = startReading) {
    this.#limits = limits
    this.#startThread = startThread
  }

  /** @throws ImportRejected also when the thread was terminated because of the file */
  read(
    job: Pick<ReadingJob, 'format' | 'spoolFolder'>,
    reading: Reading,
    signal: AbortSignal,
  ): AsyncGenerator<ImportPiece> {
    const { source, files } = reading
    const folder = files ? { paths: files.files.map(({ path }) => path), problems: files.problems } : null
    return this.#read<ImportPiece>({ ...job, source, folder }, reading, signal)
  }

  /** Reads the files of a folder one by one. Throws like `read`. */
  readFiles({ files, ...each }: FilesToRead, signal: AbortSignal): AsyncGenerator<FilesPiece> {
    const folder = { paths: files.map(({ path }) => path), problems: [] }
    const scopes = files.map(({ scope }) => scope)
    const job = { format: 'folder', source: '', folder, each: { ...each, scopes }, spoolFolder: '' }
    return this.#read<FilesPiece>(job, { source: '', files: { files: [...files], problems: [] } }, signal)
  }

  async *#read<Read extends Piece>(
    job: ReadingJob,
    reading: Reading,
    signal: AbortSignal,
  ): AsyncGenerator<Read> {
    if (signal.aborted) throw new ImportRejected(STOPPED)
    const worker = this.#take()
    const session = new Session(worker, reading, this.#limits)
    try {
      session.begin(job, signal)
      for (;;) {
        const piece = await session.next()
        yield piece as Read
        if (piece.contentHash !== undefined) return
      }
    } finally {
      session.end()
      if (session.isFinished) this.#keep(worker)
      else await worker.terminate()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const idle = this.#idle
    this.#idle = null
    clearTimeout(idle?.timer)
    await idle?.worker.terminate()
  }

  #take(): Worker {
    const idle = this.#idle
    this.#idle = null
    clearTimeout(idle?.timer)
    return idle?.worker ?? this.#start()
  }

  #start(): Worker {
    const worker = this.#startThread(this.#limits)
    worker.unref()
    // Forgets a thread that dies while idle.
    return worker.on('error', () => this.#forget(worker)).on('exit', () => this.#forget(worker))
  }

  #forget(worker: Worker): void {
    if (this.#idle?.worker !== worker) return
    clearTimeout(this.#idle.timer)
    this.#idle = null
  }

  #keep(worker: Worker): void {
    if (this.#idle || this.#closed) return void worker.terminate()
    const timer = setTimeout(() => {
      this.#forget(worker)
      void worker.terminate()
    }, IDLE_MS)
    this.#idle = { worker, timer: timer.unref() }
  }
}

/** One file or folder being read by a thread. */
class Session {
  /** Whether the thread has finished the file, so that it can read another one. */
  isFinished = false
  readonly #worker: Worker
  readonly #reading: Reading
  #bytes: AsyncIterator<Uint8Array | string> | null = null
  #place: ReadPosition = { file: null, line: 0 }
  readonly #watchdog: Watchdog
  #began = false
  #signal: AbortSignal | null = null
  #settle: { resolve(piece: Piece): void; reject(error: unknown): void } | null = null
  #arrived: Piece | null = null
  #error: unknown = null

  constructor(worker: Worker, reading: Reading, limits: ThreadLimits) {
    this.#worker = worker
    this.#reading = reading
    this.#watchdog = new Watchdog(limits.silentMs, () => this.#fail(this.#refusal('took too long')))
  }

  begin(job: ReadingJob, signal: AbortSignal): void {
    this.#worker.on('message', this.#onMessage).on('error', this.#onError).on('exit', this.#onExit)
    this.#worker.ref()
    this.#watchdog.start()
    signal.addEventListener('abort', this.#onAbort, { once: true })
    this.#signal = signal
    this.#send({ kind: 'read', job })
  }

  end(): void {
    this.#watchdog.stop()
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#worker.off('message', this.#onMessage).off('error', this.#onError).off('exit', this.#onExit)
    this.#worker.unref()
    void this.#closeBytes()
    // Also when the thread never opened it: an upload stays on disk until its stream closes.
    this.#reading.bytes?.destroy()
  }

  /** The next piece; requesting it lets the thread continue. */
  next(): Promise<Piece> {
    return new Promise((resolve, reject) => {
      if (this.#error) return reject(this.#error)
      if (this.#began) this.#send({ kind: 'go on' })
      this.#began = true
      this.#settle = { resolve, reject }
      this.#deliver()
    })
  }

  readonly #onMessage = (message: FromThread): void => {
    this.#watchdog.reset()
    switch (message.kind) {
      case 'open':
        return void this.#open(message.file)
      case 'pull':
        return void this.#pull()
      case 'close':
        return void this.#closeBytes()
      case 'piece':
        this.#place = message.piece.place
        this.#arrived = message.piece
        this.isFinished = message.piece.contentHash !== undefined
        this.#deliver()
        break
      case 'failed':
        this.isFinished = true
        this.#fail(message.isRefusal ? new ImportRejected(message.message) : new Error(message.message))
    }
  }

  readonly #onError = (error: Error & { code?: string }): void => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') this.#fail(this.#refusal('took too much memory'))
    else this.#fail(new Error('the thread that read a file failed', { cause: error }))
  }

  readonly #onAbort = (): void => this.#fail(new ImportRejected(STOPPED))

  readonly #onExit = (): void => this.#fail(new Error('the thread that read a file ended'))

  #refusal(what: string): ImportRejected {
    const { file, line } = this.#place
    return new ImportRejected(
      `Reading ${what} after line ${line}${file === null ? '' : ` of ${file}`}. Nothing was added.`,
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

  async #open(file: number | null): Promise<void> {
    const { bytes, files } = this.#reading
    try {
      const chosen: ImportFile | undefined = file === null ? undefined : files?.files[file]
      const opened = chosen ? await chosen.open() : bytes
      this.#bytes = opened?.[Symbol.asyncIterator]() ?? null
      await this.#pull()
    } catch (error) {
      this.#break(error)
    }
  }

  async #pull(): Promise<void> {
    try {
      const next = await this.#bytes?.next()
      if (!next || next.done) return this.#send({ kind: 'bytes', bytes: null })
      // A copy: a stream's chunk may share memory with other data, which must not be transferred.
      const { value } = next
      const bytes = new Uint8Array(typeof value === 'string' ? Buffer.from(value) : value)
      this.#worker.postMessage({ kind: 'bytes', bytes } satisfies ToThread, [bytes.buffer])
    } catch (error) {
      this.#break(error)
    }
  }

  #break(error: unknown): void {
    this.#send({ kind: 'broken', message: error instanceof Error ? error.message : String(error) })
  }

  async #closeBytes(): Promise<void> {
    const bytes = this.#bytes
    this.#bytes = null
    await bytes?.return?.().catch(() => {})
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message)
  }
}

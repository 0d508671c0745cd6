import type { ChildProcess } from 'node:child_process'
import { type ChildLimits, memoryOf, startChild } from '../../../platform/common/child.js'
import { machineMemory } from '../../../platform/common/machine-memory.js'
import type { FilesPiece, FilesToRead } from './file-pieces.js'
import type { ImportFiles } from './import-files.js'
import type { ImportPiece } from './import-pieces.js'
import { ImportRejected } from './import-source.js'
import type { Piece, ReadingJob } from './reader-messages.js'
import { ReaderSeats } from './reader-seats.js'
import { type Reading, ReadingSession, STOPPED } from './reading-session.js'
import { ReadingTurns } from './reading-turns.js'

/** What a reader may use, how long it may be silent, and how long it may work on one upload. */
export interface ReaderLimits extends ChildLimits {
  silentMs: number
  totalMs?: number
}

const SMALL_MACHINE = 2 * 1024 ** 3
/**
 * What readers may use together, by the memory of the machine: `seats` files are begun at a time. On small machines a second
 * reader never works beside one that takes long, and both stay, with the service, below 512 MB.
 */
export const readersFor = (memory: number): { limits: ReaderLimits; seats: number; besideSlow: boolean } =>
  memory < SMALL_MACHINE
    ? { limits: { heapMb: 112, memoryMb: 176, silentMs: 15_000 }, seats: 2, besideSlow: false }
    : { limits: { heapMb: 192, memoryMb: 288, silentMs: 15_000 }, seats: 8, besideSlow: true }

const TOTAL_MS = 600_000
/** Bytes of a reader beside which another may work. */
const SMALL = 128 * 1024 ** 2
/** How long an idle reader is kept for the next file. Its memory is wanted for the index of the last one. */
const IDLE_MS = 2_000

/** What a reader gets of a folder at first; it asks for the bytes. */
const foldered = ({ files, ...rest }: ImportFiles) => ({ ...rest, paths: files.map(({ path }) => path) })

const startReader = (limits: ReaderLimits) => startChild('reader-worker', import.meta.url, limits)

/**
 * Reads files in processes (`reader-worker.ts`), so that no file blocks the event loop or ends the service
 * (docs/decisions/0029). A process that hangs, dies or is aborted is killed; any other is reused for the next file.
 * Accounts take turns.
 */
export class FileReaders {
  readonly #limits: ReaderLimits
  readonly #start: (limits: ReaderLimits) => ChildProcess
  /** Processes that have begun a file. */
  readonly #working = new Set<ChildProcess>()
  readonly #turns: ReadingTurns
  readonly #seats: ReaderSeats
  #idle: { child: ChildProcess; timer: NodeJS.Timeout } | null = null
  #closed = false

  constructor(limits?: ReaderLimits, start = startReader, memory = machineMemory()) {
    const { seats, besideSlow, ...ours } = readersFor(memory)
    this.#limits = limits ?? ours.limits
    this.#start = start
    this.#turns = new ReadingTurns(() => besideSlow && [...this.#working].every(child => isSmall(child)))
    this.#seats = new ReaderSeats({ most: seats, usedBy: accountId => this.#turns.usedBy(accountId) })
  }

  /** @throws ImportRejected also when the process was killed because of the file */
  read(
    accountId: string,
    job: Pick<ReadingJob, 'format' | 'isGuess' | 'nameColumn' | 'spoolFolder'>,
    reading: Reading,
    signal: AbortSignal,
  ): AsyncGenerator<ImportPiece> {
    const { source, files } = reading
    const folder = files ? foldered(files) : null
    return this.#read<ImportPiece>(accountId, { ...job, source, folder }, reading, signal)
  }

  /** Reads the files of a folder one by one. Throws like `read`. */
  readFiles(
    accountId: string,
    { files, ...each }: FilesToRead,
    signal: AbortSignal,
  ): AsyncGenerator<FilesPiece> {
    const folder = { paths: files.map(({ path }) => path), problems: [] }
    const scopes = files.map(({ scope }) => scope)
    const lineBreaks = files.map(file => file.lineBreaks === true)
    const rest = { ...each, scopes, lineBreaks }
    const job = { format: 'folder', source: '', folder, each: rest, spoolFolder: '' }
    const reading = { source: '', files: { files: [...files], problems: [] } }
    return this.#read<FilesPiece>(accountId, job, reading, signal)
  }

  async *#read<Read extends Piece>(
    accountId: string,
    job: ReadingJob,
    reading: Reading,
    signal: AbortSignal,
  ): AsyncGenerator<Read> {
    const seat = await this.#seats.take(accountId, signal).catch(stopped)
    try {
      const ending = AbortSignal.any([signal, seat.ending.signal])
      yield* this.#pieces<Read>(accountId, job, reading, ending)
    } finally {
      seat.leave()
      // Also when its turn never came: an upload stays on disk until its stream closes.
      reading.bytes?.destroy()
    }
  }

  async *#pieces<Read extends Piece>(
    accountId: string,
    job: ReadingJob,
    reading: Reading,
    signal: AbortSignal,
  ): AsyncGenerator<Read> {
    const endFirst = await this.#turns.take(accountId, signal).catch(stopped)
    const child = this.#take() ?? this.#started()
    this.#working.add(child)
    const session = new ReadingSession(child, reading, this.#limits.silentMs)
    const givenUp = new AbortController()
    const ending = AbortSignal.any([signal, givenUp.signal])
    let leftMs = this.#limits.totalMs ?? TOTAL_MS
    const next = async (endTurn: () => number) => {
      const piece = await session.next().finally(() => {
        leftMs -= endTurn()
      })
      return piece as Read
    }
    try {
      session.begin(job, signal)
      let ahead = next(endFirst)
      for (;;) {
        const piece = await ahead
        if (piece.contentHash !== undefined) return yield piece
        if (leftMs <= 0) throw session.tookTooLong()
        // The reader goes on while this piece is written.
        ahead = this.#turns.take(accountId, ending).catch(stopped).then(next)
        ahead.catch(() => {})
        yield piece
      }
    } finally {
      givenUp.abort(new ImportRejected(STOPPED))
      session.end()
      this.#working.delete(child)
      if (session.isFinished) this.#keep(child)
      else child.kill('SIGKILL')
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#take()?.kill('SIGKILL')
  }

  #take(): ChildProcess | null {
    const idle = this.#idle
    this.#idle = null
    clearTimeout(idle?.timer)
    return idle?.child ?? null
  }

  #started(): ChildProcess {
    const child = this.#start(this.#limits)
    child.unref()
    child.channel?.unref()
    // Forgets one that dies while idle.
    return child.on('error', () => this.#forget(child)).on('exit', () => this.#forget(child))
  }

  #forget(child: ChildProcess): void {
    if (this.#idle?.child !== child) return
    clearTimeout(this.#idle.timer)
    this.#idle = null
  }

  #keep(child: ChildProcess): void {
    if (this.#idle || this.#closed || !isSmall(child, 0)) return void child.kill('SIGKILL')
    const timer = setTimeout(() => {
      this.#forget(child)
      child.kill('SIGKILL')
    }, IDLE_MS)
    this.#idle = { child, timer: timer.unref() }
  }
}

/** @throws the reason of an aborted reading as a sentence */
function stopped(reason: unknown): never {
  throw reason instanceof ImportRejected ? reason : new ImportRejected(STOPPED)
}

/** Whether another reader may work beside this one: both together stay within what one may use. */
const isSmall = (child: ChildProcess, unknown = Number.POSITIVE_INFINITY) =>
  (memoryOf(child) ?? unknown) < SMALL

import type { ChildProcess } from 'node:child_process'
import { machineMemory } from '../../../platform/common/machine-memory.js'
import { AccountTurns } from '../../../platform/limits/account-turns.js'
import { type ChildLimits, memoryOf, processorTimeOf, startChild } from '../../../platform/processes/child.js'
import { Pool } from '../../../platform/processes/pool.js'
import type { FilesPiece, FilesToRead } from './file-pieces.js'
import type { ImportFiles } from './import-files.js'
import type { ImportPiece } from './import-pieces.js'
import type { FromReader, Piece, ReadingJob, ToReader } from './reader-messages.js'
import { ReaderSeats } from './reader-seats.js'
import { type Reading, ReadingSession, stopped } from './reading-session.js'

/** What a reader may use, how long it may be silent, and for how long it may work without getting on. */
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
/** Working time that is given back for each fact, passage and file that was read: several times what they take. */
const PER_STATEMENT_MS = 0.25
const PER_FILE_MS = 5
/** Bytes of a reader beside which another may work. */
const SMALL = 128 * 1024 ** 2
/** How long an idle reader is kept for the next file. Its memory is wanted for the index of the last one. */
const IDLE_MS = 2_000

/** What a reader gets of a folder at first; it asks for the bytes. */
const foldered = ({ files, ...rest }: ImportFiles) => ({ ...rest, paths: files.map(({ path }) => path) })

const startReader = (limits: ReaderLimits) => startChild('reader-worker', import.meta.url, limits)

/**
 * Reads files in processes (`reader-worker.ts`), so that no file blocks the event loop or ends the service
 * (docs/decisions/0029). Accounts take turns.
 */
export class FileReaders {
  readonly #totalMs: number
  readonly #pool: Pool<ToReader, FromReader>
  readonly #turns: AccountTurns
  readonly #seats: ReaderSeats

  constructor(limits?: ReaderLimits, start = startReader, memory = machineMemory()) {
    const { seats, besideSlow, ...ours } = readersFor(memory)
    const { totalMs = TOTAL_MS, ...each } = limits ?? ours.limits
    this.#totalMs = totalMs
    this.#pool = new Pool({
      start: () => start(each),
      silentMs: each.silentMs,
      idleMs: IDLE_MS,
      isWorthKeeping: reader => isSmall(reader, 0),
    })
    this.#turns = new AccountTurns(() => besideSlow && this.#pool.working.every(reader => isSmall(reader)))
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

  /** Ends the readers. */
  close(): Promise<void> {
    return this.#pool.end()
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
    const talk = this.#pool.begin(signal)
    const session = new ReadingSession(talk, reading)
    const givenUp = new AbortController()
    const ending = AbortSignal.any([signal, givenUp.signal])
    let leftMs = this.#totalMs
    let [usedMs, progressMs] = [processorTimeOf(talk.member), 0]
    const next = async (endTurn: () => number) => {
      const piece = await session.next().finally(() => {
        const takenMs = endTurn()
        const before = usedMs
        usedMs = processorTimeOf(talk.member)
        leftMs -= before === null || usedMs === null ? takenMs : usedMs - before
      })
      const progress = progressOf(piece, progressMs)
      leftMs = Math.min(this.#totalMs, leftMs + progress - progressMs)
      progressMs = progress
      return piece as Read
    }
    try {
      session.begin(job)
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
      givenUp.abort()
      session.end()
    }
  }
}

/** The working time that all pieces up to this one are worth. */
const progressOf = (piece: Piece, before: number) =>
  'counts' in piece
    ? (piece.counts.relations + piece.counts.passages) * PER_STATEMENT_MS
    : before + piece.parts.length * PER_FILE_MS

/** Whether another reader may work beside this one: both together stay within what one may use. */
const isSmall = (reader: ChildProcess, unknown = Number.POSITIVE_INFINITY) =>
  (memoryOf(reader) ?? unknown) < SMALL

import type { ChildProcess } from 'node:child_process'
import { AccountTurns } from '../../../platform/limits/account-turns.js'
import { type ChildLimits, machineMemory, memoryOf, startChild } from '../../../platform/processes/child.js'
import { Lost, Pool } from '../../../platform/processes/pool.js'
import type { FilesPiece, FilesToRead } from './file-pieces.js'
import type { ImportPiece, ReadPosition } from './import-pieces.js'
import { ImportRejected } from './import-source.js'
import { unpacked } from './packed-rows.js'
import { ReaderSeats } from './reader-seats.js'
import {
  closed,
  type Piece,
  type Reading,
  ReadingBytes,
  type ReadingJob,
  type ReadingWork,
  type SentPiece,
} from './reading-bytes.js'

/** Memory limit of a reader, maximum silence, and maximum working time without progress. */
export interface ReaderLimits extends ChildLimits {
  silentMs: number
  totalMs?: number
}

const SMALL_MACHINE = 2 * 1024 ** 3
/**
 * Limits of all readers together, by the memory of the machine: at most `seats` files are open at a time. On small machines a second
 * reader never works next to a slow one, and both stay, with the service, below 512 MB. `idleMs`: how long an idle reader
 * is kept for the next file, while its memory is not needed for an index: others save a note every minute.
 */
export const readersFor = (
  memory: number,
): { limits: ReaderLimits; seats: number; besideSlow: boolean; idleMs: number } =>
  memory < SMALL_MACHINE
    ? { limits: { heapMb: 112, memoryMb: 176, silentMs: 15_000 }, seats: 2, besideSlow: false, idleMs: 2_000 }
    : { limits: { heapMb: 192, memoryMb: 288, silentMs: 15_000 }, seats: 8, besideSlow: true, idleMs: 90_000 }

const TOTAL_MS = 600_000
/** Working time granted for each fact, passage and file that was read: several times their usual time. */
const PER_STATEMENT_MS = 0.25
const PER_FILE_MS = 5
/** Maximum memory of a reader, in bytes, that allows another one to work. */
const SMALL = 128 * 1024 ** 2

const startReader = (limits: ReaderLimits) => startChild('reader-worker', import.meta.url, limits)

/**
 * Reads files in processes (`reader-worker.ts`), so that no file blocks the event loop or crashes the service
 * (docs/decisions/0029). Accounts take turns.
 */
export class FileReaders {
  readonly #totalMs: number
  readonly #pool: Pool<ReadingWork>
  readonly #turns: AccountTurns
  readonly #seats: ReaderSeats

  constructor(limits?: ReaderLimits, start = startReader, memory = machineMemory()) {
    const { seats, besideSlow, idleMs, ...ours } = readersFor(memory)
    const { totalMs = TOTAL_MS, ...each } = limits ?? ours.limits
    this.#totalMs = totalMs
    this.#pool = new Pool({
      start: () => start(each),
      silentMs: each.silentMs,
      idleMs,
      isWorthKeeping: reader => isSmall(reader, 0),
      errors: [ImportRejected],
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
    const folder = files && closed(files)
    return this.#read<ImportPiece>(accountId, { ...job, source, folder }, reading, signal)
  }

  /** Reads the files of a folder one by one. Throws like `read`. */
  readFiles(accountId: string, each: FilesToRead, signal: AbortSignal): AsyncGenerator<FilesPiece> {
    const job = { format: 'folder', source: '', each: closed(each), spoolFolder: '' }
    const reading = { source: '', files: { files: [...each.files], problems: [] } }
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
    stop: AbortSignal,
  ): AsyncGenerator<Read> {
    const seat = await this.#seats.take(accountId, stop).catch(reason => {
      throw stoppedFor(reason)
    })
    const givenUp = new AbortController()
    const signal = AbortSignal.any([stop, seat.ending.signal, givenUp.signal])
    const bytes = new ReadingBytes(reading)
    const pieces = this.#pool.run(job, { signal, answer: question => bytes.answer(question) })
    let leftMs = this.#totalMs
    let [usedMs, progressMs] = [0, 0]
    const next = async () => {
      const endTurn = await this.#turns.take(accountId, signal)
      const { value, done } = await pieces.next().finally(endTurn)
      const { piece, usedMs: used } = value
      const progress = progressOf(piece, progressMs)
      leftMs = Math.min(this.#totalMs, leftMs - (used - usedMs) + progress - progressMs)
      usedMs = used
      progressMs = progress
      bytes.place = piece.place
      return { piece: arrived(piece) as Read, done }
    }
    try {
      let ahead = next()
      for (;;) {
        const { piece, done } = await ahead
        if (done) return yield piece
        if (leftMs <= 0) throw new Lost('silent')
        // The reader continues while this piece is written.
        ahead = next()
        ahead.catch(() => {})
        yield piece
      }
    } catch (error) {
      throw signal.aborted && error === signal.reason
        ? stoppedFor(error)
        : refusalOf(error, bytes.place, reading)
    } finally {
      givenUp.abort()
      bytes.end()
      await pieces.return(undefined as never).catch(() => {})
      seat.leave()
      // Also if its turn never came: an upload stays on disk until its stream closes.
      reading.bytes?.destroy()
    }
  }
}

function arrived(piece: SentPiece): Piece {
  if (!('packed' in piece)) return piece
  const { packed, ...rest } = piece
  return { ...rest, rows: unpacked(packed) }
}

/** The working time granted for all pieces up to this one. */
const progressOf = (piece: SentPiece, before: number) =>
  'counts' in piece
    ? (piece.counts.relations + piece.counts.passages) * PER_STATEMENT_MS
    : before + piece.parts.length * PER_FILE_MS

/** Whether another reader may work next to this one: both together stay within the limit of one. */
const isSmall = (reader: ChildProcess, unknown = Number.POSITIVE_INFINITY) =>
  (memoryOf(reader) ?? unknown) < SMALL

/** The reason why a file was not read to its end. */
const stoppedFor = (reason: unknown) =>
  reason instanceof ImportRejected
    ? reason
    : new ImportRejected('The service was stopped while this file was being read.')

/** The error of a failed reader, with its position. */
function refusalOf(error: unknown, { file, line }: ReadPosition, { source }: Reading): unknown {
  if (!(error instanceof Lost)) return error
  if (error.how === 'stopped') return stoppedFor(error)
  if (error.how !== 'silent' && error.how !== 'memory')
    return new Error('the process that read a file was lost', { cause: error })
  const remedy = error.how === 'memory' ? SPLIT : ''
  const after = line > 0 ? ` after line ${line}` : ''
  return new ImportRejected(`Reading ${file ?? source} ${error.what}${after}. Nothing was added.${remedy}`)
}

const SPLIT = ' Split the file into smaller ones and add those.'

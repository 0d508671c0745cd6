import { addAbortSignal } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { LimitFunction } from 'p-limit'
import { DomainError } from '../../../platform/common/domain-error.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import type { SafesShared } from '../dependencies.js'
import { safeErrors, TOO_LARGE } from '../errors.js'
import type { Indexes } from '../index/indexes.js'
import type { BadLine, Import, ImportOptions, ImportReport } from '../safe.js'
import { rowsOf } from '../safe.js'
import { NO_DOCUMENTS, type RowBatch } from '../stores/types.js'
import { newReport } from './begin-import.js'
import { compare } from './compare.js'
import { dropRows, WORK_LEASE_MS } from './dropping.js'
import type { ImportLimiter } from './import-limiter.js'
import type { ImportPiece } from './import-pieces.js'
import { ImportRejected } from './import-source.js'
import { badLinesText, tooManyRows } from './report-text.js'

const BAD_LINES_KEPT = 20
/** A file with this many bad lines is not read further. */
const BAD_LINES_READ = 1000
const PROGRESS_MS = 500
/** Bytes after which the contents of a file are estimated. */
const SAMPLE_BYTES = 1024 ** 2
/** A file is not read further if its estimate exceeds the limit of an index by this factor. */
const EXPECTED = 1.1
const RENEW_MS = WORK_LEASE_MS / 3
/** Retry interval while the database is unavailable. */
const AGAIN_MS = 1000

/** How long a staged import waits for its owner's approval. */
const OWNER_LEASE_MS = 3_600_000

type ImportDependencies = Pick<SafesShared, 'imports' | 'listedImports' | 'indexes' | 'clock' | 'onError'>

type ReadingDependencies = ImportDependencies &
  Pick<SafesShared, 'contents' | 'documents' | 'readers' | 'spoolFolder'> & {
    /** Limits concurrent comparisons, which need memory. */
    comparing: LimitFunction
    limiter: ImportLimiter
  }

/**
 * Reads the file into staged rows, then commits it or leaves it waiting (GRAPH §1). A file with bad lines, no
 * statements or bytes that are not text fails, and nothing is stored.
 */
export async function readImport(
  dependencies: ReadingDependencies,
  accountId: string,
  begun: Import,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<Import> {
  const { safeId, id } = begun
  const run = new ImportRun(dependencies, begun, options, signal)
  if (options.bytes) addAbortSignal(signal, options.bytes)
  try {
    const contentHash = await run.read(accountId)
    const leaseUntil = dependencies.clock() + OWNER_LEASE_MS
    if (!(await dependencies.imports.finish(safeId, id, contentHash, { leaseUntil, report: run.report }))) {
      throw new ImportRejected(UNDONE_WHILE_READING)
    }
  } catch (error) {
    const isRefusal = error instanceof ImportRejected || error instanceof DomainError
    const problem = isRefusal ? error.message : 'Reading the file was interrupted.'
    await retryUntilAvailable(() => refuse(dependencies, begun, run.report, problem, signal), signal)
    if (!isRefusal && !run.isSourceBroken) throw error
    return { ...begun, ...run.report, status: 'failed', problem }
  }
  if (options.commit) return commitImport(dependencies, accountId, begun, signal, Number.POSITIVE_INFINITY)
  return { ...begun, ...run.report, status: 'staged' }
}

/**
 * Makes a staged import visible, if possible with its index ready (GRAPH §1), for which it waits up to
 * `patienceMs`. If the same bytes are already in the Safe, the import fails with a sentence that says so.
 * @throws DomainError 409 when the import is not waiting for approval
 */
export async function commitImport(
  dependencies: ImportDependencies,
  accountId: string,
  { safeId, id: importId }: Pick<Import, 'safeId' | 'id'>,
  signal: AbortSignal,
  patienceMs: number,
): Promise<Import> {
  const { imports, indexes, listedImports, clock } = dependencies
  // For a duplicate, building an index would be wasted work and would evict the current one.
  const isNew = (await imports.findSame(safeId, importId)) === null
  const before = await listedImports.find(safeId, importId)
  const preparing =
    isNew && before && indexes.prepare(safeId, { id: importId, rows: rowsOf(before.counts) }, accountId)
  const prepared = preparing ? await prepare(dependencies, preparing, signal, patienceMs) : undefined
  if (before && prepared instanceof DomainError) {
    await refuse(dependencies, before, before, prepared.message, signal)
    return { ...before, status: 'failed', problem: prepared.message }
  }
  const result = before && (await imports.commit(safeId, importId, clock()))
  if (!result) throw safeErrors.notStaged()
  if (result === 'committed') {
    // The import is committed now, so a later error must not make it look failed.
    if (typeof prepared === 'function') await prepared().catch(dependencies.onError)
    const now = await listedImports.find(safeId, importId).catch(dependencies.onError)
    return now ?? { ...before, status: 'committed' }
  }
  const now = (await listedImports.find(safeId, importId)) ?? before
  const problem = `The Safe already contains this file, as import ${result.sameAs}. Nothing was changed.`
  const refused = { ...now, sameAs: result.sameAs }
  await refuse(dependencies, now, refused, problem, signal)
  return { ...refused, status: 'failed', problem }
}

/**
 * If the index is not ready in time, it is built for the first question; the import still succeeds. Returns the error if
 * the Safe would be too large.
 */
async function prepare(
  { onError }: ImportDependencies,
  ready: ReturnType<Indexes['prepare']>,
  signal: AbortSignal,
  patienceMs: number,
) {
  const preparing = ready.catch(error => {
    if (error instanceof DomainError && error.code === TOO_LARGE) return error
    if (!signal.aborted) onError(error)
  })
  if (patienceMs === Number.POSITIVE_INFINITY) return preparing
  return Promise.race([preparing, pause(patienceMs, undefined, { ref: false })])
}

/** Part of the report of a refused import. */
const KEPT = [
  ...(['counts', 'badLineCount', 'badLines', 'bytesRead', 'bytesTotal'] as const),
  ...(['sameAs', 'leftOut', 'remarks', 'tables', 'format'] as const),
]

async function refuse(
  dependencies: ImportDependencies,
  { safeId, id }: Import,
  said: ImportReport,
  problem: string,
  signal: AbortSignal,
): Promise<void> {
  const kept = Object.fromEntries(KEPT.map(member => [member, said[member]]))
  const report = { ...kept, problem } as unknown as ImportReport
  const leaseUntil = dependencies.clock() + WORK_LEASE_MS
  if (await dependencies.imports.fail(safeId, id, { leaseUntil, report }))
    await dropRows(dependencies, safeId, [id, id], signal)
}

/** Retries until the database is back: an interrupted import would appear to be still in progress. */
async function retryUntilAvailable(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Unavailable) || signal.aborted) throw error
    }
    await pause(AGAIN_MS)
  }
}

const UNDONE_WHILE_READING = 'The import was undone, or its Safe removed, while it was being read.'

/** One pass over one file. */
class ImportRun {
  readonly report: ImportReport
  /** Whether reading the file failed, rather than writing to the database. */
  isSourceBroken = false
  readonly #dependencies: ReadingDependencies
  readonly #begun: Import
  readonly #options: ImportOptions
  readonly #signal: AbortSignal
  #reportedAt = 0
  #rowsBefore = 0

  constructor(dependencies: ReadingDependencies, begun: Import, options: ImportOptions, signal: AbortSignal) {
    this.#dependencies = dependencies
    this.#begun = begun
    this.#options = options
    this.#signal = signal
    this.report = newReport(options.bytesTotal ?? null)
    this.isSourceBroken = Boolean(options.bytes?.errored)
    options.bytes?.once('error', () => {
      this.isSourceBroken = true
    })
  }

  /**
   * Stages the whole file when it is the account's turn, and compares it with the Safe if its owner will
   * decide. Returns the SHA-256 of its bytes, hex. @throws ImportRejected
   */
  async read(accountId: string): Promise<string> {
    const renewing = setInterval(() => void this.#renew().catch(() => {}), RENEW_MS)
    try {
      return await this.#dependencies.limiter.run(accountId, this.#signal, async () => {
        const contentHash = await this.#readPieces(accountId)
        this.#check()
        if (!this.#options.commit) await this.#compare()
        return contentHash
      })
    } finally {
      clearInterval(renewing)
    }
  }

  async #compare(): Promise<void> {
    const { safeId, id } = this.#begun
    const staged = { id, counts: this.report.counts }
    this.report.comparison = await this.#dependencies.comparing(() =>
      compare(this.#dependencies, safeId, staged, this.#signal),
    )
  }

  /** @throws ImportRejected */
  #check(): void {
    const { badLineCount, counts } = this.report
    if (badLineCount > 0 && !this.#options.skipBad) {
      throw new ImportRejected(`${badLinesText(badLineCount)}; nothing was added.`)
    }
    if (rowsOf(counts) === 0) throw new ImportRejected('This file contains nothing to import.')
  }

  async #readPieces(accountId: string): Promise<string> {
    const { contents, readers, spoolFolder } = this.#dependencies
    const before = await contents.committedImports(this.#begun.safeId)
    this.#rowsBefore = before ? rowsOf(before.counts) : 0
    let contentHash = ''
    const { format, files, nameColumn } = this.#options
    const isGuess = format === undefined && files === undefined
    const named = nameColumn === undefined ? {} : { nameColumn }
    const job = { format: this.#begun.format, isGuess, ...named, spoolFolder }
    for await (const piece of readers.read(accountId, job, this.#options, this.#signal)) {
      await this.#stage(piece)
      contentHash = piece.contentHash ?? ''
    }
    return contentHash
  }

  async #stage(piece: ImportPiece): Promise<void> {
    const { rows, badLines, counts, bytesRead, report } = piece
    Object.assign(this.report, { bytesRead }, report)
    for (const line of badLines) this.#addBadLine(line)
    await this.#write(rows, counts)
    this.#checkSize()
  }

  #addBadLine(line: BadLine) {
    const { badLines } = this.report
    this.report.badLineCount++
    if (badLines.length < BAD_LINES_KEPT) badLines.push(line)
    if (this.report.badLineCount >= BAD_LINES_READ && !this.#options.skipBad) {
      throw new ImportRejected(`Reading stopped after ${BAD_LINES_READ} bad lines; nothing was added.`)
    }
  }

  /** Refuses a file that exceeds the limits of an index, if possible early. @throws ImportRejected */
  #checkSize(): void {
    const { counts, bytesRead, bytesTotal } = this.report
    const statements = counts.relations + counts.passages
    const expected = bytesRead >= SAMPLE_BYTES ? (statements * (bytesTotal ?? 0)) / bytesRead : 0
    const { maxRows } = this.#dependencies.indexes
    const rows = this.#rowsBefore + counts.entities + statements
    if (rows > maxRows || this.#rowsBefore + expected > EXPECTED * maxRows)
      throw new ImportRejected(tooManyRows(Math.max(expected, counts.entities + statements), maxRows))
  }

  /** After a bad line that may not be skipped, the rest is only checked. */
  async #write(rows: RowBatch | null, counts: ImportPiece['counts']): Promise<void> {
    const { safeId, id } = this.#begun
    const doomed = this.report.badLineCount > 0 && !this.#options.skipBad
    if (rows && !doomed) {
      const due = this.#progressIsDue()
      const leaseUntil = this.#dependencies.clock() + WORK_LEASE_MS
      const lease = { leaseUntil, ...(due ? { report: this.report } : {}) }
      const entities = await this.#dependencies.imports.append(safeId, id, rows, lease)
      if (entities === null) throw new ImportRejected(UNDONE_WHILE_READING)
      this.report.counts.entities += entities
      Object.assign(this.report.counts, counts)
      const documents = rows.documents.filter(({ kind }) => !NO_DOCUMENTS.includes(kind)).length
      this.report.documents = (this.report.documents ?? 0) + documents
      if (due) this.#options.onProgress?.({ ...this.#begun, ...this.report })
    }
    if (rows) await this.#dependencies.imports.giveWay()
  }

  #renew(): Promise<boolean> {
    const { safeId, id } = this.#begun
    const leaseUntil = this.#dependencies.clock() + WORK_LEASE_MS
    return this.#dependencies.imports.renew(safeId, id, { leaseUntil })
  }

  #progressIsDue(): boolean {
    const now = performance.now()
    if (now - this.#reportedAt < PROGRESS_MS) return false
    this.#reportedAt = now
    return true
  }
}

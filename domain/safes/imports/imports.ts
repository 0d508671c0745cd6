import pLimit from 'p-limit'
import { notFound } from '../../../platform/common/domain-error.js'
import { Part } from '../../part.js'
import { importEntry } from '../activity-entries.js'
import type { SafesShared } from '../dependencies.js'
import { safeErrors } from '../errors.js'
import { forReaders, requireOwner, requireReader } from '../membership.js'
import type { Import, ImportOptions, ListOptions, OpenImport, UndoneImport } from '../safe.js'
import { ConcurrencyLimit } from '../uploads/concurrency-limit.js'
import { beginImport } from './begin-import.js'
import { dropRows, RESTORABLE_MS, WORK_LEASE_MS } from './dropping.js'
import { commitImport, readImport } from './import.js'
import { ImportLimiter } from './import-limiter.js'
import { IMPORT_FORMATS } from './import-source.js'
import { measuredRead } from './measured-read.js'

/** How long approving an import waits for its index. */
const DECISION_PATIENCE_MS = 2000
/** Maximum files of an account that wait while one is read. */
const MAX_WAITING = 20
/** How long rejected imports are listed. */
const OPEN_SHOWN_MS = 7 * 86_400_000

type ImportsDependencies = Pick<
  SafesShared,
  | 'safes'
  | 'imports'
  | 'listedImports'
  | 'contents'
  | 'documents'
  | 'indexes'
  | 'readers'
  | 'work'
  | 'activity'
  | 'clock'
  | 'spoolFolder'
  | 'onError'
>

/**
 * Files added to Safes, or waiting for approval. Every method throws `notFound` for Safes that the account may not
 * read; methods that change something throw 403 for readers. `connectionId`: the connection that calls, for the activity.
 */
export class Imports extends Part<ImportsDependencies> {
  /** The values of `ImportOptions.format`, for people to choose from. */
  readonly formats = IMPORT_FORMATS
  /** Newest first; 100 by default. */
  readonly list = forReaders(this.dependencies, 'listedImports', 'list')
  readonly find = forReaders(this.dependencies, 'listedImports', 'find')
  readonly #limiter = new ImportLimiter()
  /** The files that wait, or are read. */
  readonly #started = new ConcurrencyLimit(MAX_WAITING + 1, () => safeErrors.tooManyWaiting(MAX_WAITING))
  readonly #comparing = pLimit(1)

  /** Reads a file into a staged import. Resolves when it is staged, committed or failed; bad lines do not throw. */
  async add(accountId: string, safeId: string, options: ImportOptions): Promise<Import> {
    await requireOwner(this.dependencies.safes, accountId, safeId)
    const begun = await beginImport(this.dependencies, accountId, safeId, options)
    return this.dependencies.work.during(this.#read(accountId, begun, options))
  }

  /**
   * Starts `add` and resolves as soon as its row exists, so that a page can show the progress.
   * @throws DomainError 429 when too many files of the account are waiting
   */
  async start(accountId: string, safeId: string, options: ImportOptions): Promise<Import> {
    const { safes, work } = this.dependencies
    await requireOwner(safes, accountId, safeId)
    const leave = this.#started.enter(accountId)
    const begun = await beginImport(this.dependencies, accountId, safeId, options).catch(error => {
      leave()
      throw error
    })
    work.start(async () => {
      let isDone = false
      try {
        await this.#read(accountId, begun, options)
        isDone = !work.signal.aborted
      } finally {
        leave()
        await options.onEnd?.(isDone)
      }
    })
    return begun
  }

  /** Makes a staged import visible. */
  async commit(accountId: string, safeId: string, importId: number, connectionId?: string): Promise<Import> {
    const { safes, work } = this.dependencies
    await requireOwner(safes, accountId, safeId)
    const staged = { safeId, id: importId }
    const committing = commitImport(this.dependencies, accountId, staged, work.signal, DECISION_PATIENCE_MS)
    const item = await work.during(committing)
    await this.#recordResult(accountId, item, connectionId)
    return item
  }

  /**
   * Drops a staged or failed import, or undoes a committed one, which can then be restored for 7 days (ADR 45).
   * @throws DomainError 409 when it has been merged with others
   */
  async undo(accountId: string, safeId: string, importId: number, connectionId?: string): Promise<void> {
    const { safes, imports, listedImports, activity, clock, work } = this.dependencies
    await requireOwner(safes, accountId, safeId)
    const now = clock()
    const item = await listedImports.find(safeId, importId)
    const outcome = await imports.undo(safeId, importId, now + WORK_LEASE_MS, now + RESTORABLE_MS)
    if (outcome === null) throw notFound('import')
    if (outcome === 'kept' && item) activity.record(importEntry('undone', accountId, item, connectionId))
    if (outcome === 'kept') return
    if (outcome !== 'dropped' && 'laterRun' in outcome)
      throw outcome.laterRun === null ? safeErrors.oldRun() : safeErrors.laterRun(outcome.laterRun)
    if (outcome !== 'dropped')
      throw safeErrors.merged(new Date(outcome.mergedBefore).toISOString().slice(0, 10))
    work.start(() => dropRows(this.dependencies, safeId, [importId, importId], work.signal))
  }

  /**
   * Makes an undone import visible again, in its old position among the others. @throws notFound if it cannot be
   * restored (any more), DomainError 409 when the same file has been added since
   */
  async restore(accountId: string, safeId: string, importId: number, connectionId?: string): Promise<void> {
    const { safes, imports, listedImports, activity, clock } = this.dependencies
    await requireOwner(safes, accountId, safeId)
    const outcome = await imports.restore(safeId, importId, clock())
    if (outcome === null) throw notFound('import')
    if (outcome !== 'restored') throw safeErrors.addedSince(outcome.sameAs)
    const item = await listedImports.find(safeId, importId)
    if (item) activity.record(importEntry('restored', accountId, item, connectionId))
  }

  /** Undone imports that can be restored, newest first; 100 by default. */
  async undone(accountId: string, safeId: string, page?: ListOptions<number>): Promise<UndoneImport[]> {
    const { safes, listedImports, clock } = this.dependencies
    await requireReader(safes, accountId, safeId)
    return listedImports.undone(safeId, clock(), page)
  }

  /** Imports of the last 7 days that wait for a decision of this account or were rejected, newest first. */
  open(accountId: string, limit: number): Promise<OpenImport[]> {
    const { listedImports, clock } = this.dependencies
    return listedImports.open(accountId, clock() - OPEN_SHOWN_MS, limit)
  }

  async #read(accountId: string, begun: Import, options: ImportOptions): Promise<Import> {
    const reading = { ...this.dependencies, limiter: this.#limiter, comparing: this.#comparing }
    const item = await measuredRead(
      'file',
      () => readImport(reading, accountId, begun, options, this.dependencies.work.signal),
      ({ status }) => (status === 'committed' || status === 'staged' ? status : 'failed'),
    )
    await this.#recordResult(accountId, item, options.connectionId)
    return item
  }

  /** Records that an import was added or rejected, unless its owner has stopped it. */
  async #recordResult(accountId: string, item: Import, connectionId: string | null = null): Promise<void> {
    const { listedImports, activity } = this.dependencies
    const { safeId, id, source, status } = item
    if (status === 'committed') activity.record(importEntry('imported', accountId, item, connectionId))
    if (status === 'failed' && (await listedImports.find(safeId, id)))
      activity.record({ kind: 'import-failed', accountId, safeId, detail: source, connectionId })
  }
}

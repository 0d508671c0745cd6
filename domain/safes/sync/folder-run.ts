import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { SafesShared } from '../dependencies.js'
import { safeErrors } from '../errors.js'
import { newReport } from '../imports/begin-import.js'
import { PAUSE_MS, WORK_LEASE_MS } from '../imports/dropping.js'
import { isNote } from '../imports/import-files.js'
import { ImportRejected } from '../imports/import-source.js'
import type { BadLine, FailedFile, Import, ImportReport, LeftOut, SyncReport, SyncRun } from '../safe.js'
import { RUN_KINDS, type RunCounts, runCounts } from '../safe.js'
import type { VersionBatch } from '../stores/sync.sql.js'
import type { Claim } from '../stores/synced-rows.js'
import { type KnownFile, MAX_ROWS } from '../stores/types.js'
import { badFile, FilesRead } from './files-read.js'
import { declaredHashes, knownAs, type LastFolder, requireMostRemain, toReadIn } from './known-files.js'
import { type FilePair, type FoundFile, type Plan, planOf, suspectsOf } from './plan.js'

/** How long a run holds its folder without renewing its claim. After a crash the next run waits this long. */
export const HOLD_MS = 10_000
/** A file changed this recently may change again within the same tick of the file system's clock. */
const RECENT_MS = 2_000
const FAILED_KEPT = 200
const MAX_NAME_LENGTH = 200

/** The options of a run. */
export type RunDependencies = Pick<
  SafesShared,
  'imports' | 'sync' | 'syncedFolders' | 'indexes' | 'readers' | 'clock' | 'onError'
> & { lastFolder: LastFolder }

export interface SyncOptions {
  /** Unique within the Safe. */
  name: string
  /** The location of the folder, for people. */
  folder: string
  /** Finds the files; called once the folder is held. */
  walk(): Promise<{ files: FoundFile[]; leftOut: LeftOut }>
  /** Also if the folder was elsewhere before, or if most files are missing. */
  confirmed?: boolean
  /** Called with the files that will be read, before anything is written. It may throw to end the run. */
  onPlan?: (toRead: readonly FoundFile[]) => void
  /** The connection that runs it, for the activity. */
  connectionId?: string
  /** The author of its content, if not the account. */
  by?: string
  onProgress?: (read: number, toRead: number) => void
  /** Called when a file that was found is no longer there. */
  onMissing?: () => void
}

/** Result of a run; `item` is its import, or null if nothing changed. */
export interface RunResult {
  report: SyncReport
  item: Import | null
}

/** One run over one folder. */
export class FolderRun {
  readonly #dependencies: RunDependencies
  readonly #claim: Claim
  readonly #accountId: string
  readonly #options: SyncOptions
  readonly #signal: AbortSignal
  readonly #startedAt: number
  /** Files that cannot be read, by path. */
  readonly #failed = new Map<string, FailedFile>()
  #remarks: BadLine[] = []
  #begun: Import | null = null

  constructor(
    dependencies: RunDependencies,
    claim: Claim,
    accountId: string,
    options: SyncOptions,
    signal: AbortSignal,
  ) {
    this.#dependencies = dependencies
    this.#claim = claim
    this.#accountId = accountId
    this.#options = options
    this.#signal = signal
    this.#startedAt = dependencies.clock()
  }

  /** @throws DomainError 409, ClaimLost */
  async run(): Promise<RunResult> {
    const renewing = setInterval(() => void this.#renew().catch(() => {}), HOLD_MS / 3)
    try {
      while (await this.#dependencies.sync.mendSome(this.#claim, this.#until)) await pause(PAUSE_MS)
      const { files, leftOut } = await this.#options.walk()
      const { lastFolder, syncedFolders } = this.#dependencies
      const known = await lastFolder.take(syncedFolders, this.#claim)
      const plan = planOf(known, files, await this.#hashes(known, files))
      if (!this.#options.confirmed) requireMostRemain(this.#options.name, plan, known, files)
      this.#options.onPlan?.(toReadIn(plan).map(({ found }) => found))
      await this.#touch(plan)
      const isEmpty = RUN_KINDS.every(kind => plan[kind].length === 0)
      const item = isEmpty ? null : await this.#write(plan, files, known)
      const report: SyncReport = {
        ...runCounts(kind => item?.sync?.[kind] ?? 0),
        run: item?.id ?? null,
        failedCount: this.#failed.size,
        failed: [...this.#failed.values()].slice(0, FAILED_KEPT),
        ...(this.#remarks.length > 0 ? { remarks: this.#remarks } : {}),
        leftOut,
      }
      await this.#dependencies.sync.end(this.#claim, this.#dependencies.clock(), report)
      lastFolder.keep(this.#claim, item?.id ?? this.#claim.visibleRun, known)
      return { report, item }
    } catch (error) {
      await this.#giveUp(error).catch(this.#dependencies.onError)
      throw error
    } finally {
      clearInterval(renewing)
    }
  }

  /** Hashes of the suspects; null for files that cannot be read, or could not and have not changed since. */
  async #hashes(known: ReadonlyMap<string, KnownFile>, files: readonly FoundFile[]) {
    const { hashes, failed } = declaredHashes(files, this.#claim.report)
    for (const file of failed) this.#failed.set(file.path, file)
    for (const file of suspectsOf(known, files)) {
      if (hashes.has(file.path)) continue
      if (this.#signal.aborted) throw safeErrors.stopped()
      const hash = await this.#hashOf(file).catch((error: Error) =>
        this.#fail(file, [badFile(file, error.message)]),
      )
      hashes.set(file.path, hash ?? null)
    }
    return hashes
  }

  async #hashOf(file: FoundFile): Promise<string> {
    const hash = createHash('sha256')
    for await (const some of await this.#opened(file)) hash.update(some)
    return hash.digest('base64url')
  }

  #opened({ open }: Pick<FoundFile, 'open'>) {
    return open().catch(error => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.#options.onMissing?.()
      throw error
    })
  }

  #fail({ path, size, modifiedAt, contentHash }: FoundFile, badLines: BadLine[]): void {
    const known = contentHash === undefined ? {} : { contentHash }
    this.#failed.set(path, { path, size, modifiedAt: this.#certainTime(modifiedAt), ...known, badLines })
  }

  /** The time of a file's content, or 0 if it may still change without a new time. */
  #certainTime(modifiedAt: number): number {
    return modifiedAt > this.#startedAt - RECENT_MS ? 0 : modifiedAt
  }

  async #touch({ touched }: Plan): Promise<void> {
    const files = touched.flatMap(({ found, known }) => {
      const modifiedAt = this.#certainTime(found.modifiedAt)
      return known && known.modifiedAt !== modifiedAt ? [Object.assign(known, { modifiedAt })] : []
    })
    for (const some of slices(files)) await this.#dependencies.sync.touch(this.#claim, some, this.#until)
  }

  /** Reads what has changed, makes it visible and enters it in `knownNow`. Null if no file could be read. */
  async #write(
    plan: Plan,
    files: readonly FoundFile[],
    knownNow: Map<string, KnownFile>,
  ): Promise<Import | null> {
    const { imports, sync, clock } = this.#dependencies
    const { safeId } = this.#claim
    const begun = await imports.begin(safeId, {
      source: this.#options.name.slice(0, MAX_NAME_LENGTH),
      format: 'sync',
      createdBy: this.#accountId,
      at: clock(),
      leaseUntil: clock() + WORK_LEASE_MS,
      report: newReport(null),
    })
    this.#begun = begun
    const toRead = toReadIn(plan)
    const first = await sync.begin(this.#claim, begun.id, toRead.length, this.#until)
    const notes = files.map(({ path }) => path).filter(isNote)
    const reading = new FilesRead(toRead, first, found => this.#certainTime(found.modifiedAt))
    await this.#read(reading, notes)
    for (const [file, badLines] of reading.failed) this.#fail(file, badLines)
    this.#remarks = reading.remarks
    const read = (pairs: readonly FilePair[]) => pairs.filter(({ found }) => !reading.failed.has(found))
    const good = read(toRead)
    if (good.length === 0 && plan.removed.length === 0) {
      await this.#giveUp(new ImportRejected('No file could be read.'))
      return null
    }
    const replaced = [...good.flatMap(({ known }) => known ?? []), ...plan.removed]
    const ids = replaced.map(({ id }) => id)
    for (const some of slices(ids)) await sync.replace(this.#claim, begun.id, some, this.#until)
    const counts = runCounts(kind => (kind === 'removed' ? plan.removed : read(plan[kind])).length)
    const rows = [...reading.read.values()].reduce((sum, one) => sum + 1 + one.relations + one.passages, 0)
    const shown = await this.#show(begun, counts, rows)
    for (const { path } of replaced) knownNow.delete(path)
    for (const [found, version] of reading.read) knownNow.set(found.path, knownAs(found, version))
    return shown
  }

  /**
   * Reads the files in a process. If it hangs or dies, they are read again one by one, so that only the file that is
   * the reason fails.
   */
  async #read(reading: FilesRead, notes: readonly string[]): Promise<void> {
    const { readers } = this.#dependencies
    for (let oneByOne = false; reading.left.size > 0; oneByOne = true) {
      const left = [...reading.left]
      const files = left.map(at => {
        const file = reading.file(at, this.#claim.folder)
        return { ...file, open: () => this.#opened(file) }
      })
      try {
        for await (const piece of readers.readFiles(
          this.#accountId,
          { files, notes, oneByOne },
          this.#signal,
        )) {
          await this.#append(reading.take(piece, left))
          this.#options.onProgress?.(reading.count - reading.left.size, reading.count)
        }
      } catch (error) {
        if (!(error instanceof ImportRejected) || this.#signal.aborted) throw error
        if (oneByOne) await this.#append(reading.refuse(error.message))
      }
    }
  }

  async #append(batch: VersionBatch): Promise<void> {
    const { batches, begun, ended } = batch
    if (batches.length + begun.length + ended.length === 0) return
    await this.#dependencies.sync.append(this.#claim, this.#begun?.id ?? 0, batch, this.#until)
    await this.#dependencies.sync.giveWay()
  }

  /** Makes everything that was read visible, and the replaced versions invisible, with the index ready. */
  async #show(begun: Import, run: RunCounts, rows: number): Promise<Import> {
    const { imports, indexes, syncedFolders, clock, onError } = this.#dependencies
    const { safeId, folder, visibleRun, counts } = this.#claim
    const after = await syncedFolders.countsAt(this.#claim, begun.id)
    const { by } = this.#options
    const before = { run: visibleRun, ...counts }
    const shown: SyncRun = { ...run, folder, before, after, ...(by === undefined ? {} : { by }) }
    const report: ImportReport = {
      ...newReport(null),
      counts: {
        entities: after.entities - counts.entities,
        relations: after.relations - counts.relations,
        passages: after.passages - counts.passages,
      },
      sync: shown,
    }
    const hash = createHash('sha256').update(`${safeId} ${begun.id} ${this.#claim.holder}`).digest('hex')
    const lease = { leaseUntil: clock() + WORK_LEASE_MS, report }
    if (!(await imports.finish(safeId, begun.id, hash, lease))) throw this.#changed()
    const prepared = await indexes.prepare(safeId, { id: begun.id, rows }, this.#accountId).catch(error => {
      if (!this.#signal.aborted) onError(error)
    })
    if ((await imports.commit(safeId, begun.id, clock())) !== 'committed') throw this.#changed()
    this.#begun = null
    // The run is visible now, so a later error must not make it look failed.
    await prepared?.().catch(onError)
    return { ...begun, ...report, status: 'committed' }
  }

  /** Ends the import as failed; the next run drops what it wrote. */
  async #giveUp(error: unknown): Promise<void> {
    const begun = this.#begun
    if (!begun) return
    this.#begun = null
    const problem = error instanceof ImportRejected ? error.message : 'The run was interrupted.'
    const report = { ...newReport(null), problem }
    await this.#dependencies.imports.fail(begun.safeId, begun.id, { leaseUntil: 0, report })
  }

  #changed = () => safeErrors.folderChanged(this.#options.name)

  async #renew(): Promise<void> {
    const { sync, imports, clock } = this.#dependencies
    await sync.renew(this.#claim, this.#until)
    const begun = this.#begun
    if (begun) await imports.renew(begun.safeId, begun.id, { leaseUntil: clock() + WORK_LEASE_MS })
  }

  get #until(): number {
    return this.#dependencies.clock() + HOLD_MS
  }
}

function* slices<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += MAX_ROWS) yield items.slice(at, at + MAX_ROWS)
}

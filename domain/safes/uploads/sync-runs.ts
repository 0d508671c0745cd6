import { setTimeout as sleep } from 'node:timers/promises'
import { DomainError } from '../../../platform/common/domain-error.js'
import { Part } from '../../part.js'
import type { LeftOut, SyncReport } from '../safe.js'
import type { UploadRow, UploadStore } from '../stores/upload.sql.js'
import type { FoundFile } from '../sync/plan.js'
import type { SyncedFolders } from '../sync/synced-folders.js'
import { ContentsMissing, uploadErrors } from './errors.js'
import { filesRead, type ManifestFile, readManifest } from './manifest.js'
import { RunFolder, type SentContent } from './run-folder.js'
import type { Uploads } from './uploads.js'

/** The location of the folder, for people, and whether its user has confirmed what must be confirmed. */
interface RunOptions {
  name: string
  folder: string
  confirmed: boolean
}

/** A run whose contents arrive from elsewhere. */
export interface SentRun {
  id: string
  name: string
  status: 'open' | 'running' | 'done' | 'failed'
  files: number
  /** SHA-256, hex, of the contents that have not arrived. */
  wanted: string[]
  read: number
  toRead: number
  report: SyncReport | null
  problem: { code: string; message: string } | null
  expiresAt: number
}

/** The end of a run, as its sender requests it. */
interface Finishing {
  confirmed: boolean
  leftOut: LeftOut
  connectionId: string
}

/** The stored state of a run. */
interface StoredRun {
  folder: string
  confirmed: boolean
  files: number
  /** Files of formats that are not read. */
  others: number
  /** Once it has ended. */
  report?: SyncReport
}

/** The run while this process writes it, or the error. */
interface Attempt {
  read: number
  toRead: number
  error: Error | null
  ended: Promise<void> | null
}

interface SyncRunsDependencies {
  uploads: Uploads
  store: UploadStore
  folders: SyncedFolders
  onError: (error: unknown) => void
}

/**
 * Runs of synced folders whose files arrive over the network (ADR 57). Until it is finished, a run is only a list of
 * files and some contents in a folder of its own; it holds no lease and writes nothing. Callers check that the account
 * may fill the Safe.
 */
export class SyncRuns extends Part<SyncRunsDependencies> {
  readonly #attempts = new Map<string, Attempt>()

  /** @throws DomainError 400, 409, 413, 429 */
  async start(
    accountId: string,
    safeId: string,
    { name, folder, confirmed }: RunOptions,
    manifest: AsyncIterable<Uint8Array>,
  ): Promise<SentRun> {
    const { uploads, folders } = this.dependencies
    const listed = await readManifest(manifest)
    const files = filesRead(listed)
    const found = files.map(file => new RunFolder('').file(file))
    const toRead = await folders.filesToSync(accountId, safeId, { name, folder, confirmed }, found)
    const wanted = wantedOf(toRead, files)
    const bytes = [...wanted.values()].reduce((sum, size) => sum + size, 0)
    const kept: StoredRun = { folder, confirmed, files: files.length, others: listed.length - files.length }
    const place = { kind: 'run', account_id: accountId, safe_id: safeId, name } as const
    const row = await uploads.reserve({ ...place, bytes, run_json: JSON.stringify(kept) })
    await this.#folderOf(row.id).create(files, [...wanted.keys()])
    return this.#runOf(row, kept, [...wanted.keys()])
  }

  /** @throws notFound, DomainError 410 */
  async find(accountId: string, safeId: string, id: string): Promise<SentRun> {
    const row = await this.dependencies.uploads.row('sync run', accountId, safeId, id)
    return this.#runOf(row, keptOf(row), keptOf(row).report ? [] : await this.#folderOf(id).wanted())
  }

  /** Receives some contents by their SHA-256. Returns how many are still wanted. @throws DomainError 400, 409 */
  async receive(
    accountId: string,
    safeId: string,
    id: string,
    contents: AsyncIterable<SentContent>,
  ): Promise<number> {
    const row = await this.dependencies.uploads.row('sync run', accountId, safeId, id)
    if (keptOf(row).report || this.#attempts.get(id)?.ended) throw uploadErrors.runEnded()
    return this.#folderOf(id).receive(contents)
  }

  /**
   * Writes the run. Resolves when it has ended, or after `patienceMs`, while it continues.
   * @throws ContentsMissing; DomainError as `SyncedFolders.sync`, and then nothing has changed
   */
  async finish(
    accountId: string,
    safeId: string,
    id: string,
    finishing: Finishing,
    patienceMs: number,
  ): Promise<SentRun> {
    const { uploads } = this.dependencies
    const row = await uploads.row('sync run', accountId, safeId, id)
    if (keptOf(row).report) return this.#runOf(row, keptOf(row), [])
    let attempt = this.#attempts.get(id)
    if (!attempt?.ended) {
      attempt = { read: 0, toRead: 0, error: null, ended: null }
      this.#attempts.set(id, attempt)
      attempt.ended = this.#write(row, attempt, finishing)
    }
    await Promise.race([attempt.ended, sleep(patienceMs, undefined, { ref: false })])
    if (attempt.error) throw attempt.error
    return this.find(accountId, safeId, id)
  }

  /** Cancels a run. @throws notFound, DomainError 409 */
  async abort(accountId: string, safeId: string, id: string): Promise<void> {
    await this.dependencies.uploads.row('sync run', accountId, safeId, id)
    if (this.#attempts.get(id)?.ended) throw uploadErrors.runEnded()
    this.#attempts.delete(id)
    await this.dependencies.uploads.drop([id])
  }

  /** Forgets runs that no longer exist. */
  async sweep(): Promise<void> {
    const ids = [...this.#attempts.keys()]
    const existing = await this.dependencies.store.existing(ids)
    for (const id of ids) if (!existing.has(id)) this.#attempts.delete(id)
  }

  async #write(row: UploadRow, attempt: Attempt, finishing: Finishing): Promise<void> {
    const { confirmed, leftOut, connectionId } = finishing
    const { folders, store, onError } = this.dependencies
    const { id, name, account_id: accountId, safe_id: safeId } = row
    const kept = keptOf(row)
    const home = this.#folderOf(id)
    try {
      const manifest = await home.manifest()
      const here = await home.contents()
      const { report } = await folders.sync(accountId, safeId, {
        name,
        folder: kept.folder,
        confirmed: confirmed || kept.confirmed,
        connectionId,
        walk: async () => ({
          files: manifest.map(file => home.file(file)),
          leftOut: { ...leftOut, others: leftOut.others + kept.others },
        }),
        onPlan: toRead => {
          const needed = [...wantedOf(toRead, manifest).keys()]
          const missing = needed.filter(sha256 => !here.has(sha256))
          if (missing.length > 0) throw new ContentsMissing(missing)
        },
        onProgress: (read, toRead) => Object.assign(attempt, { read, toRead }),
      })
      await store.endRun(id, JSON.stringify({ ...kept, report }))
      await home.remove()
    } catch (error) {
      attempt.error = error as Error
      if (error instanceof ContentsMissing) await home.want(error.details.wanted).catch(onError)
      else if (!(error instanceof DomainError)) onError(error)
    } finally {
      attempt.ended = null
    }
  }

  #folderOf(id: string): RunFolder {
    return new RunFolder(this.dependencies.uploads.pathOf(id))
  }

  #runOf(
    { id, name, expires_at: expiresAt }: UploadRow,
    { files, report }: StoredRun,
    wanted: string[],
  ): SentRun {
    const attempt = this.#attempts.get(id)
    const error = attempt?.error
    return {
      id,
      name,
      status: report ? 'done' : attempt?.ended ? 'running' : error ? 'failed' : 'open',
      files,
      wanted,
      read: attempt?.read ?? 0,
      toRead: attempt?.toRead ?? 0,
      report: report ?? null,
      problem: error && !report ? problemOf(error) : null,
      expiresAt,
    }
  }
}

const keptOf = ({ run_json }: UploadRow): StoredRun => JSON.parse(run_json ?? '{}')

const problemOf = (error: Error) =>
  error instanceof DomainError
    ? { code: error.code, message: error.message }
    : { code: 'server_error', message: 'The run was interrupted.' }

/** The sizes of the contents of these files by their SHA-256. */
function wantedOf(toRead: readonly FoundFile[], manifest: readonly ManifestFile[]): Map<string, number> {
  const paths = new Set(toRead.map(({ path }) => path))
  return new Map(manifest.filter(({ path }) => paths.has(path)).map(({ sha256, size }) => [sha256, size]))
}

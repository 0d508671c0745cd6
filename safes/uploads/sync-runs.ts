import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '../../common/domain-error.js'
import { newId } from '../../common/secrets.js'
import { formatInside, isNote } from '../imports/import-files.js'
import type { LeftOut, SyncReport } from '../safe.js'
import type { UploadRow, UploadStore } from '../stores/upload.sql.js'
import type { FoundFile } from '../sync/plan.js'
import type { SyncedFolders } from '../sync/synced-folders.js'
import { uploadErrors } from './errors.js'
import { type ManifestFile, readManifest } from './manifest.js'
import type { Uploads } from './uploads.js'

/** Where the folder is, for people, and whether its user has agreed to what must be confirmed. */
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

/** What is kept of a run. */
interface Kept {
  folder: string
  confirmed: boolean
  files: number
  /** Files of formats that are not read. */
  others: number
  /** Once it has ended. */
  report?: SyncReport
}

/** The run while this process writes it, or why that failed. */
interface Attempt {
  read: number
  toRead: number
  error: Error | null
  ended: Promise<void> | null
}

interface Dependencies {
  uploads: Uploads
  store: UploadStore
  folders: SyncedFolders
  onError: (error: unknown) => void
}

/** The Safe has changed since the run began, so that it needs other contents, too. */
class ContentsMissing extends DomainError {
  readonly details: { wanted: string[] }

  constructor(wanted: string[]) {
    super(409, 'contents_missing', 'More contents are needed. Send them, then finish again.')
    this.details = { wanted }
  }
}

/**
 * Runs of synced folders whose files arrive over the network (ADR 57). Until it is finished, a run is only a list of
 * files and some contents in a folder of its own; it holds no lease and writes nothing. Callers check that the account
 * may fill the Safe.
 */
export class SyncRuns {
  readonly #dependencies: Dependencies
  readonly #attempts = new Map<string, Attempt>()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** @throws DomainError 400, 409, 413, 429 */
  async start(
    accountId: string,
    safeId: string,
    { name, folder, confirmed }: RunOptions,
    manifest: AsyncIterable<Uint8Array>,
  ): Promise<SentRun> {
    const { uploads, folders } = this.#dependencies
    const listed = await readManifest(manifest)
    const files = filesRead(listed)
    const found = files.map(file => foundFile(file, ''))
    const toRead = await folders.filesToSync(accountId, safeId, { name, folder, confirmed }, found)
    const wanted = wantedOf(toRead, files)
    const bytes = [...wanted.values()].reduce((sum, size) => sum + size, 0)
    const kept: Kept = { folder, confirmed, files: files.length, others: listed.length - files.length }
    const row = await uploads.reserve({
      kind: 'run',
      account_id: accountId,
      safe_id: safeId,
      name,
      bytes,
      run_json: JSON.stringify(kept),
    })
    const home = uploads.pathOf(row.id)
    await mkdir(home, { mode: 0o700 })
    await writeFile(join(home, 'manifest'), files.map(file => JSON.stringify(file)).join('\n'))
    await this.#want(row.id, [...wanted.keys()])
    return this.#runOf(row, kept, [...wanted.keys()])
  }

  /** @throws notFound, DomainError 410 */
  async find(accountId: string, safeId: string, id: string): Promise<SentRun> {
    const row = await this.#dependencies.uploads.row('sync run', accountId, safeId, id)
    return this.#runOf(row, keptOf(row), keptOf(row).report ? [] : await this.#wanted(id))
  }

  /** Receives some contents by their SHA-256. Returns how many are still wanted. @throws DomainError 400, 409 */
  async receive(
    accountId: string,
    safeId: string,
    id: string,
    contents: AsyncIterable<{ sha256: string | null; bytes: AsyncIterable<Uint8Array> }>,
  ): Promise<number> {
    const row = await this.#dependencies.uploads.row('sync run', accountId, safeId, id)
    if (keptOf(row).report || this.#attempts.get(id)?.ended) throw runErrors.running()
    const home = this.#dependencies.uploads.pathOf(id)
    const wanted = new Set(await this.#wanted(id))
    const sizes = new Map((await this.#manifest(id)).map(({ sha256, size }) => [sha256, size]))
    for await (const { sha256, bytes } of contents) {
      const part = join(home, `part-${newId()}`)
      try {
        const most = sha256 === null ? null : (sizes.get(sha256) ?? null)
        const found = await keep(bytes, part, most)
        if (sha256 !== null && sizes.has(sha256) && found !== sha256) throw runErrors.wrongContent(sha256)
        if (!wanted.has(found)) continue
        await rename(part, join(home, found))
        wanted.delete(found)
      } finally {
        await rm(part, { force: true })
      }
    }
    return wanted.size
  }

  /**
   * Writes the run. Resolves when it has ended, or after `patienceMs`, while it goes on.
   * @throws ContentsMissing; DomainError as `Safes.sync`, and then nothing has changed
   */
  async finish(
    accountId: string,
    safeId: string,
    id: string,
    { confirmed, leftOut, connectionId }: { confirmed: boolean; leftOut: LeftOut; connectionId: string },
    patienceMs: number,
  ): Promise<SentRun> {
    const { uploads } = this.#dependencies
    const row = await uploads.row('sync run', accountId, safeId, id)
    if (keptOf(row).report) return this.#runOf(row, keptOf(row), [])
    let attempt = this.#attempts.get(id)
    if (!attempt?.ended) {
      attempt = { read: 0, toRead: 0, error: null, ended: null }
      this.#attempts.set(id, attempt)
      attempt.ended = this.#write(row, attempt, { confirmed, leftOut, connectionId })
    }
    await Promise.race([attempt.ended, silence(patienceMs)])
    if (attempt.error) throw attempt.error
    return this.find(accountId, safeId, id)
  }

  /** Gives a run up. @throws notFound, DomainError 409 */
  async abort(accountId: string, safeId: string, id: string): Promise<void> {
    await this.#dependencies.uploads.row('sync run', accountId, safeId, id)
    if (this.#attempts.get(id)?.ended) throw runErrors.running()
    this.#attempts.delete(id)
    await this.#dependencies.uploads.drop([id])
  }

  /** Forgets what this process knows of runs that have gone. */
  async sweep(): Promise<void> {
    const ids = [...this.#attempts.keys()]
    const existing = await this.#dependencies.store.existing(ids)
    for (const id of ids) if (!existing.has(id)) this.#attempts.delete(id)
  }

  async #write(
    row: UploadRow,
    attempt: Attempt,
    { confirmed, leftOut, connectionId }: { confirmed: boolean; leftOut: LeftOut; connectionId: string },
  ): Promise<void> {
    const { folders, store, uploads, onError } = this.#dependencies
    const { id, name, account_id: accountId, safe_id: safeId } = row
    const kept = keptOf(row)
    try {
      const home = uploads.pathOf(id)
      const manifest = await this.#manifest(id)
      const here = new Set(await readdir(home))
      const { report } = await folders.sync(accountId, safeId, {
        name,
        folder: kept.folder,
        confirmed: confirmed || kept.confirmed,
        connectionId,
        walk: async () => ({
          files: manifest.map(file => foundFile(file, home)),
          leftOut: { ...leftOut, others: leftOut.others + kept.others },
        }),
        onPlan: toRead => {
          const needed = [...wantedOf(toRead, manifest).keys()]
          const missing = needed.filter(sha256 => !here.has(sha256))
          if (missing.length > 0) throw new ContentsMissing(missing)
        },
        onProgress: (read, toRead) => Object.assign(attempt, { read, toRead }),
      })
      folders.expectSync(safeId)
      await store.endRun(id, JSON.stringify({ ...kept, report }))
      await rm(home, { recursive: true, force: true })
    } catch (error) {
      attempt.error = error as Error
      if (error instanceof ContentsMissing) await this.#want(id, error.details.wanted).catch(onError)
      else if (!(error instanceof DomainError)) onError(error)
    } finally {
      attempt.ended = null
    }
  }

  async #want(id: string, wanted: readonly string[]): Promise<void> {
    const file = join(this.#dependencies.uploads.pathOf(id), 'wanted')
    await writeFile(`${file}-new`, wanted.join('\n'))
    await rename(`${file}-new`, file)
  }

  /** @throws DomainError 410 when the contents are not here */
  async #wanted(id: string): Promise<string[]> {
    const home = this.#dependencies.uploads.pathOf(id)
    const here = new Set(await readdir(home).catch(() => null))
    if (!here.has('wanted')) throw uploadErrors.expired()
    const wanted = await readFile(join(home, 'wanted'), 'utf8')
    return wanted.split('\n').filter(sha256 => sha256 !== '' && !here.has(sha256))
  }

  async #manifest(id: string): Promise<ManifestFile[]> {
    const file = join(this.#dependencies.uploads.pathOf(id), 'manifest')
    return readManifest(createReadStream(file))
  }

  #runOf({ id, name, expires_at: expiresAt }: UploadRow, { files, report }: Kept, wanted: string[]): SentRun {
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

const runErrors = {
  running: () => new DomainError(409, 'run_running', 'This run is being written, or has ended.'),
  wrongContent: (sha256: string) =>
    new DomainError(400, 'wrong_content', `A content does not have the SHA-256 ${sha256}.`),
}

const keptOf = ({ run_json }: UploadRow): Kept => JSON.parse(run_json ?? '{}')

const problemOf = (error: Error) =>
  error instanceof DomainError
    ? { code: error.code, message: error.message }
    : { code: 'server_error', message: 'The run was interrupted.' }

/** As in a folder on this machine, files of other formats are left out. */
function filesRead(files: readonly ManifestFile[]): ManifestFile[] {
  const isVault = files.some(({ path }) => isNote(path))
  return files.filter(({ path }) => formatInside(path, isVault) !== null)
}

function foundFile({ path, size, sha256 }: ManifestFile, home: string): FoundFile {
  const contentHash = Buffer.from(sha256, 'hex').toString('base64url')
  return { path, size, modifiedAt: 0, contentHash, open: async () => createReadStream(join(home, sha256)) }
}

/** The sizes of the contents of these files by their SHA-256. */
function wantedOf(toRead: readonly FoundFile[], manifest: readonly ManifestFile[]): Map<string, number> {
  const paths = new Set(toRead.map(({ path }) => path))
  return new Map(manifest.filter(({ path }) => paths.has(path)).map(({ sha256, size }) => [sha256, size]))
}

/** Writes a content into a file and returns its SHA-256. `most`: it is not read further. */
async function keep(bytes: AsyncIterable<Uint8Array>, path: string, most: number | null): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  let left = most ?? Number.POSITIVE_INFINITY
  try {
    for await (const some of bytes) {
      left -= some.length
      if (left < 0) throw uploadErrors.tooMuch()
      hash.update(some)
      await file.appendFile(some)
    }
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

const silence = (ms: number) => new Promise(resolve => setTimeout(resolve, ms).unref())

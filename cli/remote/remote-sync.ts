import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { locationOn } from '../../domain/safes/folder-location.js'
import type { LeftOut, SyncReport } from '../../domain/safes/safe.js'
import type { SyncOptions } from '../../domain/safes/sync/folder-run.js'
import type { FoundFile } from '../../domain/safes/sync/plan.js'
import { DomainError } from '../../platform/common/domain-error.js'
import { showNumber } from '../../platform/common/format.js'
import type { Finish, Report, Run } from '../../routes/api/sync-run-schemas.js'
import { CommandError } from '../command.js'
import type { Api } from './api.js'
import { undoneWhenEnded } from './interruption.js'
import { PIECE_BYTES, upload, whole } from './upload.js'

/** A file as read: `size` is that of its bytes, `listedSize` that of the file, and `sha256` is in hex. */
interface HashedFile extends FoundFile {
  listedSize: number
  sha256: string
}

/** Maximum files and bytes of one request with contents: small enough for a slow network. */
const BATCH_FILES = 500
const BATCH_BYTES = PIECE_BYTES
const HASHED_AT_ONCE = 16
const POLL_MS = 1_000
const PROGRESS_MS = 5_000
/** Maximum restarts of a run because a file has changed meanwhile, or the server has lost the run. */
const MAX_STARTS = 5
/** A file changed this recently may change again within the same tick of the file system's clock. */
const RECENT_MS = 2_000

/** The run must be restarted. */
class StartAgain extends Error {}

/** Runs that sync a folder into a Safe on a server (docs/api.md, Sync runs). */
export class RemoteSync {
  readonly #api: Api
  readonly #runs: string
  readonly #safeId: string
  readonly #machine: () => Promise<string>
  readonly #print: (line: string) => void
  /** The hashes of the last run, so that the next one reads only changed files. */
  #hashes = new Map<string, HashedFile>()

  constructor(api: Api, safeId: string, machine: () => Promise<string>, print: (line: string) => void) {
    this.#api = api
    this.#safeId = safeId
    this.#machine = machine
    this.#runs = `/safes/${safeId}/sync-runs`
    this.#print = print
  }

  async sync(options: SyncOptions): Promise<{ report: SyncReport }> {
    for (let started = 1; ; started++) {
      try {
        return await this.#run(options)
      } catch (error) {
        if (!(error instanceof StartAgain)) throw error
        if (started === MAX_STARTS) throw new CommandError(`${error.message} Try again later.`)
      }
    }
  }

  async #run(options: SyncOptions): Promise<{ report: SyncReport }> {
    const { files: found, leftOut } = await options.walk()
    const files = await this.#hashed(found)
    const begun = await this.#begin(options, files)
    const path = `${this.#runs}/${begun.id}`
    const giveUp = () => this.#api.request(path, { method: 'DELETE', tries: 1 })
    return undoneWhenEnded(giveUp, async () => {
      try {
        await this.#send(path, begun.wanted, files)
        const report = await this.#finished(path, files, leftOut, options)
        return { report: reportOf(report, files) }
      } catch (error) {
        await giveUp().catch(() => {})
        throw error
      }
    })
  }

  async #hashed(found: readonly FoundFile[]): Promise<HashedFile[]> {
    const files: HashedFile[] = []
    for (let at = 0; at < found.length; at += HASHED_AT_ONCE) {
      const some = found.slice(at, at + HASHED_AT_ONCE)
      for (const file of await Promise.all(some.map(file => this.#hash(file)))) if (file) files.push(file)
    }
    const recent = Date.now() - RECENT_MS
    this.#hashes = new Map(
      files.filter(({ modifiedAt }) => modifiedAt < recent).map(file => [file.path, file]),
    )
    return files
  }

  /** Null if the file was removed. @throws CommandError if it cannot be read: it would seem to be removed */
  async #hash(file: FoundFile): Promise<HashedFile | null> {
    const { path, size, modifiedAt } = file
    const known = this.#hashes.get(path)
    if (known?.listedSize === size && known.modifiedAt === modifiedAt)
      return { ...known, ...file, size: known.size }
    const hash = createHash('sha256')
    let read = 0
    try {
      for await (const some of await file.open()) {
        hash.update(some)
        read += some.length
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw new CommandError(`${path} cannot be read: ${(error as Error).message}. Nothing was changed.`)
    }
    return { ...file, listedSize: size, size: read, sha256: hash.digest('hex') }
  }

  async #begin({ name, folder, confirmed = false }: SyncOptions, files: readonly HashedFile[]): Promise<Run> {
    const location = locationOn(folder, await this.#machine())
    const query = new URLSearchParams({ name, folder: location, ...(confirmed ? { confirmed: 'true' } : {}) })
    const lines = files.map(
      ({ path, size, sha256, lineBreaks }) =>
        `${JSON.stringify({ path, size, sha256, ...(lineBreaks ? { line_breaks: true } : {}) })}\n`,
    )
    return this.#api.json<Run>(`${this.#runs}?${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: lines.join(''),
    })
  }

  /** Sends the wanted contents: small files together, large ones resumably. */
  async #send(path: string, wanted: readonly string[], files: readonly HashedFile[]): Promise<void> {
    const byHash = new Map(files.map(file => [file.sha256, file]))
    let shownAt = performance.now()
    let sent = 0
    const send = async (request: { json?: object; body?: FormData }, count: number) => {
      await this.#api.request(`${path}/contents`, { method: 'POST', ...request }).catch(againOf)
      sent += count
      if (performance.now() - shownAt < PROGRESS_MS) return
      shownAt = performance.now()
      this.#print(`${showNumber(sent)} of ${showNumber(wanted.length)} files sent`)
    }
    let batch = { form: new FormData(), files: 0, bytes: 0 }
    for (const sha256 of wanted) {
      const file = byHash.get(sha256)
      if (!file) throw new CommandError('The server wants a file that is not in the folder.')
      if (file.size > PIECE_BYTES) {
        const content = { name: file.path, size: file.size, open: file.open }
        const id = await upload(this.#api, this.#safeId, content, () => {})
        await send({ json: { uploads: [id] } }, 1)
        continue
      }
      if (batch.files === BATCH_FILES || (batch.files > 0 && batch.bytes + file.size > BATCH_BYTES)) {
        await send({ body: batch.form }, batch.files)
        batch = { form: new FormData(), files: 0, bytes: 0 }
      }
      batch.form.append(sha256, new Blob([await unchanged(file)]), 'content')
      batch.files++
      batch.bytes += file.size
    }
    if (batch.files > 0) await send({ body: batch.form }, batch.files)
  }

  /** Makes everything visible, and waits for the result. */
  async #finished(
    path: string,
    files: readonly HashedFile[],
    leftOut: LeftOut,
    { confirmed = false, onProgress }: SyncOptions,
  ): Promise<Report> {
    const { tooLarge: too_large, ...others } = leftOut
    const json: Finish = { left_out: { ...others, too_large }, confirmed }
    const finish = () => this.#api.json<Run>(`${path}/finish`, { method: 'POST', json })
    for (let run = await this.#finish(path, files, finish); ; ) {
      if (run.status === 'done' && run.report) return run.report
      if (run.status === 'failed')
        throw new DomainError(409, run.code ?? 'failed', run.problem ?? 'The run failed.')
      onProgress?.(run.read, run.to_read)
      await pause(POLL_MS)
      // After a restart of the server it is open again.
      run =
        run.status === 'open'
          ? await this.#finish(path, files, finish)
          : await this.#api.json<Run>(path).catch(againOf)
    }
  }

  /** The Safe may have changed since the start, so that more contents are wanted. */
  async #finish(path: string, files: readonly HashedFile[], finish: () => Promise<Run>): Promise<Run> {
    for (let tried = 1; ; tried++) {
      try {
        return await finish().catch(againOf)
      } catch (error) {
        const isMissing = error instanceof DomainError && error.code === 'contents_missing'
        if (!isMissing || tried === MAX_STARTS) throw error
        const { wanted } = await this.#api.json<Run>(path)
        await this.#send(path, wanted, files)
      }
    }
  }
}

/** A lost run, or a content that differs from the list, needs a new list. */
function againOf(error: unknown): never {
  const isLost = error instanceof DomainError && [404, 410].includes(error.status)
  if (isLost) throw new StartAgain('The server has lost the run.')
  const isOther = error instanceof DomainError && error.code === 'wrong_content'
  if (isOther) throw new StartAgain('Files change while they are being sent.')
  throw error
}

/** The bytes of a file. @throws StartAgain if it has changed since it was listed */
async function unchanged(file: HashedFile): Promise<Buffer> {
  const content = { name: file.path, size: file.size, open: file.open }
  const bytes = await whole(content).catch(() => null)
  if (bytes && createHash('sha256').update(bytes).digest('hex') === file.sha256) return bytes
  throw new StartAgain(`${file.path} changes while it is being sent.`)
}

function reportOf(report: Report, files: readonly FoundFile[]): SyncReport {
  const { failed_count: failedCount, failed, left_out, ...counts } = report
  const { too_large: tooLarge, ...others } = left_out
  const times = new Map(files.map(({ path, modifiedAt }) => [path, modifiedAt]))
  return {
    ...counts,
    failedCount,
    failed: failed.map(({ path, size, bad_lines: badLines }) => ({
      path,
      size,
      modifiedAt: times.get(path) ?? 0,
      badLines,
    })),
    leftOut: { ...others, tooLarge },
  }
}

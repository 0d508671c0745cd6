import { createReadStream, type ReadStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from '../../../platform/common/clock.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { isId, newId } from '../../../platform/common/secrets.js'
import { Part } from '../../part.js'
import type { UploadRow, UploadStore } from '../stores/upload.sql.js'
import { uploadErrors } from './errors.js'

/** Largest file, in bytes; the same for the page. */
export const FILE_BYTES = 512 * 1024 * 1024
/** What the tokens of the pages' script are bound to. */
export const UPLOADS_SCOPE = '/uploads'
/** Limits per account. */
const UPLOADS_KEPT = { count: 1_000, bytes: 2 * 1024 * 1024 * 1024 }
const KEPT_MS = 24 * 3_600_000
const HELD_MS = 3_600_000
const NAME_CHARACTERS = 1_000
/** After this silence, a sender counts as disconnected. */
const SILENCE_MS = 30_000
const LOOKED_UP = 100
const KINDS = { upload: ['file'], 'sync run': ['run', 'ended'] } as const

export interface StartedUpload {
  id: string
  /** The file's name, or its path in a folder. */
  name: string
  bytes: number
  received: number
  expiresAt: number
}

interface UploadsDependencies {
  store: UploadStore
  /** For this purpose only: files that belong to no upload are deleted. */
  folder: string
  clock: Clock
}

/** A request that is being received. */
interface UploadWriter {
  bytes: Readable
  ended: Promise<void>
}

/**
 * Files that arrive in parts (tus 1.0.0, ADR 57). The received bytes are the file's size, so they survive the process.
 * Callers check that the account may fill the Safe.
 */
export class Uploads extends Part<UploadsDependencies> {
  readonly #writers = new Map<string, UploadWriter>()
  readonly #used = new Set<string>()

  /** @throws DomainError 413, 429 */
  async begin(
    accountId: string,
    safeId: string,
    file: { name: string; bytes: number },
  ): Promise<StartedUpload> {
    if (file.bytes > FILE_BYTES) throw uploadErrors.tooLarge(FILE_BYTES)
    const row = await this.reserve({ kind: 'file', account_id: accountId, safe_id: safeId, ...file })
    await writeFile(this.pathOf(row.id), '', { mode: 0o600 })
    return uploadOf(row, 0)
  }

  /**
   * Reserves space for files of a page, which stores them itself; the returned function releases it. After a crash it is
   * released in an hour. @throws DomainError 429
   */
  async hold(wanted: { accountId: string; safeId: string; name: string; bytes: number }) {
    const { accountId: account_id, safeId: safe_id, bytes } = wanted
    const name = wanted.name.slice(0, NAME_CHARACTERS)
    const { id } = await this.reserve({ kind: 'file', account_id, safe_id, name, bytes }, HELD_MS)
    return () => this.drop([id])
  }

  /** Reserves space for something with this id. @throws DomainError 429 */
  async reserve(
    wanted: Pick<UploadRow, 'kind' | 'account_id' | 'safe_id' | 'name' | 'bytes'> &
      Partial<Pick<UploadRow, 'run_json'>>,
    keptMs = KEPT_MS,
  ): Promise<UploadRow> {
    const { store, folder, clock } = this.dependencies
    const now = clock()
    const row = { run_json: null, ...wanted, id: newId(), created_at: now, expires_at: now + keptMs }
    if (!(await store.add(row, UPLOADS_KEPT)))
      throw uploadErrors.tooMany(UPLOADS_KEPT.count, UPLOADS_KEPT.bytes)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return row
  }

  /** @throws notFound, DomainError 410 */
  async find(accountId: string, safeId: string, id: string): Promise<StartedUpload> {
    const row = await this.row('upload', accountId, safeId, id)
    return uploadOf(row, await this.#received(id))
  }

  /** @throws notFound, DomainError 410 */
  async row(kind: keyof typeof KINDS, accountId: string, safeId: string, id: string): Promise<UploadRow> {
    const { store, clock } = this.dependencies
    const row = isId(id) ? await store.find(KINDS[kind], accountId, safeId, id) : null
    if (!row) throw notFound(kind)
    if (row.expires_at <= clock()) throw uploadErrors.expired()
    return row
  }

  /**
   * Ends a request that still sends to this upload, because its sender has lost it (tus has no other way to signal this),
   * and returns the bytes received.
   */
  async release(upload: StartedUpload): Promise<StartedUpload> {
    const writer = this.#writers.get(upload.id)
    writer?.bytes.destroy(uploadErrors.superseded())
    await writer?.ended
    return { ...upload, received: await this.#received(upload.id) }
  }

  /**
   * Appends bytes. Bytes received before an interruption are kept. Returns the bytes that the file has now.
   * @throws DomainError 409 when `offset` is not the file's size, 413
   */
  async append(upload: StartedUpload, offset: number, bytes: Readable): Promise<number> {
    const before = this.#writers.get(upload.id)
    before?.bytes.destroy(uploadErrors.superseded())
    const writing = (before?.ended ?? Promise.resolve()).then(() => this.#write(upload, offset, bytes))
    const writer = { bytes, ended: writing.then(nothing, nothing) }
    this.#writers.set(upload.id, writer)
    try {
      return await writing
    } finally {
      if (this.#writers.get(upload.id) === writer) this.#writers.delete(upload.id)
    }
  }

  async #write({ id, bytes: size }: StartedUpload, offset: number, bytes: Readable): Promise<number> {
    const received = await this.#received(id)
    if (offset !== received) throw uploadErrors.wrongOffset(received)
    const silence = setTimeout(() => bytes.destroy(uploadErrors.stalled()), SILENCE_MS)
    // Without a stream, whose last chunks could still be written after the next request has begun.
    const file = await open(this.pathOf(id), 'a')
    let left = size - offset
    try {
      // Destroying the stream of a request would end its connection before the answer.
      for await (const some of bytes.iterator({ destroyOnReturn: false })) {
        silence.refresh()
        if (some.length > left) throw uploadErrors.tooMuch()
        await file.appendFile(some)
        left -= some.length
      }
    } finally {
      clearTimeout(silence)
      await file.close()
    }
    return size - left
  }

  /** Deletes a file, unless it is being read. @throws DomainError 409 */
  async remove(upload: StartedUpload): Promise<void> {
    if (this.#used.has(upload.id)) throw uploadErrors.inUse(upload.name)
    await this.release(upload)
    await this.drop([upload.id])
  }

  /** Finished uploads, which nobody else uses until `end`. @throws notFound, DomainError 409, 410 */
  async use(accountId: string, safeId: string, ids: readonly string[]): Promise<UsedUploads> {
    const uploads: StartedUpload[] = []
    for (const id of new Set(ids)) uploads.push(await this.find(accountId, safeId, id))
    for (const { id, name, bytes, received } of uploads) {
      if (received !== bytes) throw uploadErrors.incomplete(name)
      if (this.#used.has(id)) throw uploadErrors.inUse(name)
    }
    for (const { id } of uploads) this.#used.add(id)
    return {
      uploads,
      open: ({ id }) => createReadStream(this.pathOf(id)),
      end: async isDone => {
        for (const { id } of uploads) this.#used.delete(id)
        if (isDone) await this.drop(uploads.map(({ id }) => id))
      },
    }
  }

  /** Deletes rows first: a row without its file would count for a day. */
  async drop(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await this.dependencies.store.remove(ids)
    for (const id of ids) await rm(this.pathOf(id), { recursive: true, force: true })
  }

  /** Deletes expired uploads, and those of removed accounts and Safes. */
  async sweep(): Promise<void> {
    const { store, folder, clock } = this.dependencies
    for (;;) {
      const ids = await store.expired(clock())
      if (ids.length === 0) break
      await this.drop(ids)
    }
    const names = await readdir(folder).catch(() => [])
    for (let at = 0; at < names.length; at += LOOKED_UP) {
      const some = names.slice(at, at + LOOKED_UP)
      const existing = await store.existing(some)
      for (const name of some)
        if (!existing.has(name)) await rm(join(folder, name), { recursive: true, force: true })
    }
  }

  /** The file of an upload, or the folder of a sync run. */
  pathOf(id: string): string {
    return join(this.dependencies.folder, id)
  }

  /** @throws DomainError 410 when the file is not here */
  async #received(id: string): Promise<number> {
    const found = await stat(this.pathOf(id)).catch(() => null)
    if (!found) throw uploadErrors.expired()
    return found.size
  }
}

/** Uploads that an import reads. */
export interface UsedUploads {
  uploads: StartedUpload[]
  open(upload: StartedUpload): ReadStream
  /** `isDone`: they are no longer needed. */
  end(isDone: boolean): Promise<void>
}

const nothing = () => {}

const uploadOf = ({ id, name, bytes, expires_at }: UploadRow, received: number): StartedUpload => ({
  id,
  name,
  bytes,
  received,
  expiresAt: expires_at,
})

import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SafeIndex, toBuffers } from '../../../engine/graph/index.js'
import {
  headerLength,
  LEAD_BYTES,
  readHeader,
  type SharedIndex,
  snapshotHeader,
  verified,
} from './snapshot-header.js'

/** Writing a file takes only seconds. */
const ABANDONED_MS = 60_000

/**
 * Index files next to the database, one per Safe, which load in milliseconds. They contain only data from
 * the database: deleting them only slows down the next question.
 */
export class Snapshots {
  readonly #folder: string

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'indexes')
  }

  /**
   * Null when there is none for these imports (null: of any), or it is damaged or written by another version of the
   * service.
   */
  async load(safeId: string, contentHash: string | null): Promise<SharedIndex | null> {
    const file = await open(this.#path(safeId), 'r').catch(() => null)
    if (!file) return null
    try {
      const lead = Buffer.alloc(LEAD_BYTES)
      await file.read(lead, 0, lead.length, 0)
      const length = headerLength(lead)
      if (length === null) return null
      const start = Buffer.alloc(length)
      await file.read(start, 0, start.length, 0)
      const header = readHeader(start, { safeId, contentHash })
      const { size } = await file.stat()
      if (!header || header.layout.byteLength > size) return null
      const bytes = new Uint8Array(new SharedArrayBuffer(header.layout.byteLength))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start.length)
      return bytesRead === bytes.length ? verified(header, bytes) : null
    } catch {
      return null
    } finally {
      await file.close()
    }
  }

  /** Replaces the Safe's file atomically. */
  async save(safeId: string, contentHash: string, index: SharedIndex): Promise<void> {
    const header = snapshotHeader({ safeId, contentHash }, index)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    // Not the process id, which is the same in many containers.
    const written = `${this.#path(safeId)}.${randomUUID()}`
    try {
      await writeFile(written, [header, index.bytes], { mode: 0o600 })
      await rename(written, this.#path(safeId))
    } catch (error) {
      await rm(written, { force: true })
      throw error
    }
  }

  /** The size of the Safe's file; 0: none. */
  async bytesOf(safeId: string): Promise<number> {
    const found = await stat(this.#path(safeId)).catch(() => null)
    return found?.size ?? 0
  }

  async remove(safeId: string): Promise<void> {
    await rm(this.#path(safeId), { force: true })
  }

  /** Deletes incomplete files of killed processes, and the files of removed Safes. */
  async sweep(now: number, isThere: (safeId: string) => Promise<boolean>): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name)
      const [safeId = '', writtenBy] = name.split('.')
      const isLeft =
        writtenBy === undefined ? !(await isThere(safeId)) : now - (await writtenAt(path)) > ABANDONED_MS
      if (isLeft) await rm(path, { force: true })
    }
  }

  #path(safeId: string): string {
    return join(this.#folder, safeId)
  }
}

/** A copy of the index in memory that threads can share. */
export function shared(index: SafeIndex): SharedIndex {
  return toBuffers(index, size => new SharedArrayBuffer(size))
}

/** When the file was last written; it may no longer exist. */
const writtenAt = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

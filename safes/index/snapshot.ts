import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromBuffers, type Layout, toBuffers } from '../../graph/index/buffers.js'
import type { SafeIndex } from '../../graph/index/safe-index.js'

/**
 * A snapshot file consists of this line, the length of the header, the header as JSON, and the bytes of the
 * index.
 */
const MAGIC = Buffer.from('svc index\n')
const LENGTH_BYTES = 4
const MAX_HEADER = 1024 * 1024
/** Typed arrays start at multiples of their size. */
const ALIGNMENT = 8
/** Writing a file takes only seconds. */
const ABANDONED_MS = 60_000

interface Header {
  layout: Layout
  /** Identifies the imports in the index. */
  contentHash: string
  /** SHA-256 of the index's bytes: after a power failure a file may exist without its bytes. */
  digest: string
}

/** An index in memory that threads can share, with its layout. */
export interface SharedIndex {
  layout: Layout
  bytes: Uint8Array
}

/**
 * Index files next to the database, one per Safe, which load in milliseconds. They contain nothing that is
 * not in the database: deleting them only slows down the next question.
 */
export class Snapshots {
  readonly #folder: string

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'indexes')
  }

  /**
   * Null when there is none for these imports, or it is damaged or written by another version of the service.
   */
  async load(safeId: string, contentHash: string): Promise<SharedIndex | null> {
    const file = await open(this.#path(safeId), 'r').catch(() => null)
    if (!file) return null
    try {
      const lead = Buffer.alloc(MAGIC.length + LENGTH_BYTES)
      await file.read(lead, 0, lead.length, 0)
      if (!lead.subarray(0, MAGIC.length).equals(MAGIC)) return null
      const length = lead.readUInt32LE(MAGIC.length)
      if (length > MAX_HEADER) return null
      const text = Buffer.alloc(length)
      await file.read(text, 0, text.length, lead.length)
      const header: Header = JSON.parse(text.toString())
      if (header.contentHash !== contentHash) return null
      const { size } = await file.stat()
      if (header.layout.byteLength > size) return null
      const bytes = new Uint8Array(new SharedArrayBuffer(header.layout.byteLength))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, aligned(lead.length + text.length))
      if (bytesRead !== bytes.length || header.digest !== digestOf(bytes)) return null
      return fromBuffers(header.layout, bytes) ? { layout: header.layout, bytes } : null
    } catch {
      return null
    } finally {
      await file.close()
    }
  }

  /** Replaces the Safe's file atomically. */
  async save(safeId: string, contentHash: string, { layout, bytes }: SharedIndex): Promise<void> {
    const header: Header = { layout, contentHash, digest: digestOf(bytes) }
    const text = Buffer.from(JSON.stringify(header))
    const lead = Buffer.alloc(aligned(MAGIC.length + LENGTH_BYTES + text.length))
    MAGIC.copy(lead)
    lead.writeUInt32LE(text.length, MAGIC.length)
    text.copy(lead, MAGIC.length + LENGTH_BYTES)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const written = `${this.#path(safeId)}.${process.pid}`
    try {
      await writeFile(written, [lead, bytes], { mode: 0o600 })
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

const aligned = (length: number) => Math.ceil(length / ALIGNMENT) * ALIGNMENT

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url')

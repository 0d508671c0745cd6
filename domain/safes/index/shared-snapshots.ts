import { sql } from 'kysely'
import { LAYOUT_VERSION } from '../../../engine/graph/index.js'
import { DAY_MS } from '../../../platform/common/durations.js'
import type { Db } from '../../../platform/storage/schema.js'
import { selectWhere, tables, updateWhere } from '../../../platform/storage/where.js'
import { ReadingStore } from '../../store.js'
import { headerLength, readHeader, type SharedIndex, snapshotHeader, verified } from './snapshot-header.js'

/** Bytes of one row: a statement that reads or writes it takes some milliseconds. */
const PART_BYTES = 1024 * 1024
/** Larger indexes are built by each process. At 54 bytes a row, the first limit is reached before the second. */
const MAX_ROWS = 4_000_000
const MAX_BYTES = 256 * 1024 * 1024
/** How long a process may build before another one begins as well: ten times what it takes on an idle machine. */
const leaseMs = (rows: number) => 10_000 + rows / 15
/** How long a replaced index stays, for processes that have not seen the change. */
const REPLACED_MS = 600_000
const UNUSED_MS = 30 * DAY_MS
/** Snapshots deleted per statement of a clean-up. */
const SLICE = 10

/** The time of the database: the clocks of the processes may differ. */
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * Indexes in Postgres, which one process builds and the others load (ADR 17). Like the files, they contain only data
 * from the other tables. They are removed with the Safe.
 */
export class SharedSnapshots extends ReadingStore {
  /** Null if there is none for these imports. A damaged one is deleted. */
  async load(safeId: string, contentHash: string): Promise<SharedIndex | null> {
    const content = contentOf(contentHash)
    const row = await selectWhere(this.db, 'index_snapshots', { safe_id: safeId, content })
      .where('parts', '>', 0)
      .select(['parts', sql<boolean>`used_at < ${NOW} - ${DAY_MS}`.as('isOld')])
      .executeTakeFirst()
    if (!row) return null
    const index = await this.#read(safeId, contentHash, row.parts).catch(error => {
      if (error instanceof SyntaxError) return null
      throw error
    })
    if (!index) await this.forget(safeId, contentHash)
    else if (row.isOld) await this.#used(safeId, content)
    return index
  }

  /** The one that was built last, for any imports. Like `load`. */
  async loadLatest(safeId: string): Promise<SharedIndex | null> {
    const latest = await selectWhere(this.db, 'index_snapshots', { safe_id: safeId })
      .where('content', 'like', contentOf('%'))
      .where('parts', '>', 0)
      .orderBy('saved_at', 'desc')
      .select('content')
      .executeTakeFirst()
    return latest ? this.load(safeId, latest.content.slice(contentOf('').length)) : null
  }

  /**
   * Whether this process should build the index. Otherwise another one is building it, or has just done so.
   * @param rows number of rows it is built from, which determines how long others wait for it
   */
  async begin(safeId: string, contentHash: string, rows: number): Promise<boolean> {
    if (rows > MAX_ROWS) return true
    const until = sql<number>`${NOW} + ${Math.round(leaseMs(rows))}`
    const values = { safe_id: safeId, content: contentOf(contentHash), parts: 0 }
    const taken = await this.db
      .insertInto('index_snapshots')
      .values({ ...values, building_until: until, saved_at: NOW, used_at: NOW })
      .onConflict(conflict =>
        conflict
          .columns(['safe_id', 'content'])
          .doUpdateSet({ building_until: until })
          .where('index_snapshots.parts', '=', 0)
          .where('index_snapshots.building_until', '<', NOW),
      )
      .returning('safe_id')
      .executeTakeFirst()
    return taken !== undefined
  }

  /** Makes an index available to all processes, unless it is too large, and deletes all but the one before it. */
  async save(safeId: string, contentHash: string, index: SharedIndex): Promise<void> {
    if (index.bytes.length > MAX_BYTES) return this.forget(safeId, contentHash)
    const content = contentOf(contentHash)
    const parts = [snapshotHeader({ safeId, contentHash }, index), ...slices(index.bytes)]
    await this.db.transaction().execute(async trx => {
      const isThere = await updateWhere(trx, 'index_snapshots', { safe_id: safeId, content, parts: 0 })
        .set({ parts: parts.length, building_until: 0, saved_at: NOW, used_at: NOW })
        .returning('safe_id')
        .executeTakeFirst()
      // Another process was faster, or the Safe no longer exists.
      if (!isThere) return
      for (const [part, bytes] of parts.entries())
        await tables.insert(trx, 'index_parts', { safe_id: safeId, content, part, bytes })
      await sql`delete from index_snapshots where safe_id = ${safeId} and parts > 0 and content in (
        select content from index_snapshots where safe_id = ${safeId} and parts > 0
        order by saved_at desc offset 2)`.execute(trx)
    })
  }

  /** Deletes an index, or gives up building it. */
  async forget(safeId: string, contentHash: string): Promise<void> {
    await tables.remove(this.db, 'index_snapshots', { safe_id: safeId, content: contentOf(contentHash) })
  }

  async #read(safeId: string, contentHash: string, parts: number): Promise<SharedIndex | null> {
    const start = await this.#part(safeId, contentHash, 0)
    if (!start || headerLength(start) !== start.length) return null
    const header = readHeader(start, { safeId, contentHash })
    if (!header || Math.ceil(header.layout.byteLength / PART_BYTES) !== parts - 1) return null
    const bytes = new Uint8Array(new SharedArrayBuffer(header.layout.byteLength))
    for (let part = 1, at = 0; part < parts; part++) {
      const piece = await this.#part(safeId, contentHash, part)
      if (!piece || at + piece.length > bytes.length) return null
      bytes.set(piece, at)
      at += piece.length
    }
    return verified(header, bytes)
  }

  async #part(safeId: string, contentHash: string, part: number): Promise<Buffer | null> {
    const row = await tables.find(
      this.db,
      'index_parts',
      { safe_id: safeId, content: contentOf(contentHash), part },
      ['bytes'],
    )
    return row?.bytes ?? null
  }

  async #used(safeId: string, content: string): Promise<void> {
    await tables.change(this.db, 'index_snapshots', { safe_id: safeId, content }, { used_at: NOW })
  }
}

/**
 * Deletes some of the indexes that were replaced, given up, or not used for long. @returns whether there may be more
 */
export async function sweepShared(trx: Db): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from index_snapshots where (safe_id, content) in (
    select safe_id, content from index_snapshots as s
    where used_at < ${NOW} - ${UNUSED_MS} or saved_at < ${NOW} - ${REPLACED_MS} and (
      parts = 0 and building_until < ${NOW} or parts > 0 and exists (
        select 1 from index_snapshots as newer
        where newer.safe_id = s.safe_id and newer.parts > 0 and newer.saved_at > s.saved_at))
    limit ${SLICE})`.execute(trx)
  return numAffectedRows === BigInt(SLICE)
}

/** Versions of the service with another index format store theirs next to it. */
const contentOf = (contentHash: string) => `${LAYOUT_VERSION} ${contentHash}`

function* slices(bytes: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    // pg does not take shared memory.
    yield Buffer.from(bytes.subarray(at, at + PART_BYTES))
  }
}

import { setImmediate as otherRequests } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../../platform/storage/database.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { type DocumentSizes, SizeTally } from '../documents/size-tally.js'
import { newestDocuments } from './visible-documents.sql.js'

/** Documents that are read at once, which takes some milliseconds of the event loop on SQLite. */
const AT_ONCE = 500
/** How long a page waits for the sizes of a Safe with many documents. They are then there for the next one. */
const PATIENCE_MS = 250
/** Safes whose sizes are kept until they change. */
const MOST_KEPT = 100

/** How much text the folders and documents of a Safe hold, two levels deep. */
export class DocumentSizesStore {
  readonly #db: Kysely<Schema>
  readonly #kept = new LRUCache<string, Promise<DocumentSizes>>({ max: MOST_KEPT })

  constructor({ read: db }: Pick<Database, 'read'>) {
    this.#db = db
  }

  /**
   * The `limit` largest of each at this version of the Safe. Null: there are so many documents that it takes longer than a
   * page waits.
   */
  async sizes(safeId: string, version: number, limit: number): Promise<DocumentSizes | null> {
    const key = `${safeId} ${version} ${limit}`
    const known = this.#kept.get(key) ?? this.#tally(safeId, limit)
    this.#kept.set(key, known)
    known.catch(() => this.#kept.delete(key))
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<null>(resolve => {
      timer = setTimeout(resolve, PATIENCE_MS, null).unref()
    })
    return Promise.race([known, patience]).finally(() => clearTimeout(timer))
  }

  async #tally(safeId: string, limit: number): Promise<DocumentSizes> {
    const tally = new SizeTally(await this.#top(safeId), limit)
    for (let after = ''; ; ) {
      const rows = await newestDocuments(this.#db, safeId)
        .where('d.path', '>', after)
        .orderBy('d.path')
        .limit(AT_ONCE)
        .clearSelect()
        .select(['d.path', 'd.title', 'd.text_bytes', 'd.size'])
        .execute()
      for (const { path, title, text_bytes, size } of rows)
        tally.add(path, title, Number(text_bytes) || Number(size) || 1)
      if (rows.length < AT_ONCE) return tally.result()
      after = rows.at(-1)?.path ?? ''
      await otherRequests()
    }
  }

  /** The folder that holds all documents: what the first and the last path have in common. */
  async #top(safeId: string): Promise<string> {
    const paths = newestDocuments(this.#db, safeId).clearSelect().select('d.path').limit(1)
    const first = (await paths.orderBy('d.path').executeTakeFirst())?.path ?? ''
    const last = (await paths.orderBy('d.path', 'desc').executeTakeFirst())?.path ?? ''
    let top = ''
    for (const name of first.split('/').slice(0, -1)) {
      if (!last.startsWith(`${top}${name}/`)) break
      top += `${name}/`
    }
    return top
  }
}

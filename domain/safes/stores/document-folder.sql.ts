import { setTimeout as sleep } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { inPages } from '../../../platform/storage/where.js'
import { ReadingStore } from '../../store.js'
import type { TagCount } from '../documents/outline.js'
import { type DocumentSizes, SizeTally } from '../documents/size-tally.js'
import { documentOf, endOf, escapeLike, type StoredDocument } from './document-row.js'
import { changedAt, newestDocuments, visibleDocuments } from './visible-documents.sql.js'

/** A file, or a folder with files. */
export type FolderEntry = { folder: string } | { document: StoredDocument }

/** Maximum documents counted, and maximum lists of tags read. */
const MAX_COUNTED = 100_000
const MAX_TAG_LISTS = 2_000

/** Documents read at once, which takes some milliseconds of the event loop on SQLite. */
const AT_ONCE = 500
/** How long a page waits for the sizes of a Safe with many documents. The next page then finds them ready. */
const PATIENCE_MS = 250
/** Safes whose sizes are cached until they change. */
const MAX_KEPT = 100

/** Reads folders: the paths of documents up to a slash. Each is empty or ends with a slash. */
export class DocumentFolderStore extends ReadingStore {
  readonly #sizes = new LRUCache<string, Promise<DocumentSizes>>({ max: MAX_KEPT })

  /** The direct contents of a folder, by name: those after `after`. `folder` is empty or ends with a slash. */
  async folder(
    safeId: string,
    folder: string,
    { after, limit }: { after: string; limit: number },
  ): Promise<FolderEntry[]> {
    const entries: FolderEntry[] = []
    for (let last = after === '' ? folder : after; entries.length < limit; ) {
      const row = await this.#newest(safeId)
        .where('d.path', '>', last)
        .$if(folder !== '', query => query.where('d.path', '<', endOf(folder)))
        .orderBy('d.path')
        .limit(1)
        .executeTakeFirst()
      if (!row) break
      const slash = row.path.indexOf('/', folder.length)
      const inner = slash === -1 ? null : row.path.slice(0, slash + 1)
      entries.push(inner === null ? { document: documentOf(row) } : { folder: inner })
      last = inner === null ? row.path : endOf(inner)
    }
    return entries
  }

  /** The direct subfolders of a folder, by name. */
  async folders(safeId: string, folder: string, limit: number): Promise<string[]> {
    const found: string[] = []
    for (let last = folder; found.length < limit; last = endOf(found.at(-1) ?? '')) {
      const row = await this.#newest(safeId)
        .where('d.path', '>', last)
        .$if(folder !== '', query => query.where('d.path', '<', endOf(folder)))
        .where(sql<SqlBool>`${slashes(sql`d.path`)} >= ${folder.split('/').length}`)
        .orderBy('d.path')
        .limit(1)
        .executeTakeFirst()
      if (!row) break
      found.push(row.path.slice(0, row.path.indexOf('/', folder.length) + 1))
    }
    return found
  }

  /** The number of documents in a folder and its subfolders; at most `most`. */
  async countIn(safeId: string, folder: string, most = MAX_COUNTED): Promise<number> {
    const documents = this.#newest(safeId)
      .where('d.path', '>=', folder)
      .where('d.path', '<', endOf(folder))
      .limit(most)
    const { count } = await this.db
      .selectFrom(documents.as('d'))
      .select(eb => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** A folder with this name in another case. */
  async folderLike(safeId: string, folder: string): Promise<string | null> {
    const part = `${escapeLike(folder.toLowerCase())}%`
    const row = await visibleDocuments(this.db, safeId)
      .where(sql<SqlBool>`lower(d.path) like ${part} escape '\\'`)
      .limit(1)
      .executeTakeFirst()
    return row ? row.path.slice(0, folder.length) : null
  }

  /** The tags of documents, below a folder if one is given, the most frequent first. Case makes no difference. */
  async tags(safeId: string, folder = ''): Promise<TagCount[]> {
    const tagged = this.#newest(safeId)
      .where('d.tags_json', '!=', '[]')
      .$if(folder !== '', query => query.where('d.path', '>=', folder).where('d.path', '<', endOf(folder)))
    const rows = await this.db
      .selectFrom(tagged.as('d'))
      .groupBy('d.tags_json')
      .orderBy(eb => eb.fn.countAll(), 'desc')
      .limit(MAX_TAG_LISTS)
      .select(['d.tags_json as json', eb => eb.fn.countAll().as('count')])
      .execute()
    const counts = new Map<string, TagCount>()
    for (const { json, count } of rows)
      for (const tag of JSON.parse(json)) {
        const counted = counts.get(tag.toLowerCase()) ?? { tag, documents: 0 }
        counted.documents += Number(count)
        counts.set(tag.toLowerCase(), counted)
      }
    return [...counts.values()].sort((a, b) => b.documents - a.documents)
  }

  /** The documents before and after this one in its folder. */
  async neighbours(
    safeId: string,
    path: string,
  ): Promise<{ before: StoredDocument | null; after: StoredDocument | null }> {
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const inFolder = () =>
      this.#newest(safeId)
        .$if(folder !== '', query => query.where('d.path', '>=', folder).where('d.path', '<', endOf(folder)))
        .where(sql<SqlBool>`${slashes(sql`d.path`)} = ${folder.split('/').length - 1}`)
        .limit(1)
    const before = await inFolder().where('d.path', '<', path).orderBy('d.path', 'desc').executeTakeFirst()
    const after = await inFolder().where('d.path', '>', path).orderBy('d.path').executeTakeFirst()
    return { before: before ? documentOf(before) : null, after: after ? documentOf(after) : null }
  }

  /**
   * The text size of the folders of a Safe at this version of it, and its `limit` largest documents. Null: there are so
   * many documents that it takes longer than a page waits.
   */
  async sizes(safeId: string, version: number, limit: number): Promise<DocumentSizes | null> {
    const key = `${safeId} ${version} ${limit}`
    const known = this.#sizes.get(key) ?? this.#tally(safeId, limit)
    this.#sizes.set(key, known)
    known.catch(() => this.#sizes.delete(key))
    return Promise.race([known, sleep(PATIENCE_MS, null, { ref: false })])
  }

  async #tally(safeId: string, limit: number): Promise<DocumentSizes> {
    const tally = new SizeTally(limit)
    const documents = this.#newest(safeId)
      .clearSelect()
      .select(['d.path', 'd.title', 'd.text_bytes', 'd.size', changedAt.as('changed')])
    for await (const rows of inPages(documents, { 'd.path': 'path' }, AT_ONCE))
      for (const { path, title, text_bytes, size, changed } of rows)
        tally.add({ path, title, bytes: Number(text_bytes) || Number(size) || 1, changedAt: Number(changed) })
    return tally.result()
  }

  #newest = (safeId: string) => newestDocuments(this.db, safeId)
}

const slashes = (path: ReturnType<typeof sql>) => sql`length(${path}) - length(replace(${path}, '/', ''))`

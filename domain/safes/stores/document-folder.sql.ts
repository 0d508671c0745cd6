import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/storage/database.js'
import type { Schema } from '../../../platform/storage/schema.js'
import type { TagCount } from '../documents/outline.js'
import { documentOf, endOf, escapeLike, type StoredDocument } from './document-row.js'
import { newestDocuments, visibleDocuments } from './visible-documents.sql.js'

/** A file, or a folder that contains some. */
export type FolderEntry = { folder: string } | { document: StoredDocument }

/** Documents that are counted, and lists of tags that are read. */
const MOST_COUNTED = 100_000
const MOST_TAG_LISTS = 2_000

/** Reads folders: the paths of documents up to a slash. Each is empty or ends with a slash. */
export class DocumentFolderStore {
  readonly #db: Kysely<Schema>

  constructor({ read: db }: Pick<Database, 'read'>) {
    this.#db = db
  }

  /** What a folder directly contains, by name: those after `after`. `folder` is empty or ends with a slash. */
  async folder(safeId: string, folder: string, after: string, limit: number): Promise<FolderEntry[]> {
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

  /** The folders directly in a folder, by name. */
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

  /** How many documents a folder and those in it contain; at most `most`. */
  async countIn(safeId: string, folder: string, most = MOST_COUNTED): Promise<number> {
    const documents = this.#newest(safeId)
      .where('d.path', '>=', folder)
      .where('d.path', '<', endOf(folder))
      .limit(most)
    const { count } = await this.#db
      .selectFrom(documents.as('d'))
      .select(eb => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** A folder with this name in another case. */
  async folderLike(safeId: string, folder: string): Promise<string | null> {
    const part = `${escapeLike(folder.toLowerCase())}%`
    const row = await visibleDocuments(this.#db, safeId)
      .where(sql<SqlBool>`lower(d.path) like ${part} escape '\\'`)
      .limit(1)
      .executeTakeFirst()
    return row ? row.path.slice(0, folder.length) : null
  }

  /** The tags of documents, below a folder if one is given, the most frequent first. */
  async tags(safeId: string, folder = ''): Promise<TagCount[]> {
    const tagged = this.#newest(safeId)
      .where('d.tags_json', '!=', '[]')
      .$if(folder !== '', query => query.where('d.path', '>=', folder).where('d.path', '<', endOf(folder)))
    const rows = await this.#db
      .selectFrom(tagged.as('d'))
      .groupBy('d.tags_json')
      .orderBy(eb => eb.fn.countAll(), 'desc')
      .limit(MOST_TAG_LISTS)
      .select(['d.tags_json as json', eb => eb.fn.countAll().as('count')])
      .execute()
    const counts = new Map<string, number>()
    for (const { json, count } of rows)
      for (const tag of JSON.parse(json)) counts.set(tag, (counts.get(tag) ?? 0) + Number(count))
    return Array.from(counts, ([tag, documents]) => ({ tag, documents })).sort(
      (a, b) => b.documents - a.documents,
    )
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

  #newest = (safeId: string) => newestDocuments(this.#db, safeId)
}

const slashes = (path: ReturnType<typeof sql>) => sql`length(${path}) - length(replace(${path}, '/', ''))`

import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Database } from '../../storage/database.js'
import type { Schema } from '../../storage/schema.js'
import { newestDocuments } from './visible-documents.sql.js'

/** What takes the room in a Safe. */
export interface DocumentSizes {
  /** The folder that holds them all: empty, or ending with a slash. */
  top: string
  /** The folders in it, the largest first. One that equals `top` stands for the documents directly in it. */
  folders: FolderSize[]
  /** The largest folders and documents in these folders. */
  entries: EntrySize[]
  /** Whether these are all documents. */
  isWhole: boolean
  /** Of all documents. */
  bytes: number
  count: number
}

interface FolderSize {
  folder: string
  /** Bytes of text. */
  bytes: number
  count: number
}

interface EntrySize {
  /** One of the folders. */
  folder: string
  /** Of a document, or of a folder, then ending with a slash. */
  path: string
  /** Of a document. */
  title: string
  /** Bytes of text. */
  bytes: number
  /** Documents. */
  count: number
}

/** Of a Safe with more documents, the sizes of so many are read: one pass over them takes the event loop. */
const MOST_DOCUMENTS = 4_000

/** How much text the folders and documents of a Safe hold, two levels deep: the largest, read in one pass. */
export class DocumentSizesStore {
  readonly #db: Kysely<Schema>

  constructor({ read: db }: Pick<Database, 'read'>) {
    this.#db = db
  }

  async sizes(safeId: string, limit: number): Promise<DocumentSizes> {
    const top = await this.#top(safeId)
    // Characters as SQL counts them; what does not vary is written out, so that Postgres may group by it.
    const from = sql.lit([...top].length)
    const newest = newestDocuments(this.#db, safeId).limit(MOST_DOCUMENTS + 1)
    const { rows } = await sql<Row>`
      with sized as materialized (
        select path, title, substr(path, 1, ${from} + ${this.#slash(sql`substr(path, ${from} + 1)`)}) as folder,
          case when text_bytes > 0 then text_bytes when size > 0 then size else 1 end as bytes
        from (${newest}) as d),
      placed as (select folder, title, bytes, case ${this.#slash(sql`substr(path, length(folder) + 1)`)} when 0 then path
          else substr(path, 1, length(folder) + ${this.#slash(sql`substr(path, length(folder) + 1)`)}) end as path
        from sized),
      entries as (select folder, path, min(title) as title, sum(bytes) as bytes, count(*) as count from placed
        group by folder, path order by bytes desc, path limit ${sql.lit(limit)}),
      folders as (select folder, sum(bytes) as bytes, count(*) as count from sized
        group by folder order by bytes desc, folder limit ${sql.lit(limit)})
      select 'entry' as kind, folder, path, title, bytes, count from entries
      union all select 'folder', folder, '', '', bytes, count from folders
      union all select 'all', '', '', '', coalesce(sum(bytes), 0), count(*) from sized`.execute(this.#db)
    const read = rows.map(row => ({ ...row, bytes: Number(row.bytes), count: Number(row.count) }))
    const ofKind = (kind: Row['kind']) => read.filter(row => row.kind === kind).sort(byBytes)
    const [all] = ofKind('all')
    return {
      top,
      folders: ofKind('folder').map(({ folder, bytes, count }) => ({ folder, bytes, count })),
      entries: ofKind('entry').map(({ folder, path, title, bytes, count }) => {
        return { folder, path, title: path.endsWith('/') ? '' : title, bytes, count }
      }),
      isWhole: (all?.count ?? 0) <= MOST_DOCUMENTS,
      bytes: all?.bytes ?? 0,
      count: all?.count ?? 0,
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

  /** Where the first slash of a text stands; 0: nowhere. */
  #slash(text: ReturnType<typeof sql>) {
    const isPostgres = this.#db.getExecutor().adapter instanceof PostgresAdapter
    return isPostgres ? sql`strpos(${text}, '/')` : sql`instr(${text}, '/')`
  }
}

interface Row {
  kind: 'entry' | 'folder' | 'all'
  folder: string
  path: string
  title: string
  bytes: number | string
  count: number | string
}

const byBytes = (one: { bytes: number; path: string; folder: string }, other: typeof one) =>
  other.bytes - one.bytes || (one.path + one.folder < other.path + other.folder ? -1 : 1)

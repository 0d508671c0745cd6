import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { normalForm } from '../../common/normal-form.js'

/**
 * What was imported as documents, so that it can be read as a whole (ADR 70). Until they are imported again, documents
 * of earlier imports consist of their passages.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? sql`text collate "C"` : sql`text`
  const bytes = isPostgres ? sql`bytea` : sql`blob`
  const end = sql`without rowid`
  const documents = db.schema
    .createTable('documents')
    .ifNotExists()
    .addColumn('safe_id', text, c => c.notNull())
    .addColumn('import_id', 'bigint', c => c.notNull())
    .addColumn('id', 'integer', c => c.notNull())
    .addColumn('path', text, c => c.notNull())
    .addColumn('name_key', text, c => c.notNull())
    .addColumn('title', text, c => c.notNull())
    .addColumn('kind', text, c => c.notNull())
    .addColumn('kept', text, c => c.notNull())
    .addColumn('size', 'bigint', c => c.notNull())
    .addColumn('text_bytes', 'bigint', c => c.notNull())
    .addColumn('parts', 'integer', c => c.notNull())
    .addColumn('time', 'bigint')
    .addColumn('tags_json', text, c => c.notNull())
    .addColumn('content_hash', text, c => c.notNull())
    .addPrimaryKeyConstraint('documents_pk', ['safe_id', 'import_id', 'id'])
  await (isPostgres ? documents : documents.modifyEnd(end)).execute()
  await db.schema
    .createTable('document_texts')
    .ifNotExists()
    .addColumn('safe_id', text, c => c.notNull())
    .addColumn('import_id', 'bigint', c => c.notNull())
    .addColumn('document_id', 'integer', c => c.notNull())
    .addColumn('part', 'integer', c => c.notNull())
    .addColumn('bytes', bytes, c => c.notNull())
    .addPrimaryKeyConstraint('document_texts_pk', ['safe_id', 'import_id', 'document_id', 'part'])
    .execute()
  for (const [name, column] of [
    ['documents_path', 'path'],
    ['documents_name', 'name_key'],
  ] as const)
    await db.schema.createIndex(name).ifNotExists().on('documents').columns(['safe_id', column]).execute()

  const tables = await db.introspection.getTables()
  const existing = tables.find(({ name }) => name === 'passages')?.columns.map(({ name }) => name) ?? []
  // On SQLite an interrupted migration starts again, so columns may exist already.
  for (const column of ['document_id', 'line'])
    if (!existing.includes(column))
      await db.schema.alterTable('passages').addColumn(column, 'integer').execute()
  const where = sql`where document_id is not null`
  await sql`create index if not exists passages_document on passages (safe_id, import_id, document_id) ${where}`.execute(
    db,
  )
  await fromPassages(db)
}

interface PassageRow {
  safe_id: string
  import_id: number
  id: number
  document_id: number | null
  path: string | null
  kind: string
}

/** Passages that are given their document at once. */
const AT_ONCE = 2_000

/** Documents of earlier imports: a document has the id of its first passage. */
async function fromPassages(db: Kysely<unknown>): Promise<void> {
  let last = { safe_id: '', import_id: 0, id: 0 }
  let before: Place | null = null
  for (;;) {
    const { rows } = await sql<PassageRow>`
      select p.safe_id, p.import_id, p.id, p.document_id,
        coalesce(f.path, p.source, case when i.format = 'chats' then i.source || '/' || e.name else i.source end) as path,
        coalesce(i.format, 'sync') as kind
      from passages p
      left join imports i on i.safe_id = p.safe_id and i.id = p.import_id
      left join synced_files f on f.safe_id = p.safe_id and f.id = p.import_id
      left join entities e on e.safe_id = p.safe_id and e.import_id = p.import_id and e.key = p.entity_key
      where (p.safe_id, p.import_id, p.id) > (${last.safe_id}, ${last.import_id}, ${last.id})
      order by p.safe_id, p.import_id, p.id limit ${AT_ONCE}`.execute(db)
    for (const row of rows) before = (await addPassage(db, row, before)) ?? before
    const end = rows.at(-1)
    if (!end || rows.length < AT_ONCE) return
    last = end
  }
}

/** The document of the passage before, which is mostly that of the next one. */
interface Place {
  safe_id: string
  import_id: number
  path: string
  document: number
}

async function addPassage(db: Kysely<unknown>, row: PassageRow, before: Place | null): Promise<Place | null> {
  const { safe_id, import_id, id, path } = row
  const kind = kindOf(row.kind, path)
  if (kind === null || path === null || row.document_id !== null) return null
  const isSame = before?.safe_id === safe_id && before.import_id === import_id && before.path === path
  const document = isSame ? before.document : await documentAt(db, { safe_id, import_id, id, path, kind })
  await sql`update passages set document_id = ${document}
    where safe_id = ${safe_id} and import_id = ${import_id} and id = ${id}`.execute(db)
  return { safe_id, import_id, path, document }
}

/** The document with this path, which is made if there is none. */
async function documentAt(
  db: Kysely<unknown>,
  {
    safe_id,
    import_id,
    id,
    path,
    kind,
  }: { safe_id: string; import_id: number; id: number; path: string; kind: string },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from documents
    where safe_id = ${safe_id} and path = ${path} and import_id = ${import_id}`.execute(db)
  if (rows[0]) return rows[0].id
  const name = path.slice(path.lastIndexOf('/') + 1)
  await sql`insert into documents
    (safe_id, import_id, id, path, name_key, title, kind, kept, size, text_bytes, parts, time, tags_json, content_hash)
    values (${safe_id}, ${import_id}, ${id}, ${path}, ${nameKey(name)}, ${name.replace(EXTENSION, '')}, ${kind},
      'passages', 0, 0, 0, null, '[]', '')`.execute(db)
  return id
}

const EXTENSION = /\.[a-z0-9]{1,8}$/i
const KINDS: Record<string, string> = {
  md: 'markdown',
  mdx: 'markdown',
  markdown: 'markdown',
  htm: 'html',
  html: 'html',
  xhtml: 'html',
}

/** Null: rows of data, which are no document. */
function kindOf(format: string, path: string | null): string | null {
  if (['jsonl', 'ntriples', 'nquads', 'turtle', 'trig', 'csv'].includes(format)) return null
  if (format === 'chats') return 'chat'
  const extension =
    EXTENSION.exec(path ?? '')?.[0]
      .slice(1)
      .toLowerCase() ?? ''
  if (['pdf', 'docx', 'epub'].includes(extension)) return extension
  return KINDS[extension] ?? (format === 'markdown' ? 'markdown' : 'text')
}

/** As links look a document up: without its extension, in lower case, composed. */
const nameKey = (name: string) => normalForm(name.replace(EXTENSION, ''), 'NFC').toLowerCase()

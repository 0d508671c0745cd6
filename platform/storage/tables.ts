import { createHash } from 'node:crypto'
import type { Db, Schema } from './schema.js'
import { inPages } from './where.js'

/** The primary key of each table. Tables referenced by others come first. */
export const PRIMARY_KEYS: Record<keyof Schema, readonly string[]> = {
  service_keys: ['name'],
  accounts: ['id'],
  openid_identities: ['issuer', 'subject'],
  passkeys: ['id'],
  invitations: ['token_hash'],
  login_sessions: ['id_hash'],
  throttles: ['key'],
  safes: ['id'],
  memberships: ['safe_id', 'account_id'],
  removed_memberships: ['safe_id', 'account_id'],
  imports: ['safe_id', 'id'],
  entities: ['safe_id', 'import_id', 'key'],
  aliases: ['safe_id', 'import_id', 'entity_key', 'alias'],
  identities: ['safe_id', 'import_id', 'key'],
  distinct_entities: ['safe_id', 'key', 'other_key'],
  passages: ['safe_id', 'import_id', 'id'],
  relations: ['safe_id', 'import_id', 'id'],
  documents: ['safe_id', 'import_id', 'id'],
  document_texts: ['safe_id', 'import_id', 'document_id', 'part'],
  synced_folders: ['safe_id', 'id'],
  synced_files: ['safe_id', 'id'],
  kept_folders: ['safe_id', 'name'],
  single_valued: ['safe_id', 'predicate'],
  removed_statements: ['safe_id', 'id'],
  uploads: ['id'],
  clients: ['id'],
  connections: ['id'],
  authorization_requests: ['id_hash'],
  grants: ['connection_id'],
  access_tokens: ['connection_id', 'token_hash'],
  mcp_sessions: ['connection_id', 'id_hash'],
  activity: ['id'],
  document_reads: ['safe_id', 'path', 'day', 'connection_id'],
  proposals: ['id'],
  rejected_connections: ['safe_id', 'connection_id'],
  connection_days: ['connection_id', 'day'],
  index_snapshots: ['safe_id', 'content'],
  index_parts: ['safe_id', 'content', 'part'],
}

/** Tables that can be rebuilt from the others. They are not copied, and only Postgres has them. */
export const DERIVED: readonly (keyof Schema)[] = ['index_snapshots', 'index_parts']

export const TABLES = (Object.keys(PRIMARY_KEYS) as (keyof Schema)[]).filter(
  table => !DERIVED.includes(table),
)

/** Rows per statement; a passage may have 100,000 characters. */
const PAGE = 250

/** Name of the row of `service_keys` with the id that begins all keys in Redis. */
export const INSTALLATION = 'installation'

/** Makes the next start draw a new id: the data in Redis belongs to the previous database (docs/redis-keys.md). */
export async function drawIdAnew(db: Db): Promise<void> {
  const row = { name: INSTALLATION, value: '' }
  const insert = db.insertInto('service_keys').values(row)
  await insert.onConflict(c => c.column('name').doUpdateSet({ value: '' })).execute()
}

/** Name of the row of `service_keys` that marks a completed move. It belongs to a database, not to its content. */
export const MOVED = 'moved'

/** The contents of a table. */
export interface TableSum {
  table: string
  rows: number
  /** SHA-256 of all rows in key order, hex; the same in SQLite and Postgres. */
  sha256: string
}

type Row = Record<string, unknown>

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

/** Bytes are a `Buffer` with one driver and a `Uint8Array` with another. */
const asText = ([name, value]: [string, unknown]) =>
  value instanceof Uint8Array ? [name, Buffer.from(value).toString('base64')] : [name, value]

/** Passes the rows of a table to `take`, in pages and in key order, and hashes them. */
export async function forEachPage(
  db: Db,
  table: keyof Schema,
  take: (rows: Row[]) => Promise<void>,
): Promise<TableSum> {
  const hash = createHash('sha256')
  let count = 0
  const all = db.selectFrom(table as 'service_keys').selectAll()
  const copied = table === 'service_keys' ? all.where('name', 'not in', [MOVED, INSTALLATION]) : all
  const key = Object.fromEntries(PRIMARY_KEYS[table].map(column => [column, column as 'name']))
  for await (const rows of inPages(copied, key, PAGE)) {
    await take(rows as unknown as Row[])
    for (const row of rows) hash.update(`${JSON.stringify(Object.entries(row).sort(byName).map(asText))}\n`)
    count += rows.length
  }
  return { table, rows: count, sha256: hash.digest('hex') }
}

/** Adds rows that do not exist yet. */
export async function insertRows(db: Db, table: keyof Schema, rows: Row[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto(table)
    .values(rows as never)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

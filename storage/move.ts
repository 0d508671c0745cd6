import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from './database.js'
import type { Schema } from './schema.js'

/** The primary key of each table. Tables referenced by others come first. */
const PRIMARY_KEYS: Record<keyof Schema, readonly string[]> = {
  service_keys: ['name'],
  accounts: ['id'],
  invitations: ['token_hash'],
  login_sessions: ['id_hash'],
  throttles: ['key'],
  safes: ['id'],
  memberships: ['safe_id', 'account_id'],
  removed_memberships: ['safe_id', 'account_id'],
  imports: ['safe_id', 'id'],
  entities: ['safe_id', 'import_id', 'key'],
  aliases: ['safe_id', 'import_id', 'entity_key', 'alias'],
  passages: ['safe_id', 'import_id', 'id'],
  relations: ['safe_id', 'import_id', 'id'],
  synced_folders: ['safe_id', 'id'],
  synced_files: ['safe_id', 'id'],
  uploads: ['id'],
  clients: ['id'],
  connections: ['id'],
  authorization_requests: ['id_hash'],
  grants: ['connection_id'],
  access_tokens: ['connection_id', 'token_hash'],
  mcp_sessions: ['connection_id', 'id_hash'],
  activity: ['id'],
  proposals: ['id'],
  rejected_connections: ['safe_id', 'connection_id'],
  connection_days: ['connection_id', 'day'],
}
const TABLES = Object.keys(PRIMARY_KEYS) as (keyof Schema)[]

/** Rows per statement; a passage may have 100,000 characters. */
const PAGE = 250

/** Name of the row of `service_keys` that marks a completed move at the target. */
const DONE = 'moved'

/** A move that cannot start or continue. The message is for the user. */
export class MoveRefused extends Error {}

export interface MovedTable {
  table: string
  rows: number
  /** SHA-256 of all rows in key order, hex; the same on both sides. */
  sha256: string
}

/**
 * Copies all tables into an empty database and verifies them. An interrupted move continues when called
 * again; a completed one is only verified. Blocks writes to the source.
 * @throws MoveRefused when the target belongs to another installation, or differs after copying
 */
export function moveInstallation(
  from: Database,
  to: Database,
  onTable: (moved: MovedTable) => void,
): Promise<MovedTable[]> {
  // One transaction: other writers wait or fail, and all tables are read in the same state.
  return from.write(async source => {
    const done = await isDone(source, to.read)
    const moved: MovedTable[] = []
    for (const table of TABLES) {
      const read = await forEachPage(source, table, async rows => {
        if (!done) await insert(to, table, rows)
      })
      const written = await forEachPage(to.read, table, async () => {})
      if (written.sha256 !== read.sha256) throw differs(read, written, done)
      moved.push(read)
      onTable(read)
    }
    if (!done)
      await to.write(trx => trx.insertInto('service_keys').values({ name: DONE, value: 'yes' }).execute())
    return moved
  })
}

/** Whether the move was completed before. @throws MoveRefused */
async function isDone(source: Kysely<Schema>, target: Kysely<Schema>): Promise<boolean> {
  const key = await serviceKey(source, 'main')
  if (key === null) throw new MoveRefused('There is nothing to move: no service has used this folder yet.')
  if ((await serviceKey(target, 'main')) === key) return (await serviceKey(target, DONE)) !== null
  for (const table of TABLES) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target)
    if (rows.length > 0) {
      throw new MoveRefused(
        `The database belongs to another installation: its table ${table} is not empty. Nothing was changed. Use an empty database.`,
      )
    }
  }
  return false
}

async function serviceKey(db: Kysely<Schema>, name: string): Promise<string | null> {
  const row = await db.selectFrom('service_keys').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

function differs(read: MovedTable, written: MovedTable, done: boolean): MoveRefused {
  const counts = `${read.rows} rows in the source, ${written.rows} in the target`
  return new MoveRefused(
    done
      ? `The move was completed before, but table ${read.table} has changed since (${counts}). Nothing was changed.`
      : `Table ${read.table} differs between source and target (${counts}). Empty the target and move again.`,
  )
}

type Row = Record<string, unknown>

/** Passes the rows of a table to `take`, in pages and in key order, and hashes them. */
async function forEachPage(
  db: Kysely<Schema>,
  table: keyof Schema,
  take: (rows: Row[]) => Promise<void>,
): Promise<MovedTable> {
  const hash = createHash('sha256')
  let count = 0
  for (let last: Row | null = null; ; ) {
    const rows = await page(db, table, last)
    await take(rows)
    for (const row of rows) hash.update(`${JSON.stringify(Object.entries(row).sort())}\n`)
    count += rows.length
    last = rows.at(-1) ?? null
    if (rows.length < PAGE) return { table, rows: count, sha256: hash.digest('hex') }
  }
}

async function page(db: Kysely<Schema>, table: keyof Schema, last: Row | null): Promise<Row[]> {
  const key = PRIMARY_KEYS[table]
  const columns = sql.join(key.map(column => sql.ref(column)))
  const after = last ? sql`(${columns}) > (${sql.join(key.map(column => last[column]))})` : sql`1 = 1`
  const notMarker = table === 'service_keys' ? sql`name <> ${DONE}` : sql`1 = 1`
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${after} and ${notMarker}
    order by ${columns} limit ${PAGE}`.execute(db)
  return rows
}

async function insert(to: Database, table: keyof Schema, rows: Row[]): Promise<void> {
  if (rows.length === 0) return
  await to.write(trx =>
    trx
      .insertInto(table)
      .values(rows as never)
      .onConflict(conflict => conflict.doNothing())
      .execute(),
  )
}

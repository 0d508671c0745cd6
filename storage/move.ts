import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from './database.js'
import type { Schema } from './schema.js'

/** What identifies a row, for every table; those that others refer to come first. */
const KEYS: Record<keyof Schema, readonly string[]> = {
  service_keys: ['name'],
  accounts: ['id'],
  invitations: ['token_hash'],
  login_sessions: ['id_hash'],
  throttles: ['key'],
  safes: ['id'],
  memberships: ['safe_id', 'account_id'],
  imports: ['safe_id', 'id'],
  entities: ['safe_id', 'import_id', 'key'],
  aliases: ['safe_id', 'import_id', 'entity_key', 'alias'],
  passages: ['safe_id', 'import_id', 'id'],
  relations: ['safe_id', 'import_id', 'id'],
  clients: ['id'],
  connections: ['id'],
  authorization_requests: ['id_hash'],
  grants: ['connection_id'],
  access_tokens: ['connection_id', 'token_hash'],
  mcp_sessions: ['connection_id', 'id_hash'],
}
const TABLES = Object.keys(KEYS) as (keyof Schema)[]

/** Rows of one statement; a passage may have 100,000 characters. */
const PAGE = 250

/** A row of `service_keys` at the target: all was copied and compared. */
const DONE = 'moved'

/** Why nothing, or nothing more, was written. The message is for the person who asked. */
export class MoveRefused extends Error {}

export interface MovedTable {
  table: string
  rows: number
  /** SHA-256 over all rows in the order of their keys, hex; the same on both sides. */
  sha256: string
}

/**
 * Copies everything into an empty database, and compares. Broken off, it goes on where it is called again; done, it
 * only compares. Nobody writes into the source meanwhile.
 * @throws MoveRefused when the target is somebody else's, or holds something else in the end
 */
export function moveInstallation(
  from: Database,
  to: Database,
  onTable: (moved: MovedTable) => void,
): Promise<MovedTable[]> {
  // One transaction: other writers wait or are refused, and all is read as it was at one moment.
  return from.write(async source => {
    const done = await isDone(source, to.read)
    const moved: MovedTable[] = []
    for (const table of TABLES) {
      const read = await passThrough(source, table, async rows => {
        if (!done) await insert(to, table, rows)
      })
      const written = await passThrough(to.read, table, async () => {})
      if (written.sha256 !== read.sha256) throw differs(read, written, done)
      moved.push(read)
      onTable(read)
    }
    if (!done)
      await to.write(trx => trx.insertInto('service_keys').values({ name: DONE, value: 'yes' }).execute())
    return moved
  })
}

/** Whether all was copied before. @throws MoveRefused */
async function isDone(source: Kysely<Schema>, target: Kysely<Schema>): Promise<boolean> {
  const key = await serviceKey(source, 'main')
  if (key === null) throw new MoveRefused('There is nothing to move: no service has run on this folder yet.')
  if ((await serviceKey(target, 'main')) === key) return (await serviceKey(target, DONE)) !== null
  for (const table of TABLES) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(target)
    if (rows.length > 0) {
      throw new MoveRefused(
        `The database belongs to another installation: its table ${table} is not empty. Nothing was changed. Give an empty database.`,
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
  const counts = `${read.rows} rows here, ${written.rows} there`
  return new MoveRefused(
    done
      ? `Everything was moved before, and table ${read.table} has changed since (${counts}). Nothing was changed now.`
      : `Table ${read.table} is not the same on both sides (${counts}). Empty the target and move again.`,
  )
}

type Row = Record<string, unknown>

/** Hands a table's rows on, in pages, in the order of their keys. */
async function passThrough(
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
  const key = KEYS[table]
  const columns = sql.join(key.map(column => sql.ref(column)))
  const after = last ? sql`(${columns}) > (${sql.join(key.map(column => last[column]))})` : sql`1 = 1`
  const mine = table === 'service_keys' ? sql`name <> ${DONE}` : sql`1 = 1`
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${after} and ${mine}
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

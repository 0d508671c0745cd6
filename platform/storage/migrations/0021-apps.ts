import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Which app a connection is of, and its powers: so that an app that connects again is one row with its earlier choices (ADR 46). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  const tables = await db.introspection.getTables()
  const existing = tables.find(({ name }) => name === 'connections')?.columns.map(({ name }) => name) ?? []
  // On SQLite an interrupted migration starts again, so columns may exist already.
  for (const column of ['app', 'powers'])
    if (!existing.includes(column))
      await db.schema.alterTable('connections').addColumn(column, text).execute()
  // Before the index, because this is what it finds. Other clients are recognised from their next approval on.
  for (let changed = BATCH; changed >= BATCH; ) {
    const { numAffectedRows } = await sql`update connections set app = resource || ' ' || client_id
      where id in (select id from connections where app is null and client_id like 'https://%'
        and length(client_id) <= ${sql.lit(LONGEST_ID)} limit ${sql.lit(BATCH)})`.execute(db)
    changed = Number(numAffectedRows ?? 0)
  }
  for (const index of [
    sql`create index if not exists connections_app on connections (account_id, app, created_at, id)
      where app is not null`,
    sql`create index if not exists connections_app_open on connections (account_id, app, created_at, id)
      where revoked_at is null`,
    sql`create index if not exists connections_app_ended on connections (account_id, app, revoked_at, id)
      where revoked_at is not null`,
  ])
    await index.execute(db)
}

const BATCH = 1000

/** Longer ones are hashed when they connect again (`domain/oauth/clients/app.ts`). */
const LONGEST_ID = 400

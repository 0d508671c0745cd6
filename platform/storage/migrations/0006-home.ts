import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** What an account has seen of its activity, whether it has asked a question, and what waits for its decision. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  const tables = await db.introspection.getTables()
  const existing = tables.find(({ name }) => name === 'accounts')?.columns.map(({ name }) => name) ?? []
  // On SQLite an interrupted migration starts again, so columns may exist already.
  if (!existing.includes('asked_at'))
    await db.schema.alterTable('accounts').addColumn('asked_at', 'bigint').execute()
  if (!existing.includes('seen_activity'))
    await db.schema.alterTable('accounts').addColumn('seen_activity', text).execute()
  // What happened before is not news.
  await sql`update accounts set seen_activity = (select max(id) from activity) where seen_activity is null`.execute(
    db,
  )
  for (const index of [
    sql`create index if not exists activity_notices on activity (account_id, id) where kind in
      ('connected', 'refresh-reused', 'import-failed', 'signed-in-new', 'reset-link', 'password-reset')`,
    sql`create index if not exists imports_open on imports (created_by, created_at)
      where status in ('staged', 'failed')`,
  ])
    await index.execute(db)
}

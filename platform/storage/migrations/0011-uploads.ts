import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** What the HTTP API has received, until it is used or expires (ADR 57). The bytes are files in the data folder. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('uploads')
    .ifNotExists()
    .addColumn('id', text, c => c.primaryKey())
    .addColumn('account_id', text, c => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('safe_id', text, c => c.notNull().references('safes.id').onDelete('cascade'))
    .addColumn('kind', text, c => c.notNull())
    .addColumn('name', text, c => c.notNull())
    .addColumn('bytes', 'bigint', c => c.notNull())
    .addColumn('run_json', text)
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  for (const index of [
    sql`create index if not exists uploads_account on uploads (account_id)`,
    sql`create index if not exists uploads_safe on uploads (safe_id)`,
    sql`create index if not exists uploads_expiry on uploads (expires_at)`,
  ])
    await index.execute(db)
}

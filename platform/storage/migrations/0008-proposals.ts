import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** What assistants propose to add to a Safe, until an owner decides (ADR 53). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('proposals')
    .ifNotExists()
    .addColumn('id', text, c => c.primaryKey())
    .addColumn('safe_id', text, c => c.notNull().references('safes.id').onDelete('cascade'))
    .addColumn('account_id', text, c => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('connection_id', text, c => c.notNull())
    .addColumn('status', text, c => c.notNull())
    .addColumn('content_hash', text, c => c.notNull())
    .addColumn('statements_json', text, c => c.notNull())
    .addColumn('note', text)
    .addColumn('source', text)
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addUniqueConstraint('proposals_content', ['safe_id', 'content_hash'])
    .execute()
  for (const index of [
    sql`create index if not exists proposals_pending on proposals (safe_id, created_at, id) where status = 'pending'`,
    sql`create index if not exists proposals_connection on proposals (connection_id, created_at)`,
    sql`create index if not exists proposals_account on proposals (account_id)`,
    sql`create index if not exists proposals_expiry on proposals (expires_at)`,
  ])
    await index.execute(db)
  await db.schema
    .createTable('rejected_connections')
    .ifNotExists()
    .addColumn('safe_id', text, c => c.notNull().references('safes.id').onDelete('cascade'))
    .addColumn('connection_id', text, c => c.notNull().references('connections.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('rejected_connections_pk', ['safe_id', 'connection_id'])
    .execute()
  await sql`create index if not exists rejected_connections_connection on rejected_connections (connection_id)`.execute(
    db,
  )
}

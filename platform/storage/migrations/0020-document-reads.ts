import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** How often assistants read documents, by day (ADR 71). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? sql`text collate "C"` : sql`text`
  const table = db.schema
    .createTable('document_reads')
    .ifNotExists()
    .addColumn('safe_id', text, c => c.notNull())
    .addColumn('path', text, c => c.notNull())
    .addColumn('day', 'integer', c => c.notNull())
    .addColumn('connection_id', text, c => c.notNull())
    .addColumn('account_id', text, c => c.notNull())
    .addColumn('times', 'integer', c => c.notNull())
    .addColumn('last_at', 'bigint', c => c.notNull())
    .addColumn('parts', text, c => c.notNull())
    .addPrimaryKeyConstraint('document_reads_pk', ['safe_id', 'path', 'day', 'connection_id'])
  await (isPostgres ? table : table.modifyEnd(sql`without rowid`)).execute()
  for (const column of ['day', 'account_id'])
    await db.schema
      .createIndex(`document_reads_${column}`)
      .ifNotExists()
      .on('document_reads')
      .column(column)
      .execute()
}

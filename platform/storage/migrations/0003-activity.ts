import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Adds what assistants and people did (ADR 43), the calls of connections by day, and whether the questions of a
 * connection are kept.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = isPostgres(db) ? sql`text collate "C"` : 'text'
  await db.schema
    .createTable('activity')
    .ifNotExists()
    .addColumn('id', text, c => c.primaryKey())
    .addColumn('account_id', text, c => c.notNull())
    .addColumn('kind', text, c => c.notNull())
    .addColumn('safe_id', text)
    .addColumn('connection_id', text)
    .addColumn('detail', text)
    .addColumn('facts', 'integer', c => c.notNull())
    .addColumn('passages', 'integer', c => c.notNull())
    .addColumn('question', text)
    .addColumn('read_json', text)
    .execute()
  await db.schema
    .createTable('connection_days')
    .ifNotExists()
    .addColumn('connection_id', text, c => c.notNull().references('connections.id').onDelete('cascade'))
    .addColumn('day', 'integer', c => c.notNull())
    .addColumn('calls', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('connection_days_pk', ['connection_id', 'day'])
    .execute()
  for (const statement of [
    sql`create index if not exists activity_account on activity (account_id, id)`,
    sql`create index if not exists activity_safe on activity (safe_id, id) where safe_id is not null`,
    sql`create index if not exists activity_connection on activity (connection_id, id)
      where connection_id is not null`,
    sql`create index if not exists connection_days_day on connection_days (day)`,
  ]) {
    await statement.execute(db)
  }
  // On SQLite an interrupted migration starts again, so the column may exist already.
  if (await hasColumn(db, 'connections', 'keep_questions')) return
  await db.schema
    .alterTable('connections')
    .addColumn('keep_questions', 'integer', c => c.notNull().defaultTo(1))
    .execute()
}

async function hasColumn(db: Kysely<unknown>, table: string, column: string): Promise<boolean> {
  const tables = await db.introspection.getTables()
  return tables.some(({ name, columns }) => name === table && columns.some(({ name }) => name === column))
}

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter

import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Keeps undone imports and removed Safes for some days, so that they can be restored (ADR 45). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = isPostgres(db) ? sql`text collate "C"` : 'text'
  // On SQLite an interrupted migration starts again, so a column may exist already.
  const tables = await db.introspection.getTables()
  for (const [table, column] of [
    ['imports', 'restorable_until'],
    ['safes', 'restorable_until'],
  ] as const) {
    const columns = tables.find(({ name }) => name === table)?.columns ?? []
    if (columns.some(({ name }) => name === column)) continue
    await db.schema
      .alterTable(table)
      .addColumn(column, 'bigint', c => c.notNull().defaultTo(0))
      .execute()
  }
  await db.schema
    .createTable('removed_memberships')
    .ifNotExists()
    .addColumn('safe_id', text, c => c.notNull().references('safes.id').onDelete('cascade'))
    .addColumn('account_id', text, c => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('role', text, c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('removed_memberships_pk', ['safe_id', 'account_id'])
    .execute()
  for (const statement of [
    sql`create index if not exists imports_restorable on imports (safe_id, id) where restorable_until > 0`,
    sql`create index if not exists removed_memberships_account on removed_memberships (account_id, safe_id)`,
  ])
    await statement.execute(db)
}

const isPostgres = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter

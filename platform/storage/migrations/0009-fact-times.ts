import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** When facts are true and when they were learned, and predicates with one value at a time (ADR 55). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  // On SQLite an interrupted migration starts again, so a column may exist already.
  const tables = await db.introspection.getTables()
  const known = tables.find(({ name }) => name === 'relations')?.columns.map(({ name }) => name) ?? []
  for (const column of ['valid_from', 'valid_to', 'learned_on'])
    if (!known.includes(column)) await db.schema.alterTable('relations').addColumn(column, text).execute()
  await db.schema
    .createTable('single_valued')
    .ifNotExists()
    .addColumn('safe_id', text, c => c.notNull().references('safes.id').onDelete('cascade'))
    .addColumn('predicate', text, c => c.notNull())
    .addPrimaryKeyConstraint('single_valued_pk', ['safe_id', 'predicate'])
    .execute()
}

import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Which entities are the same, as imports say, and which are not, as owners say (ADR 56). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? sql`text collate "C"` : sql`text`
  const identities = db.schema
    .createTable('identities')
    .ifNotExists()
    .addColumn('safe_id', text, c => c.notNull())
    .addColumn('import_id', 'bigint', c => c.notNull())
    .addColumn('key', text, c => c.notNull())
    .addColumn('same_as', text, c => c.notNull())
    .addPrimaryKeyConstraint('identities_pk', ['safe_id', 'import_id', 'key'])
  // Clustered by import, like the other rows of imports.
  await (isPostgres ? identities : identities.modifyEnd(sql`without rowid`)).execute()
  await db.schema
    .createTable('distinct_entities')
    .ifNotExists()
    .addColumn('safe_id', text, c => c.notNull().references('safes.id').onDelete('cascade'))
    .addColumn('key', text, c => c.notNull())
    .addColumn('other_key', text, c => c.notNull())
    .addPrimaryKeyConstraint('distinct_entities_pk', ['safe_id', 'key', 'other_key'])
    .execute()
}

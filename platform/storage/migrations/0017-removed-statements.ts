import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Facts and passages that owners have removed from a Safe, whatever brings them again (ADR 45). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('removed_statements')
    .ifNotExists()
    .addColumn('safe_id', text, c => c.notNull().references('safes.id').onDelete('cascade'))
    .addColumn('id', text, c => c.notNull())
    .addColumn('kind', text, c => c.notNull())
    .addColumn('keys_json', text, c => c.notNull())
    .addColumn('shown_json', text, c => c.notNull())
    .addColumn('removed_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('removed_statements_pk', ['safe_id', 'id'])
    .execute()
}

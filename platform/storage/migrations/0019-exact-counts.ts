import type { Kysely } from 'kysely'

/** What a Safe holds at a version, as its index counts it (ADR 41). Nothing is counted yet: lists do that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tables = await db.introspection.getTables()
  const existing = tables.find(({ name }) => name === 'safes')?.columns.map(({ name }) => name) ?? []
  // On SQLite an interrupted migration starts again, so columns may exist already.
  if (!existing.includes('counted_version'))
    await db.schema
      .alterTable('safes')
      .addColumn('counted_version', 'bigint', column => column.notNull().defaultTo(-1))
      .execute()
  if (!existing.includes('counted_json'))
    await db.schema.alterTable('safes').addColumn('counted_json', 'text').execute()
}

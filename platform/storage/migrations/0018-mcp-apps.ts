import type { Kysely } from 'kysely'

/** Whether the client of a session shows pages beside answers, which it says once, at `initialize` (ADR 39). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tables = await db.introspection.getTables()
  const columns = tables.find(({ name }) => name === 'mcp_sessions')?.columns ?? []
  // On SQLite an interrupted migration starts again, so the column may exist already.
  if (columns.some(({ name }) => name === 'shows_apps')) return
  await db.schema
    .alterTable('mcp_sessions')
    .addColumn('shows_apps', 'integer', column => column.notNull().defaultTo(0))
    .execute()
}

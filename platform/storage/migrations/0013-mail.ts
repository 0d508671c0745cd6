import type { Kysely } from 'kysely'

/** Whether an account gets notifications by e-mail: at first, everyone does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const tables = await db.introspection.getTables()
  const existing = tables.find(({ name }) => name === 'accounts')?.columns ?? []
  // On SQLite an interrupted migration starts again, so the column may exist already.
  if (existing.some(({ name }) => name === 'wants_mail')) return
  await db.schema
    .alterTable('accounts')
    .addColumn('wants_mail', 'integer', column => column.notNull().defaultTo(1))
    .execute()
}

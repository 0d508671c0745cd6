import { sql } from 'kysely'
import { MIGRATIONS } from '../../../platform/storage/migrate.js'

/** Gives this process two migrations after all those of the service, so that every release has some to run. */
export function addMigrations(): void {
  MIGRATIONS['8000-column'] = {
    up: async db => {
      const tables = await db.introspection.getTables()
      const columns = tables.find(({ name }) => name === 'safes')?.columns ?? []
      if (!columns.some(({ name }) => name === 'tested'))
        await db.schema.alterTable('safes').addColumn('tested', 'integer').execute()
      await sql`update safes set tested = 1 where tested is null`.execute(db)
      await sql`create index if not exists safes_tested on safes (tested)`.execute(db)
    },
  }
  MIGRATIONS['8001-table'] = {
    up: async db => {
      await db.schema.createTable('tests').ifNotExists().addColumn('id', 'integer').execute()
      await sql`create index if not exists tests_id on tests (id)`.execute(db)
    },
  }
}

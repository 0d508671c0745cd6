import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, Migrator, sql } from 'kysely'
import * as initial from './migrations/0001-initial.js'
import * as manyRows from './migrations/0002-many-rows.js'
import * as activity from './migrations/0003-activity.js'
import * as removed from './migrations/0004-removed.js'
import * as sharing from './migrations/0005-sharing.js'
import * as home from './migrations/0006-home.js'
import * as sync from './migrations/0007-sync.js'
import * as proposals from './migrations/0008-proposals.js'
import * as uploads from './migrations/0011-uploads.js'

const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-many-rows': manyRows,
  '0003-activity': activity,
  '0004-removed': removed,
  '0005-sharing': sharing,
  '0006-home': home,
  '0007-sync': sync,
  '0008-proposals': proposals,
  '0011-uploads': uploads,
}

/** Releases a lock. */
type Release = () => void | Promise<void>

/**
 * Migrates the tables to the latest version. `lock` serializes processes that start at the same time; all but
 * the first then find nothing to do.
 * @throws Error when the database was written by a newer version
 */
export async function migrate(db: Kysely<never>, lock: () => Promise<Release>): Promise<void> {
  await rejectNewerDatabase(db)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const pending = (await migrator.getMigrations()).filter(migration => !migration.executedAt)
  if (pending.length === 0) return
  const release = await lock()
  try {
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  } finally {
    await release()
  }
}

/** Kysely detects this only when migrations are pending, and this version would misread the tables. */
async function rejectNewerDatabase(db: Kysely<never>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(table => table.name === DEFAULT_MIGRATION_TABLE)) return
  const { rows } = await sql<{
    name: string
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  const unknown = rows.filter(({ name }) => !Object.hasOwn(migrations, name))
  if (unknown.length > 0) {
    throw new Error('The database was written by a newer version of this service. Start that version.')
  }
}

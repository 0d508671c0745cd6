import { join } from 'node:path'
import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, Migrator, sql } from 'kysely'
import * as initial from '../../migrations/0001-initial.js'
import { Unavailable } from '../unavailable.js'
import { acquireLock } from './lock.js'

const migrations: Record<string, Migration> = { '0001-initial': initial }

/**
 * Brings the tables up to date. Kysely's own migration lock does nothing on SQLite, so a lock file serves.
 * @throws Error when the database was written by a newer version
 */
export async function migrate(db: Kysely<never>, dataDir: string): Promise<void> {
  await refuseNewer(db)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const pending = (await migrator.getMigrations()).filter(migration => !migration.executedAt)
  if (pending.length === 0) return
  const release = await waitForLock(join(dataDir, 'migrate.lock'))
  try {
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  } finally {
    release()
  }
}

async function waitForLock(file: string): Promise<() => void> {
  const giveUpAt = Date.now() + 30_000
  for (;;) {
    const release = acquireLock(file)
    if (release) return release
    if (Date.now() > giveUpAt) throw new Unavailable('another process is migrating the database')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Kysely would not notice while nothing is pending, and the code of this version would misread the tables. */
async function refuseNewer(db: Kysely<never>): Promise<void> {
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

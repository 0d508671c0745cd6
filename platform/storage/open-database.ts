import { updateEnded } from './backup/kept-backups.js'
import type { Database, DatabaseLocation, DatabaseOptions } from './database.js'
import type { BeforeUpdate } from './migrate.js'
import { openSqlite, openSqliteReader } from './sqlite/sqlite.js'

/** Opens the database and migrates its tables, after a backup of what is in them. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const beforeUpdate: BeforeUpdate = async () => {
    options.onUpdate?.()
    await (await import('./backup/make-backup.js')).backupBeforeUpdate(options)
  }
  const database = options.databaseUrl
    ? await (await postgres()).openPostgres(options.databaseUrl, beforeUpdate)
    : await openSqlite(options, beforeUpdate)
  updateEnded(options.dataDir)
  return database
}

/** Opens an additional connection for another thread, which writes derived data at most. Runs no migrations. */
export const openReader = async ({
  dataDir,
  databaseUrl,
}: DatabaseLocation): Promise<Pick<Database, 'read'>> => ({
  read: databaseUrl ? (await postgres()).openPostgresReader(databaseUrl) : await openSqliteReader(dataDir),
})

/** Loaded on demand, for a faster start without Postgres. */
const postgres = () => import('./postgres/postgres.js')

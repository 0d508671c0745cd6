import type { Database, DatabaseLocation, DatabaseOptions } from './database.js'
import type { BeforeUpdate } from './migrate.js'
import { openSqlite, openSqliteReader } from './sqlite/sqlite.js'

/** Opens the database and migrates its tables, after a backup of what is in them. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const beforeUpdate: BeforeUpdate = async next =>
    (await import('./backup/before-update.js')).backupBeforeUpdate(options, next)
  if (!options.databaseUrl) return openSqlite(options, beforeUpdate)
  return (await postgres()).openPostgres(options.databaseUrl, beforeUpdate)
}

/** Opens an additional connection for another thread, which writes at most what is derived. Runs no migrations. */
export const openReader = async ({
  dataDir,
  databaseUrl,
}: DatabaseLocation): Promise<Pick<Database, 'read'>> => ({
  read: databaseUrl ? (await postgres()).openPostgresReader(databaseUrl) : await openSqliteReader(dataDir),
})

/** Loaded on demand, for a faster start without Postgres. */
const postgres = () => import('./postgres/postgres.js')

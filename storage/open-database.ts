import type { Database, DatabaseLocation, DatabaseOptions } from './database.js'
import { openSqlite, openSqliteReader } from './sqlite/sqlite.js'

/** Opens the database and migrates its tables. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl ? (await postgres()).openPostgres(options.databaseUrl) : openSqlite(options)
}

/** Opens an additional read-only connection for another thread. Runs no migrations. */
export const openReader = async ({
  dataDir,
  databaseUrl,
}: DatabaseLocation): Promise<Pick<Database, 'read'>> => ({
  read: databaseUrl ? (await postgres()).openPostgresReader(databaseUrl) : await openSqliteReader(dataDir),
})

/** Loaded on demand, for a faster start without Postgres. */
const postgres = () => import('./postgres/postgres.js')

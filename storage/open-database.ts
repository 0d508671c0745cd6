import type { Database, DatabaseLocation, DatabaseOptions } from './database.js'
import { openSqlite, openSqliteReader } from './sqlite/sqlite.js'

/** Opens the database and brings its tables up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl ? (await postgres()).openPostgres(options.databaseUrl) : openSqlite(options)
}

/** A further connection that only reads, for another thread; whoever opened the database first keeps its tables. */
export const openReader = async ({
  dataDir,
  databaseUrl,
}: DatabaseLocation): Promise<Pick<Database, 'read'>> => ({
  read: databaseUrl ? (await postgres()).openPostgresReader(databaseUrl) : await openSqliteReader(dataDir),
})

/** Loaded where it is needed: a start without it is quicker. */
const postgres = () => import('./postgres/postgres.js')

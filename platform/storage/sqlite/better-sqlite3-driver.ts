import Sqlite from 'better-sqlite3'
import type { SqliteDriver } from './sqlite-driver.js'

/** better-sqlite3 13, for Node 22 and later. */
export const betterSqlite3: SqliteDriver = {
  open: (file, busyTimeout) => new Sqlite(file, { timeout: busyTimeout }),
}

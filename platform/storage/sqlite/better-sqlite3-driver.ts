import Sqlite from 'better-sqlite3'
import type { SqliteDriver, SqliteFile, SqliteStatement } from './sqlite-driver.js'

/** better-sqlite3 13, for Node 22 and later. */
export const betterSqlite3: SqliteDriver = {
  open(file: string, busyTimeout: number): SqliteFile {
    const db = new Sqlite(file, { timeout: busyTimeout })
    return {
      prepare: sql => db.prepare(sql) as SqliteStatement,
      exec: sql => {
        db.exec(sql)
      },
      close: () => {
        db.close()
      },
    }
  },
}

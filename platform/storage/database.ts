import type { CompiledQuery } from 'kysely'
import type { Db } from './schema.js'
import type { SqliteDriverName } from './sqlite/sqlite-driver.js'

/**
 * The database, as SQL stores use it. Reads and writes use separate connections, so that no transaction
 * delays a query; SQLite has one connection for reading and one for writing, behind a queue.
 */
export interface Database {
  /** For single SELECT statements only. */
  readonly read: Db
  /**
   * Prepares a statement that runs with every request; it is parsed once per connection. `query` must list
   * its columns: on Postgres, `*` fails once a newer version adds a column.
   */
  prepare<Row>(query: CompiledQuery<Row>): (...parameters: unknown[]) => Promise<Row[]>
  /**
   * Runs `work` in one short transaction. Work that decides by what it reads passes a `lockKey` (an id),
   * which serializes it with all other work under the same key. On SQLite all writers are serialized. `work`
   * may run again after a conflict on Postgres, so it must have no side effects outside the database.
   * @throws Unavailable after a few seconds
   */
  write<T>(work: (trx: Db) => Promise<T>, lockKey?: string): Promise<T>
  /** For long work, after each transaction: resolves after others have had their turn, which takes time only if they wait. */
  giveWay(): Promise<void>
  /** Resolves when the database answers a query; for `/readyz`. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Postgres at `databaseUrl`, otherwise SQLite in `dataDir`. */
export interface DatabaseLocation {
  dataDir: string
  databaseUrl?: string | null
}

export interface DatabaseOptions extends DatabaseLocation {
  /** On SQLite, only one server may open a folder; the CLI may open it at the same time. */
  role: 'server' | 'cli'
  /** Called before its tables are changed, which may take minutes. */
  onUpdate?: () => unknown
  /** For tests. Default: the driver for this version of Node. */
  sqliteDriver?: SqliteDriverName
}

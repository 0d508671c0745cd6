import type { CompiledQuery, Kysely } from 'kysely'
import type { Schema } from './schema.js'
import type { SqliteDriverName } from './sqlite/sqlite-driver.js'

/**
 * What the SQL stores are given. Reads and writes go separate ways, so that no transaction ever delays a query:
 * on SQLite a read connection and one writer behind a queue.
 */
export interface Database {
  /** For single SELECT statements. */
  readonly read: Kysely<Schema>
  /**
   * For what runs with every request: the database parses such a statement once for each of its connections. `query`
   * names its columns, because on Postgres a `*` would fail once a newer version has added one.
   */
  prepare<Row>(query: CompiledQuery<Row>): (...parameters: unknown[]) => Promise<Row[]>
  /**
   * Runs `work` as one short transaction. Work that judges by what it has read names what it judges `over` (an id):
   * it sees all that earlier work over the same has written, and later work waits for it. On SQLite all writers wait
   * for each other. `work` may be run again when Postgres broke it off, so it changes nothing but the database.
   * @throws Unavailable when that takes more than a few seconds
   */
  write<T>(work: (trx: Kysely<Schema>) => Promise<T>, over?: string): Promise<T>
  /** Whether a query is answered now; for `/readyz`. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Where the database is: with an address in Postgres, else in a file of the folder. */
export interface DatabasePlace {
  dataDir: string
  databaseUrl?: string | null
}

export interface DatabaseOptions extends DatabasePlace {
  /** On SQLite a server owns its folder alone; the CLI may work beside it. */
  role: 'server' | 'cli'
  /** For tests: the driver, whatever fits this Node otherwise. */
  sqliteDriver?: SqliteDriverName
}

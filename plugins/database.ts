import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { CompiledQuery, Kysely } from 'kysely'
import type { Schema } from './database/schema.js'
import { openSqlite, openSqliteReader } from './database/sqlite.js'
import type { SqliteDriverName } from './database/sqlite-driver.js'

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

/** Opens the database and brings its tables up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl ? (await postgres()).openPostgres(options.databaseUrl) : openSqlite(options)
}

/** A further connection that only reads, for another thread; whoever opened the database first keeps its tables. */
export const openReader = async ({
  dataDir,
  databaseUrl,
}: DatabasePlace): Promise<Pick<Database, 'read'>> => ({
  read: databaseUrl ? (await postgres()).openPostgresReader(databaseUrl) : await openSqliteReader(dataDir),
})

/** Loaded where it is needed: a start without it is quicker. */
const postgres = () => import('./database/postgres.js')

declare module 'fastify' {
  interface FastifyInstance {
    database: Database
  }
}

export default fp(
  async function databasePlugin(app: FastifyInstance, options: { role: 'server' | 'cli' }) {
    const { dataDir, databaseUrl } = app.config
    const database = await openDatabase({ dataDir, databaseUrl, role: options.role })
    app.decorate('database', database)
    app.addHook('onClose', () => database.close())
  },
  { name: 'database', dependencies: ['config'] },
)

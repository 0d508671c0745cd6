import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Kysely, sql } from 'kysely'
import { Checkpoints } from './database/checkpoints.js'
import { acquireLock } from './database/lock.js'
import { migrate } from './database/migrate.js'
import type { Schema } from './database/schema.js'
import { sqliteDialect } from './database/sqlite-dialect.js'

/**
 * What the SQL stores are given. Reads and writes go separate ways, so that no transaction ever delays a query:
 * on SQLite a read connection and one writer behind a queue.
 */
export interface Database {
  /** For single SELECT statements. */
  readonly read: Kysely<Schema>
  /**
   * Runs `work` as one short transaction that holds the write lock from its first statement on.
   * @throws Unavailable when the lock cannot be had within 5 s
   */
  write<T>(work: (trx: Kysely<Schema>) => Promise<T>): Promise<T>
  /** Whether a query is answered now; for `/readyz`. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface DatabaseOptions {
  dataDir: string
  /** A server owns its folder alone; the CLI may work beside it. */
  role: 'server' | 'cli'
}

/** Opens the embedded database and brings its tables up to date. */
export async function openDatabase({ dataDir, role }: DatabaseOptions): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const release = role === 'server' ? acquireLock(join(dataDir, 'server.lock')) : () => {}
  if (!release) {
    throw new Error(
      `Another server is already running on ${dataDir}. Stop it, or give this one its own DATA_DIR.`,
    )
  }
  const file = join(dataDir, 'svc.db')
  const writer = new Kysely<Schema>({ dialect: sqliteDialect(file, 'write') })
  const reader = new Kysely<Schema>({ dialect: sqliteDialect(file, 'read') })
  try {
    await migrate(writer as never, dataDir)
    chmodSync(file, 0o600)
  } catch (error) {
    await writer.destroy()
    release()
    throw error
  }
  const checkpoints = new Checkpoints(file)
  return {
    read: reader,
    write: work => writer.transaction().execute(work),
    ping: async () => {
      await sql`select 1`.execute(reader)
    },
    close: async () => {
      await checkpoints.close()
      await reader.destroy()
      await writer.destroy()
      release()
    },
  }
}

/** A further connection that only reads, for another thread; whoever opened the database first keeps its tables. */
export const openReader = (dataDir: string): Pick<Database, 'read'> => ({
  read: new Kysely<Schema>({ dialect: sqliteDialect(join(dataDir, 'svc.db'), 'read') }),
})

declare module 'fastify' {
  interface FastifyInstance {
    database: Database
  }
}

export default fp(
  async function databasePlugin(app: FastifyInstance, options: { role: 'server' | 'cli' }) {
    const database = await openDatabase({ dataDir: app.config.dataDir, role: options.role })
    app.decorate('database', database)
    app.addHook('onClose', () => database.close())
  },
  { name: 'database', dependencies: ['config'] },
)

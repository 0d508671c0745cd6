import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledQuery, Kysely, sql } from 'kysely'
import type { Database, DatabaseOptions } from '../database.js'
import { Unavailable } from '../unavailable.js'
import { Checkpoints } from './checkpoints.js'
import { acquireLock } from './lock.js'
import { migrate } from './migrate.js'
import type { Schema } from './schema.js'
import { sqliteDialect } from './sqlite-dialect.js'

/** The embedded database: a read connection, and one writer behind a queue. */
export async function openSqlite({ dataDir, role }: DatabaseOptions): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const release = role === 'server' ? acquireLock(join(dataDir, 'server.lock')) : () => {}
  if (!release) {
    throw new Error(
      `Another server is already running on ${dataDir}. Stop it, or give this one its own DATA_DIR.`,
    )
  }
  const file = join(dataDir, 'svc.db')
  const writer = new Kysely<Schema>({ dialect: sqliteDialect(file, 'write') })
  const reader = openSqliteReader(dataDir)
  try {
    await migrate(writer as never, () => waitForLock(join(dataDir, 'migrate.lock')))
    chmodSync(file, 0o600)
  } catch (error) {
    await writer.destroy()
    release()
    throw error
  }
  const checkpoints = new Checkpoints(file)
  return {
    read: reader,
    // The dialect keeps all that it has prepared.
    prepare:
      <Row>(query: CompiledQuery<Row>) =>
      async (...parameters: unknown[]) =>
        (await reader.executeQuery<Row>({ ...query, parameters })).rows,
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

export const openSqliteReader = (dataDir: string) =>
  new Kysely<Schema>({ dialect: sqliteDialect(join(dataDir, 'svc.db'), 'read') })

/** Kysely's own migration lock does nothing on SQLite, so a lock file serves. */
async function waitForLock(file: string): Promise<() => void> {
  const giveUpAt = Date.now() + 30_000
  for (;;) {
    const release = acquireLock(file)
    if (release) return release
    if (Date.now() > giveUpAt) throw new Unavailable('another process is migrating the database')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

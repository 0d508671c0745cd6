import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { type CompiledQuery, Kysely } from 'kysely'
import { Unavailable } from '../../common/unavailable.js'
import type { Database, DatabaseOptions } from '../database.js'
import { type BeforeUpdate, migrate } from '../migrate.js'
import type { Schema } from '../schema.js'
import { Checkpoints } from './checkpoints.js'
import { acquireLock } from './lock.js'
import { openConnection, type SqliteConnection, sqliteDialect } from './sqlite-dialect.js'
import type { SqliteDriverName } from './sqlite-driver.js'
import { WaitingWriters } from './waiting-writers.js'

/** Waiting processes retry every millisecond. */
const GIVE_WAY_MS = 2

/** Opens the embedded database: one connection for reading and one for writing, behind a queue. */
export async function openSqlite(
  { dataDir, role, sqliteDriver }: DatabaseOptions,
  beforeUpdate: BeforeUpdate,
): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const release = role === 'server' ? await acquireLock(join(dataDir, 'server.lock'), sqliteDriver) : () => {}
  if (!release) {
    throw new Error(
      `Another server is already running on ${dataDir}. Stop it, or give this one its own DATA_DIR.`,
    )
  }
  return open(dataDir, release, beforeUpdate, sqliteDriver).catch(error => {
    release()
    throw error
  })
}

async function open(
  dataDir: string,
  release: () => void,
  beforeUpdate: BeforeUpdate,
  driver?: SqliteDriverName,
): Promise<Database> {
  const file = join(dataDir, 'svc.db')
  const waiting = new WaitingWriters(join(dataDir, 'writers.waiting'))
  const writer = kysely(await openConnection(file, 'write', driver), waiting.mark)
  try {
    await migrate(writer as never, () => waitForLock(join(dataDir, 'migrate.lock'), driver), beforeUpdate)
    chmodSync(file, 0o600)
  } catch (error) {
    await writer.destroy()
    throw error
  }
  const connection = await openConnection(file, 'read', driver)
  const reader = kysely(connection)
  const checkpoints = new Checkpoints(file)
  return {
    read: reader,
    // Bypasses Kysely, whose overhead exceeds the cost of a prepared statement.
    prepare: <Row>({ sql }: CompiledQuery<Row>) => {
      const statement = connection.prepare(sql)
      return async (...parameters: unknown[]) => statement.all(parameters) as Row[]
    },
    write: work => writer.transaction().execute(work),
    // Writers of this process are first in the queue anyway.
    giveWay: () => (waiting.waited() ? sleep(GIVE_WAY_MS) : nextTurn()),
    ping: async () => {
      connection.prepare('select 1').all([])
    },
    close: async () => {
      await checkpoints.close()
      await reader.destroy()
      await writer.destroy()
      release()
    },
  }
}

/** The database of this folder for reading only, next to the server that writes to it. */
export const openSqliteReader = async (dataDir: string) =>
  kysely(await openConnection(join(dataDir, 'svc.db'), 'read'))

const kysely = (connection: SqliteConnection, onBusy?: () => void) =>
  new Kysely<Schema>({ dialect: sqliteDialect(connection, onBusy) })

/** Uses a lock file, because Kysely's own migration lock has no effect on SQLite. */
async function waitForLock(file: string, driver?: SqliteDriverName): Promise<() => void> {
  const giveUpAt = Date.now() + 30_000
  for (;;) {
    const release = await acquireLock(file, driver)
    if (release) return release
    if (Date.now() > giveUpAt) throw new Unavailable('another process is migrating the database')
    await sleep(50)
  }
}

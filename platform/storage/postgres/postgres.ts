import { createHash } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { type CompiledQuery, Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import { Client } from 'pg'
import { Unavailable } from '../../common/unavailable.js'
import type { Database } from '../database.js'
import { type BeforeUpdate, migrate } from '../migrate.js'
import type { Db, Schema } from '../schema.js'
import { CurrentServer } from './current-server.js'
import { keyedMutex } from './keyed-mutex.js'
import {
  isPostgresUnavailable,
  isTransactionConflict,
  type PostgresPoolOptions,
  postgresPool,
} from './postgres-pool.js'

/**
 * Without Kysely’s own migration lock, which belongs to a session: behind a pooler it is released in another one,
 * and is held forever. `migrate` uses our own lock instead.
 */
export class PooledPostgresDialect extends PostgresDialect {
  override createAdapter() {
    return new WithoutMigrationLock()
  }
}

class WithoutMigrationLock extends PostgresAdapter {
  override async acquireMigrationLock() {}
  override async releaseMigrationLock() {}
}

const CONNECTIONS = 10
/** For statements of requests, which take a few milliseconds. */
const QUERY_MS = 2500
/** For the index builder, which reads pages of rows in the background. */
const READER_QUERY_MS = 30_000
const MIGRATION_MS = 600_000
const MIGRATION_LOCK_TIMEOUT = '30s'
/** An arbitrary number, the same in all processes. */
const MIGRATION_LOCK = 7_368_118
const ATTEMPTS = 5

/** Opens Postgres. Any number of processes may share its tables. */
export async function openPostgres(url: string, beforeUpdate: BeforeUpdate): Promise<Database> {
  const server = new CurrentServer(url)
  await prepareDatabase(server, beforeUpdate)
  const names = new Map<string, string>()
  const db = open({ server, max: CONNECTIONS, queryMs: QUERY_MS, names })
  const withLock = keyedMutex(QUERY_MS)
  return {
    read: db,
    prepare: <Row>(query: CompiledQuery<Row>) => {
      names.set(query.sql, nameOf(query.sql))
      return async (...parameters: unknown[]) => (await db.executeQuery<Row>({ ...query, parameters })).rows
    },
    write: (work, lockKey) => {
      const transaction = () =>
        retryOnConflict(() =>
          db.transaction().execute(async trx => {
            if (lockKey !== undefined) await lockUntilEnd(trx, lockKey)
            return work(trx)
          }),
        )
      return lockKey === undefined ? transaction() : withLock(lockKey, transaction)
    },
    // Nobody waits: transactions run at the same time.
    giveWay: () => nextTurn(),
    ping: async () => {
      await sql`select 1`.execute(db)
    },
    close: () => db.destroy(),
  }
}

/** One connection that only reads, for a worker; statements may take longer than those of requests. */
export const openPostgresReader = (url: string) =>
  open({ server: new CurrentServer(url), max: 1, queryMs: READER_QUERY_MS })

/** Identical for the same text in every process and version, so that a session cannot have another text under it. */
const nameOf = (text: string) => `svc_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`

const open = (options: PostgresPoolOptions) =>
  new Kysely<Schema>({ dialect: new PooledPostgresDialect({ pool: postgresPool(options) }) })

/** Takes an advisory lock, which Postgres releases when the transaction ends. */
const lockUntilEnd = (trx: Db, key: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)

/** Retries a transaction that Postgres rolled back because of concurrent ones, e.g. after a deadlock. */
async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attemptsLeft = ATTEMPTS; ; attemptsLeft--) {
    try {
      return await attempt()
    } catch (error) {
      if (!isTransactionConflict(error)) throw error
      if (attemptsLeft <= 1) throw new Unavailable('the database is busy', { cause: error })
    }
    await sleep(Math.random() * 20)
  }
}

/** Checks the encoding and migrates the tables. */
async function prepareDatabase(server: CurrentServer, beforeUpdate: BeforeUpdate): Promise<void> {
  const db = open({ server, max: 2, queryMs: MIGRATION_MS })
  try {
    await requireUtf8(db)
    await migrate(db as never, () => migrationLock(server), beforeUpdate)
  } catch (error) {
    const { cause } = error as Error
    if (!(error instanceof Unavailable) || !(cause instanceof Error)) throw error
    // A host name with several addresses fails with one error per address and no message of its own.
    const [first] = cause instanceof AggregateError ? cause.errors : [cause]
    throw new Error(`DATABASE_URL: ${(first as Error).message}`, { cause })
  } finally {
    await db.destroy()
  }
}

async function requireUtf8(db: Db): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding`.execute(db)
  const encoding = rows[0]?.encoding
  if (encoding !== 'UTF8') {
    throw new Error(
      `DATABASE_URL: the database should be in UTF8, not ${encoding} (create database … encoding 'UTF8').`,
    )
  }
}

/**
 * Takes the lock on a separate connection, so that it is released when this process dies, and in a transaction, because
 * a pooler may use another session for the next one.
 */
async function migrationLock(server: CurrentServer): Promise<() => Promise<void>> {
  const { url } = await server.find()
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = '${MIGRATION_LOCK_TIMEOUT}'`)
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  } catch (error) {
    await client.end()
    throw isPostgresUnavailable(error)
      ? new Unavailable('another process is migrating', { cause: error })
      : error
  }
  return async () => {
    // Fails if the connection, and with it the lock, was lost.
    await client.query('commit').catch(() => {})
    await client.end()
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import { Client } from 'pg'
import { Unavailable } from '../../common/unavailable.js'
import type { Database } from '../database.js'
import { migrate } from '../migrate.js'
import type { Schema } from '../schema.js'
import { turns } from './keyed-mutex.js'
import { isBrokenOff, isPostgresAway, type PostgresPoolOptions, postgresPool } from './postgres-pool.js'

const CONNECTIONS = 10
/** Statements of requests take a few milliseconds. */
const QUERY_MS = 2500
/** Of the thread that builds indexes: pages of rows, for nobody who waits at a page. */
const READER_QUERY_MS = 30_000
const MIGRATION_MS = 600_000
const MIGRATION_PATIENCE = '30s'
/** Known to all processes; any number would do. */
const MIGRATION_LOCK = 7_368_118
const ATTEMPTS = 5

/** Postgres, whose tables any number of processes share. */
export async function openPostgres(url: string): Promise<Database> {
  await prepare(url)
  const names = new Map<string, string>()
  const db = open({ url, max: CONNECTIONS, queryMs: QUERY_MS, names })
  const inTurn = turns(QUERY_MS)
  return {
    read: db,
    prepare: <Row>(query: CompiledQuery<Row>) => {
      if (!names.has(query.sql)) names.set(query.sql, `svc_${names.size + 1}`)
      return async (...parameters: unknown[]) => (await db.executeQuery<Row>({ ...query, parameters })).rows
    },
    write: (work, over) => {
      const transaction = () =>
        again(() =>
          db.transaction().execute(async trx => {
            if (over !== undefined) await holdOver(trx, over)
            return work(trx)
          }),
        )
      return over === undefined ? transaction() : inTurn(over, transaction)
    },
    ping: async () => {
      await sql`select 1`.execute(db)
    },
    close: () => db.destroy(),
  }
}

export const openPostgresReader = (url: string) => open({ url, max: 1, queryMs: READER_QUERY_MS })

const open = (options: PostgresPoolOptions) =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool: postgresPool(options) }) })

/** Free again when the transaction ends, however it ends. */
const holdOver = (trx: Kysely<Schema>, over: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${over}, 0))`.execute(trx)

/** Once more when others at the same time broke it off (a deadlock); nothing of it was done then. */
async function again<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBrokenOff(error)) throw error
      if (left <= 1) throw new Unavailable('the database is busy', { cause: error })
    }
    await sleep(Math.random() * 20)
  }
}

/** Checks what is there and brings the tables up to date. */
async function prepare(url: string): Promise<void> {
  const db = open({ url, max: 2, queryMs: MIGRATION_MS })
  try {
    await refuseOtherEncodings(db)
    await migrate(db as never, () => migrationLock(url))
  } catch (error) {
    const { cause } = error as Error
    if (!(error instanceof Unavailable) || !(cause instanceof Error)) throw error
    // Of several addresses of one name each has its own error, and all together have no words.
    const [first] = cause instanceof AggregateError ? cause.errors : [cause]
    throw new Error(`DATABASE_URL: ${(first as Error).message}`, { cause })
  } finally {
    await db.destroy()
  }
}

async function refuseOtherEncodings(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding`.execute(db)
  const encoding = rows[0]?.encoding
  if (encoding !== 'UTF8') {
    throw new Error(
      `DATABASE_URL: the database should be in UTF8, not ${encoding} (create database … encoding 'UTF8').`,
    )
  }
}

/** Held by a connection of its own, so that it is free when this process dies. */
async function migrationLock(url: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(`set lock_timeout = '${MIGRATION_PATIENCE}'`)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  } catch (error) {
    await client.end()
    throw isPostgresAway(error) ? new Unavailable('another process is migrating', { cause: error }) : error
  }
  return () => client.end()
}

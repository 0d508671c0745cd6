import type { FastifyInstance } from 'fastify'
import type { Cluster, Redis } from 'ioredis'
import { sql } from 'kysely'
import type { Test } from 'tap'
import type { Database } from '../platform/storage/database.js'
import { INSTALLATION } from '../platform/storage/tables.js'
import { type Ignored, writesSoFar } from './write-log.js'

/** Counters of attempts, which rejected requests change as well. */
const COUNTERS = /^(?:throttles$|connection_days$|throttle:|oauth:register:)/

/** Derived from other tables, in Postgres only. */
const DERIVED = /^index_(?:snapshots|parts)$/

/**
 * Usage counts, which are written every few seconds, and the record of an answered token request, soon after the
 * answer.
 */
const USAGE: Record<string, readonly string[]> = {
  connections: ['calls', 'last_used_at'],
  grants: ['grace_pair'],
}
/** The same as fields of hashes. */
const ANSWERS = /^pair:/

const ignored: Ignored = { isIgnored: name => COUNTERS.test(name) || DERIVED.test(name), columns: USAGE }

/** Text that no error response may contain: codes, tokens, password hashes, and internals. */
const SECRET = /svc_(?:ac|at|rt)_\w|[?&]code=|\$scrypt\$|\n\s+at |node_modules|SQLITE_|NOSCRIPT/

interface ResponseLike {
  headers: Record<string, unknown>
  body: string
}

/**
 * Sends a request that should be rejected. Asserts that the stores are unchanged and that the response
 * contains no secret. The caller asserts the status.
 */
export async function refused<T extends ResponseLike>(
  t: Test,
  app: FastifyInstance,
  name: string,
  send: () => Promise<T>,
): Promise<T> {
  const response = await writesNothing(t, app, name, send)
  t.notMatch(`${JSON.stringify(response.headers)}\n${response.body}`, SECRET, `${name}: nothing leaked`)
  return response
}

/** Asserts that `work` leaves the stores unchanged. @returns its result */
export async function writesNothing<T>(
  t: Test,
  app: FastifyInstance,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const before = await traces(app)
  const result = await work()
  t.strictSame(await traces(app), before, `${name}: nothing written`)
  return result
}

/**
 * The differences after a write. With Redis, Postgres and in `npm run test:deep` they are the content of the stores,
 * otherwise the number of writes, which costs little and shows even a write that was undone by another.
 */
export async function traces(app: FastifyInstance): Promise<object> {
  if (app.redis || app.config.databaseUrl || process.env.DEEP) return stored(app)
  await app.activity.flush()
  return writesSoFar(app, ignored)
}

/** The content of the stores except counters and derived data: every row of every table, every key of Redis. */
export async function stored(app: FastifyInstance): Promise<Record<string, unknown>> {
  await app.activity.flush()
  return { ...(await tables(app.database)), ...(await keys(app)) }
}

/** Every row of every table, except counters and derived data. */
export async function tables(database: Database): Promise<Record<string, object[]>> {
  const found = (await database.read.introspection.getTables()).filter(({ name }) => !ignored.isIgnored(name))
  const contents: Record<string, object[]> = {}
  // Sequentially over one connection: each further connection to Postgres takes as long as all queries.
  for (const { name } of found) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(database.read)
    // A restore and a move draw a new id of the installation.
    const kept = rows
      .filter(row => !('name' in row && row.name === INSTALLATION && name === 'service_keys'))
      .map(row => without(row, USAGE[name] ?? []))
    // Postgres returns rows in no particular order.
    contents[name] = kept.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  return contents
}

/** Bytes as text: a `Buffer` and a `Uint8Array` of the same bytes are the same. */
const without = (row: object, columns: readonly string[]): object =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !columns.includes(name))
      .map(([name, value]) => [
        name,
        value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
      ]),
  )

async function keys({ redis }: FastifyInstance): Promise<Record<string, string>> {
  if (!redis) return {}
  const { keyPrefix = '' } = redis.options
  // The prefix is added to names, not to patterns.
  const all = (await redis.keys(`${keyPrefix}*`)).map(name => name.slice(keyPrefix.length))
  const names = all.filter(name => !COUNTERS.test(name)).sort()
  const contents = await Promise.all(names.map(name => contentOf(redis, name)))
  return Object.fromEntries(names.map((name, i) => [name, contents[i] ?? '']))
}

/** Its value as text. Not `DUMP`, whose compression differs from one time to the next. */
async function contentOf(redis: Redis | Cluster, name: string): Promise<string> {
  switch (await redis.type(name)) {
    case 'string':
      return (await redis.getBuffer(name))?.toString('latin1') ?? ''
    case 'hash':
      return JSON.stringify(
        Object.entries(await redis.hgetall(name))
          .filter(([field]) => !ANSWERS.test(field))
          .sort(),
      )
    case 'set':
      return JSON.stringify((await redis.smembers(name)).sort())
    case 'zset':
      return JSON.stringify(await redis.zrange(name, '0', '-1', 'WITHSCORES'))
    case 'list':
      return JSON.stringify(await redis.lrange(name, 0, -1))
    case 'none':
      return ''
    default:
      throw new Error(`${name} is of a type that is not compared`)
  }
}

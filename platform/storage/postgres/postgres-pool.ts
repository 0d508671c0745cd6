import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { type ClientBase, DatabaseError, Pool, type PoolClient, types } from 'pg'
import { errorsOf } from '../../common/domain-error.js'
import { Unavailable } from '../../common/unavailable.js'
import { measured, operationOf } from '../measured.js'
import { cancelStatement } from './cancel-statement.js'
import type { CurrentServer, PostgresAddress } from './current-server.js'

/**
 * How long a request waits for a connection. Together with `queryMs` it stays below the limit of five seconds
 * per request.
 */
const CONNECT_MS = 1500

/** How long a transaction may wait for this process. */
const IDLE_MS = 10_000

const INT8 = 20

export interface PostgresPoolOptions {
  server: CurrentServer
  /** Maximum number of connections. */
  max: number
  /** Time limit of a statement. */
  queryMs: number
  /** Names of prepared statements, by their text. */
  names?: Map<string, string>
}

/**
 * Opens a connection pool. Errors that mean that Postgres is unavailable are thrown as `Unavailable`, and the
 * connection is discarded, because its statement may still be running.
 */
export function postgresPool(options: PostgresPoolOptions): PostgresPool {
  const { server } = options
  let current: { address: PostgresAddress; pool: Pool } | null = null
  const open = async () => {
    const address = await server.find()
    if (current?.address.url === address.url) return current
    // Its connections lead to a server that no longer accepts writes. Those in use end when they are released.
    current?.pool.end().catch(() => {})
    current = { address, pool: openPool(address, options) }
    return current
  }
  return {
    connect: async () => {
      try {
        const { address, pool } = await open()
        const client = await measured('postgres', 'connect', () => pool.connect())
        return guarded(client, address, options)
      } catch (error) {
        server.failed(error)
        // A server that rejects the login (no such database, a wrong password) counts as unavailable.
        const isUnavailable = error instanceof DatabaseError || isPostgresUnavailable(error)
        throw isUnavailable ? new Unavailable('Postgres is unavailable', { cause: error }) : error
      }
    },
    end: async () => current?.pool.end(),
  }
}

function openPool({ url, pooler }: PostgresAddress, { max, queryMs }: PostgresPoolOptions): Pool {
  const limits = { statement_timeout: queryMs, idle_in_transaction_session_timeout: IDLE_MS }
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'svc',
    ...(pooler === 'none' ? limits : {}),
    ...(pooler === 'session' ? { onConnect: client => setLimits(client, limits) } : {}),
    // The server cancels first; the client's own limit covers a server or a network that no longer responds.
    query_timeout: pooler === 'transaction' ? queryMs : queryMs + 500,
    types: { getTypeParser },
  })
  // Without a listener, losing an idle connection would crash the process.
  pool.on('error', () => {})
  return pool
}

/** For poolers that do not pass these on when a connection opens. They reset a session before the next client gets it. */
async function setLimits(client: ClientBase, limits: Record<string, number>): Promise<void> {
  await client.query(
    Object.entries(limits)
      .map(([name, ms]) => `set ${name} = ${ms}`)
      .join('; '),
  )
}

/** Counts and times are integers far below 2^53, which pg would return as strings. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : types.getTypeParser(oid, format as 'text')
}

function guarded(
  client: PoolClient,
  { pooler }: PostgresAddress,
  { server, names }: PostgresPoolOptions,
): PostgresPoolClient {
  let lostWith: unknown = null
  let cancelled: Promise<void> | null = null
  // The pool listens to idle connections only; losing this one between two statements would crash the
  // process.
  const markLost = (error: unknown) => {
    lostWith = error
    server.failed(error)
  }
  client.on('error', markLost)
  const query = async (text: string, parameters: readonly unknown[]) => {
    // Further statements, such as a rollback, would only wait for another timeout.
    if (lostWith) throw new Unavailable('Postgres is unavailable', { cause: lostWith })
    const send = (name?: string) =>
      measured('postgres', operationOf(text), () =>
        client.query({ text, values: [...parameters], ...(name && { name }) }),
      )
    const name = pooler === 'transaction' ? undefined : names?.get(text)
    try {
      return await (name ? send(name).catch(error => withoutName(error, names, send)) : send())
    } catch (error) {
      if (error instanceof DatabaseError && error.code === PROGRAM_LIMIT_EXCEEDED)
        throw Object.assign(tooLong(), { cause: error })
      if (!isPostgresUnavailable(error)) throw error
      // Nothing else ends it if Postgres does not have our limit.
      if (pooler === 'transaction') cancelled = cancelStatement(client)
      markLost(error)
      throw new Unavailable('Postgres is unavailable', { cause: error })
    }
  }
  const release = () => {
    const end = () => {
      client.release(lostWith !== null)
      client.off('error', markLost)
    }
    if (cancelled) cancelled.then(end)
    else end()
  }
  return { query: query as never, release }
}

/**
 * The session does not have that statement: a pooler was added or changed since the start.
 * From now on no statement of this process has a name. Within a transaction, which has failed, this throws again.
 */
async function withoutName<T>(
  error: unknown,
  names: Map<string, string> | undefined,
  send: () => Promise<T>,
): Promise<T> {
  if (!isNameMissing(error)) throw error
  names?.clear()
  return send().catch(() => {
    throw error
  })
}

/** SQLSTATE of an index entry longer than 2,704 bytes (docs/scaling.md). */
const PROGRAM_LIMIT_EXCEEDED = '54000'

const { tooLong } = errorsOf({
  tooLong: '400 too_long: A name, or a name and its alias, is too long for an index of Postgres.',
})

/**
 * SQLSTATE classes and codes of temporary failures: connection, resources, operator intervention (shutdown,
 * statement timeout), read-only standby, lock timeout.
 */
const UNAVAILABLE_STATES = /^(08|53|57|58|25006$|55P03$)/

/** Messages of pg about lost connections, which have no code. */
const UNAVAILABLE_MESSAGES =
  /^(?:Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|The server does not support SSL|There was an error establishing an SSL)/

/** Codes of Node's argument errors, which are bugs and not network failures. */
const ARGUMENT_ERRORS = /^ERR_(?:INVALID|OUT_OF_RANGE|MISSING|BUFFER|ASSERTION|METHOD|UNKNOWN)/

/** Whether an error means that Postgres is unavailable, as opposed to a wrong statement or a bug. */
export function isPostgresUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseError) return UNAVAILABLE_STATES.test(error.code ?? '')
  // A host name with several addresses fails with one error per address.
  if (error instanceof AggregateError) return error.errors.some(isPostgresUnavailable)
  if (!(error instanceof Error)) return false
  const { code, message } = error as NodeJS.ErrnoException
  return (typeof code === 'string' && !ARGUMENT_ERRORS.test(code)) || UNAVAILABLE_MESSAGES.test(message)
}

/**
 * Whether Postgres rolled a transaction back because of concurrent ones, a deadlock or a serialization failure, or
 * because of the name of a statement, which its next attempt does without.
 */
export function isTransactionConflict(error: unknown): boolean {
  const isConflict = error instanceof DatabaseError && (error.code === '40P01' || error.code === '40001')
  return isConflict || isNameMissing(error)
}

/** SQLSTATE: a prepared statement does not exist, or exists already. */
const isNameMissing = (error: unknown) =>
  error instanceof DatabaseError && (error.code === '26000' || error.code === '42P05')

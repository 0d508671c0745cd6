import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, type PoolClient, types } from 'pg'
import { DomainError } from '../../common/domain-error.js'
import { storeCalls } from '../../common/events.js'
import { Unavailable } from '../../common/unavailable.js'
import { operationOf } from '../operation-of.js'

/**
 * How long a request waits for a connection. Together with `queryMs` it stays below the limit of five seconds
 * per request.
 */
const CONNECT_MS = 1500

const INT8 = 20

export interface PostgresPoolOptions {
  url: string
  /** Maximum number of connections. */
  max: number
  /** Time limit of a statement. */
  queryMs: number
  /** Names of prepared statements, by their text. */
  names?: ReadonlyMap<string, string>
}

/**
 * Opens a connection pool. Errors that mean that Postgres is unavailable are thrown as `Unavailable`, and the
 * connection is discarded, because its statement may still be running.
 */
export function postgresPool({ url, max, queryMs, names }: PostgresPoolOptions): PostgresPool {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'svc',
    // The server cancels first; the client's own limit covers a server or a network that no longer responds.
    statement_timeout: queryMs,
    query_timeout: queryMs + 500,
    idle_in_transaction_session_timeout: 10_000,
    types: { getTypeParser },
  })
  // Without a listener, losing an idle connection would crash the process.
  pool.on('error', () => {})
  return {
    connect: async () => {
      try {
        return guarded(await measured('connect', () => pool.connect()), names)
      } catch (error) {
        // A server that rejects the login (no such database, a wrong password) counts as unavailable.
        const isUnavailable = error instanceof DatabaseError || isPostgresUnavailable(error)
        throw isUnavailable ? new Unavailable('Postgres is unavailable', { cause: error }) : error
      }
    },
    end: () => pool.end(),
  }
}

/** Publishes how long a call takes. `connect` is the wait for a free connection, or for a new one. */
async function measured<T>(operation: string, call: () => Promise<T>): Promise<T> {
  if (!storeCalls.isObserved) return call()
  const began = performance.now()
  let isFailed = true
  try {
    const result = await call()
    isFailed = false
    return result
  } finally {
    storeCalls.publish({ store: 'postgres', operation, ms: performance.now() - began, isFailed })
  }
}

/** Counts and times are integers far below 2^53, which pg would return as strings. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : types.getTypeParser(oid, format as 'text')
}

function guarded(client: PoolClient, names?: ReadonlyMap<string, string>): PostgresPoolClient {
  let lostWith: unknown = null
  // The pool listens to idle connections only; losing this one between two statements would crash the
  // process.
  const markLost = (error: unknown) => {
    lostWith = error
  }
  client.on('error', markLost)
  const query = async (text: string, parameters: readonly unknown[]) => {
    const name = names?.get(text)
    // Further statements, such as a rollback, would only wait for another timeout.
    if (lostWith) throw new Unavailable('Postgres is unavailable', { cause: lostWith })
    try {
      return await measured(operationOf(text), () =>
        client.query({ text, values: [...parameters], ...(name && { name }) }),
      )
    } catch (error) {
      if (error instanceof DatabaseError && error.code === PROGRAM_LIMIT_EXCEEDED) throw tooLong(error)
      if (!isPostgresUnavailable(error)) throw error
      markLost(error)
      throw new Unavailable('Postgres is unavailable', { cause: error })
    }
  }
  const release = () => {
    client.release(lostWith !== null)
    client.off('error', markLost)
  }
  return { query: query as never, release }
}

/** SQLSTATE of an index entry longer than 2,704 bytes (docs/scaling.md). */
const PROGRAM_LIMIT_EXCEEDED = '54000'

const tooLong = (cause: Error) =>
  Object.assign(
    new DomainError(
      400,
      'too_long',
      'A name, or a name and its alias, is too long for an index of Postgres.',
    ),
    { cause },
  )

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
 * Whether Postgres rolled a transaction back because of concurrent ones: deadlock or serialization failure.
 */
export function isTransactionConflict(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40P01' || error.code === '40001')
}

import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, type PoolClient, types } from 'pg'
import { DomainError } from '../../common/domain-error.js'
import { Unavailable } from '../../common/unavailable.js'

/** How long a request waits for a connection. With `queryMs` it stays below the five seconds that any request may take. */
const CONNECT_MS = 1500

const INT8 = 20

export interface PostgresPoolOptions {
  url: string
  /** Most connections at once. */
  max: number
  /** How long one statement may take. */
  queryMs: number
  /** Statements that each connection prepares under a name, by their text. */
  names?: ReadonlyMap<string, string>
}

/**
 * Connections to Postgres. What means that it is away is thrown as `Unavailable`, and a connection on which that
 * happened is never used again: its statement may still be under way.
 */
export function postgresPool({ url, max, queryMs, names }: PostgresPoolOptions): PostgresPool {
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'svc',
    // The server gives up first; the client's own limit is for a server, or a network, that says nothing any more.
    statement_timeout: queryMs,
    query_timeout: queryMs + 500,
    idle_in_transaction_session_timeout: 10_000,
    types: { getTypeParser },
  })
  // Without a listener an idle connection that is lost would end the process.
  pool.on('error', () => {})
  return {
    connect: async () => {
      try {
        return guarded(await pool.connect(), names)
      } catch (error) {
        // A server that lets nobody in (no such database, a wrong password) is as good as none.
        const isRefused = error instanceof DatabaseError || isPostgresAway(error)
        throw isRefused ? new Unavailable('Postgres is unavailable', { cause: error }) : error
      }
    },
    end: () => pool.end(),
  }
}

/** Counts and times are whole numbers far below 2^53; pg would give them as text. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 ? Number : types.getTypeParser(oid, format as 'text')
}

function guarded(client: PoolClient, names?: ReadonlyMap<string, string>): PostgresPoolClient {
  let lost: unknown = null
  // The pool listens to idle connections only; one that is lost between two statements would end the process.
  const lose = (error: unknown) => {
    lost = error
  }
  client.on('error', lose)
  const query = async (text: string, parameters: readonly unknown[]) => {
    const name = names?.get(text)
    // A rollback, for one, would wait for as long again.
    if (lost) throw new Unavailable('Postgres is unavailable', { cause: lost })
    try {
      return await client.query({ text, values: [...parameters], ...(name && { name }) })
    } catch (error) {
      if (error instanceof DatabaseError && error.code === TOO_LONG) throw tooLong(error)
      if (!isPostgresAway(error)) throw error
      lose(error)
      throw new Unavailable('Postgres is unavailable', { cause: error })
    }
  }
  const release = () => {
    client.release(lost !== null)
    client.off('error', lose)
  }
  return { query: query as never, release }
}

/** SQLSTATE of a value that makes an index entry longer than 2,704 bytes (docs/scaling.md). */
const TOO_LONG = '54000'

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
 * SQLSTATE classes and conditions under which the same statement may well succeed later: connection, resources,
 * operator intervention (shutdown, a statement that took too long), a standby that only reads, a lock not had in time.
 */
const AWAY = /^(08|53|57|58|25006$|55P03$)/

/** What pg says of its connections where it gives no code. */
const DRIVER =
  /^(?:Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|The server does not support SSL|There was an error establishing an SSL)/

/** Node's own refusals of what it was given: somebody's mistake, and not the network's. */
const MISTAKE = /^ERR_(?:INVALID|OUT_OF_RANGE|MISSING|BUFFER|ASSERTION|METHOD|UNKNOWN)/

/** Whether an error means that Postgres is unavailable, and not that a statement or our code is wrong. */
export function isPostgresAway(error: unknown): boolean {
  if (error instanceof DatabaseError) return AWAY.test(error.code ?? '')
  // A name with several addresses: one error each.
  if (error instanceof AggregateError) return error.errors.some(isPostgresAway)
  if (!(error instanceof Error)) return false
  const { code, message } = error as NodeJS.ErrnoException
  return (typeof code === 'string' && !MISTAKE.test(code)) || DRIVER.test(message)
}

/** Postgres broke a transaction off because of others at the same time; nothing of it was done. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40P01' || error.code === '40001')
}

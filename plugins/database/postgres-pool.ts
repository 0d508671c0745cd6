import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, type PoolClient, types } from 'pg'
import { DomainError } from '../domain-error.js'
import { Unavailable } from '../unavailable.js'

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
        throw new Unavailable('Postgres is away', { cause: error })
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
    if (lost) throw new Unavailable('Postgres is away', { cause: lost })
    try {
      return await client.query({ text, values: [...parameters], ...(name && { name }) })
    } catch (error) {
      if (error instanceof DatabaseError && error.code === TOO_LONG) throw tooLong(error)
      if (!isPostgresAway(error)) throw error
      lose(error)
      throw new Unavailable('Postgres is away', { cause: error })
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

/** Whether an error means "Postgres is away", and not that a statement is wrong. */
export function isPostgresAway(error: unknown): boolean {
  // What does not come from the server comes from the connection to it.
  return error instanceof DatabaseError ? AWAY.test(error.code ?? '') : true
}

/** Postgres broke a transaction off because of others at the same time; nothing of it was done. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40P01' || error.code === '40001')
}

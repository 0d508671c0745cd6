import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { Unavailable } from '../unavailable.js'

const STATEMENTS_KEPT = 500
const BUSY_GIVE_UP_MS = 5000

export interface SqliteConnection {
  prepare(sql: string): Sqlite.Statement
  close(): void
}

/**
 * Opens a connection that keeps its statements: preparing is most of what a short query costs. `busy_timeout` is 0,
 * because SQLite's own waiting would stop the event loop.
 */
export function openConnection(file: string, use: 'read' | 'write'): Promise<SqliteConnection> {
  return retryWhileBusy(() => {
    const db = new Sqlite(file, { timeout: 0 })
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = NORMAL')
    db.pragma('foreign_keys = ON')
    db.pragma('cache_size = -16000')
    if (use === 'read') db.pragma('query_only = ON')
    // `Checkpoints` does it: here it would stop the event loop.
    else db.pragma('wal_autocheckpoint = 0')
    const statements = new Map<string, Sqlite.Statement>()
    return {
      close: () => db.close(),
      prepare: (sql: string) => {
        const known = statements.get(sql)
        if (known) return known
        const statement = db.prepare(sql)
        if (statements.size >= STATEMENTS_KEPT) statements.clear()
        statements.set(sql, statement)
        return statement
      },
    }
  })
}

/** A connection as Kysely wants it. */
export function sqliteDialect(connection: SqliteConnection): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ImmediateSqliteDriver({ database: connection as never }),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Takes the write lock when a transaction begins, so that nothing inside it can meet SQLITE_BUSY. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await retryWhileBusy(() => connection.executeQuery(CompiledQuery.raw('begin immediate')))
  }

  /** After a full disk SQLite has done it already (lang_transaction.html §3), and its own error is what counts. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(error => {
      if (!/no transaction is active/.test(error.message)) throw error
    })
  }
}

/**
 * Tries again while another process (the CLI) writes, every millisecond: an import pauses for two (GRAPH §1).
 * @throws Unavailable after 5 s
 */
export async function retryWhileBusy<T>(attempt: () => T | Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + BUSY_GIVE_UP_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (Date.now() >= giveUpAt) throw new Unavailable('the database is busy', { cause: error })
    }
    await sleep(1)
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

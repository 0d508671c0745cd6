import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteDriver as KyselySqliteDriver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { Unavailable } from '../../common/unavailable.js'
import { measured, operationOf } from '../measured.js'
import { sqliteDriver } from './load-driver.js'
import type { SqliteDriver, SqliteDriverName, SqliteFile, SqliteStatement } from './sqlite-driver.js'

const MAX_STATEMENTS = 500
const BUSY_TIMEOUT_MS = 5000

export interface SqliteConnection {
  prepare(sql: string): SqliteStatement
  close(): void
}

/**
 * Opens a connection that caches prepared statements, because preparing dominates the cost of short queries.
 * `busy_timeout` is 0, because waiting inside SQLite would block the event loop.
 */
export async function openConnection(
  file: string,
  use: 'read' | 'write',
  name?: SqliteDriverName,
): Promise<SqliteConnection> {
  const driver = await sqliteDriver(name)
  const db = await retryWhileBusy(() => opened(driver, file, use))
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => db.close(),
    prepare: (sql: string) => {
      const known = statements.get(sql)
      if (known) return known
      const statement = measuredStatement(db.prepare(sql), operationOf(sql))
      if (statements.size >= MAX_STATEMENTS) statements.clear()
      statements.set(sql, statement)
      return statement
    },
  }
}

/** Rows that are read one by one are not measured: their reader sets the pace. */
function measuredStatement(statement: SqliteStatement, operation: string): SqliteStatement {
  const run = <T>(call: () => T) => measured('sqlite', operation, call)
  return {
    reader: statement.reader,
    all: parameters => run(() => statement.all(parameters)),
    get: parameters => run(() => statement.get(parameters)),
    run: parameters => run(() => statement.run(parameters)),
    iterate: parameters => statement.iterate(parameters),
  }
}

function opened(driver: SqliteDriver, file: string, use: 'read' | 'write'): SqliteFile {
  const db = driver.open(file, 0)
  try {
    db.exec('pragma journal_mode = WAL')
    db.exec('pragma synchronous = NORMAL')
    db.exec('pragma foreign_keys = ON')
    db.exec('pragma cache_size = -16000')
    // Left to `Checkpoints`: here it would block the event loop.
    db.exec(use === 'read' ? 'pragma query_only = ON' : 'pragma wal_autocheckpoint = 0')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** A Kysely dialect for an open connection. `onBusy` is called while a transaction waits for another process. */
export function sqliteDialect(connection: SqliteConnection, onBusy?: () => void): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ImmediateSqliteDriver(connection, onBusy),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Takes the write lock when a transaction begins, so that its statements cannot fail with SQLITE_BUSY. */
class ImmediateSqliteDriver extends KyselySqliteDriver {
  readonly #onBusy: (() => void) | undefined

  constructor(database: SqliteConnection, onBusy?: () => void) {
    super({ database })
    this.#onBusy = onBusy
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await retryWhileBusy(() => connection.executeQuery(CompiledQuery.raw('begin immediate')), this.#onBusy)
  }

  /** After a disk-full error, SQLite has rolled back already (lang_transaction.html §3). Keeps the original error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(error => {
      if (!/no transaction is active/.test(error.message)) throw error
    })
  }
}

/**
 * Retries every millisecond while another process (the CLI) writes, which pauses for two (GRAPH §1).
 * @throws Unavailable after 5 s
 */
export async function retryWhileBusy<T>(attempt: () => T | Promise<T>, onBusy?: () => void): Promise<T> {
  const giveUpAt = Date.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
      onBusy?.()
      if (Date.now() >= giveUpAt) throw new Unavailable('the database is busy', { cause: error })
    }
    await sleep(1)
  }
}

/** Whether SQLite refused because another process writes (SQLITE_BUSY and its extended codes). */
export function isBusy(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('SQLITE_BUSY')
}

import { backup, DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'
import type { SqliteDriver, SqliteFile, SqliteStatement, SqliteValue } from './sqlite-driver.js'

/** @photostructure/sqlite 1.2, for Node 20. Has the interface of `node:sqlite`. */
export const photostructure: SqliteDriver = {
  open(file: string, busyTimeout: number): SqliteFile {
    const db = withErrorCode(() => new DatabaseSync(file, { timeout: busyTimeout }))
    return {
      prepare: sql => withErrorCode(() => new PreparedStatement(db.prepare(sql))),
      exec: sql => withErrorCode(() => db.exec(sql)),
      backup: async target => {
        await backup(db, target).catch(fail)
      },
      close: () => withErrorCode(() => db.close()),
    }
  },
}

class PreparedStatement implements SqliteStatement {
  readonly reader: boolean
  readonly #statement: StatementSyncInstance

  constructor(statement: StatementSyncInstance) {
    this.#statement = statement
    this.reader = statement.columns().length > 0
  }

  all(parameters: readonly unknown[]) {
    return withErrorCode(() => this.#statement.all(...parameters.map(bindable)))
  }

  get(parameters: readonly unknown[]) {
    return withErrorCode(() => this.#statement.get(...parameters.map(bindable)))
  }

  run(parameters: readonly unknown[]) {
    return withErrorCode(() => this.#statement.run(...parameters.map(bindable)))
  }

  *iterate(parameters: readonly unknown[]) {
    const rows = withErrorCode(() => this.#statement.iterate(...parameters.map(bindable)))
    try {
      yield* rows
    } catch (error) {
      fail(error)
    }
  }
}

/**
 * Rejects values that the package would silently change: dates and objects to null, text truncated at NUL.
 */
function bindable(value: unknown): SqliteValue {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new TypeError('SQLite text must not contain a NUL character')
    return value
  }
  if (value === undefined || value === null) return null
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array) return value
  throw new TypeError('SQLite accepts text, numbers, bytes and null only')
}

function withErrorCode<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    return fail(error)
  }
}

/** Rethrows an error with SQLite's code; the package's own code is the same for all errors. */
function fail(error: unknown): never {
  const { sqliteCodeName } = error as { sqliteCodeName?: string }
  throw sqliteCodeName ? Object.assign(error as Error, { code: sqliteCodeName }) : error
}

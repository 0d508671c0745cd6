import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'
import type { SqliteDriver, SqliteFile, SqliteStatement, SqliteValue } from './sqlite-driver.js'

/** @photostructure/sqlite 1.2, for Node 20. Has the interface of `node:sqlite`. */
export const photostructure: SqliteDriver = {
  open(file: string, busyTimeout: number): SqliteFile {
    const db = withErrorCode(() => new DatabaseSync(file, { timeout: busyTimeout }))
    return {
      prepare: sql => withErrorCode(() => new PreparedStatement(db.prepare(sql))),
      exec: sql => withErrorCode(() => db.exec(sql)),
      close: () => withErrorCode(() => db.close()),
    }
  },
}

class PreparedStatement implements SqliteStatement {
  readonly reader: boolean
  readonly #statement: StatementSyncInstance
  readonly #columns: readonly string[]

  constructor(statement: StatementSyncInstance) {
    this.#statement = statement
    this.#columns = statement.columns().map(({ name }) => name)
    this.reader = this.#columns.length > 0
    // The package takes twice as long to create objects.
    if (this.reader) statement.setReturnArrays(true)
  }

  all(parameters: readonly unknown[]) {
    const rows = withErrorCode(() => this.#statement.all(...parameters.map(bindable)))
    return rows.map(values => this.#row(values))
  }

  get(parameters: readonly unknown[]) {
    const values = withErrorCode(() => this.#statement.get(...parameters.map(bindable)))
    return values && this.#row(values)
  }

  run(parameters: readonly unknown[]) {
    return withErrorCode(() => this.#statement.run(...parameters.map(bindable)))
  }

  *iterate(parameters: readonly unknown[]) {
    const rows = withErrorCode(() => this.#statement.iterate(...parameters.map(bindable)))
    try {
      for (const values of rows) yield this.#row(values)
    } catch (error) {
      fail(error)
    }
  }

  #row(values: SqliteValue[]): Record<string, SqliteValue> {
    const row: Record<string, SqliteValue> = {}
    for (let at = 0; at < values.length; at++) row[this.#columns[at] ?? ''] = values[at] ?? null
    return row
  }
}

/** Rejects values that the package would silently change: dates and objects to null, text truncated at NUL. */
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

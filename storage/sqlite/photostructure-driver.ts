import { backup, DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite'
import type { SqliteDriver, SqliteFile, SqliteStatement, SqliteValue } from './sqlite-driver.js'

/** @photostructure/sqlite 1.2, for Node 20: the interface of `node:sqlite`. */
export const photostructure: SqliteDriver = {
  open(file: string, busyTimeout: number): SqliteFile {
    const db = coded(() => new DatabaseSync(file, { timeout: busyTimeout }))
    return {
      prepare: sql => coded(() => new Statement(db.prepare(sql))),
      exec: sql => coded(() => db.exec(sql)),
      backup: async target => {
        await backup(db, target).catch(fail)
      },
      close: () => coded(() => db.close()),
    }
  },
}

class Statement implements SqliteStatement {
  readonly reader: boolean
  readonly #statement: StatementSyncInstance

  constructor(statement: StatementSyncInstance) {
    this.#statement = statement
    this.reader = statement.columns().length > 0
  }

  all(parameters: readonly unknown[]) {
    return coded(() => this.#statement.all(...parameters.map(bindable)))
  }

  get(parameters: readonly unknown[]) {
    return coded(() => this.#statement.get(...parameters.map(bindable)))
  }

  run(parameters: readonly unknown[]) {
    return coded(() => this.#statement.run(...parameters.map(bindable)))
  }

  *iterate(parameters: readonly unknown[]) {
    const rows = coded(() => this.#statement.iterate(...parameters.map(bindable)))
    try {
      yield* rows
    } catch (error) {
      fail(error)
    }
  }
}

/** The package would store null for a date or an object, and cut a text at its first NUL, and say nothing. */
function bindable(value: unknown): SqliteValue {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new TypeError('SQLite texts hold no NUL character')
    return value
  }
  if (value === undefined || value === null) return null
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array) return value
  throw new TypeError('SQLite binds texts, numbers, bytes and null')
}

function coded<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    return fail(error)
  }
}

/** Gives an error of SQLite's its own code; the package's is the same for all of them. */
function fail(error: unknown): never {
  const { sqliteCodeName } = error as { sqliteCodeName?: string }
  throw sqliteCodeName ? Object.assign(error as Error, { code: sqliteCodeName }) : error
}

/** A value that SQLite stores. `undefined` is bound as null. */
export type SqliteValue = string | number | bigint | Uint8Array | null

export interface SqliteStatement {
  /** Whether the statement returns rows; if not, use `run`. */
  readonly reader: boolean
  all(parameters: readonly unknown[]): unknown[]
  get(parameters: readonly unknown[]): unknown
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  /** Returns row by row. Do not use the statement otherwise until the end: one of the two uses would fail. */
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>
}

/** A connection to a database file. All calls are synchronous and must be short. */
export interface SqliteFile {
  prepare(sql: string): SqliteStatement
  /** Runs statements and discards their rows. */
  exec(sql: string): void
  close(): void
}

/** A package for SQLite files. Its errors have SQLite's `code` (`SQLITE_BUSY`, `SQLITE_FULL`). */
export interface SqliteDriver {
  /** @param busyTimeout milliseconds that SQLite waits for a lock, blocking the thread */
  open(file: string, busyTimeout: number): SqliteFile
}

export const DRIVERS = ['better-sqlite3', 'photostructure'] as const
export type SqliteDriverName = (typeof DRIVERS)[number]

/** What SQLite stores, and what is bound to a statement; `undefined` is bound as null. */
export type SqliteValue = string | number | bigint | Uint8Array | null

export interface SqliteStatement {
  /** Whether it returns rows: `run` is for the others. */
  readonly reader: boolean
  all(parameters: readonly unknown[]): unknown[]
  get(parameters: readonly unknown[]): unknown
  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  /** Row by row. Meanwhile the statement is not used otherwise: one of the two uses would fail. */
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>
}

/** One connection to a file. Every call is synchronous, so each has to be short. */
export interface SqliteFile {
  prepare(sql: string): SqliteStatement
  /** Runs statements whose rows nobody wants. */
  exec(sql: string): void
  /** Copies the whole database, as it is at one moment, into a new file, while others read and write. */
  backup(file: string): Promise<void>
  close(): void
}

/** A package that reads and writes SQLite files. Its errors have SQLite's own `code` (`SQLITE_BUSY`, `SQLITE_FULL`). */
export interface SqliteDriver {
  /** @param busyTimeout milliseconds that SQLite itself waits for a lock, with the thread standing still */
  open(file: string, busyTimeout: number): SqliteFile
}

export const DRIVERS = ['better-sqlite3', 'photostructure'] as const
export type SqliteDriverName = (typeof DRIVERS)[number]

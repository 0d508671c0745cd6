import { LOCK, sharedOfThisThread } from '../../processes/thread.js'
import type { SqliteDriver, SqliteFile, SqliteStatement } from './sqlite-driver.js'

/** The driver for a thread: every call into it holds the lock, so that the thread is not terminated meanwhile. */
export function guarded(driver: SqliteDriver, lock: NativeLock): SqliteDriver {
  const hold = <T>(call: () => T): T => {
    lock.enter()
    try {
      return call()
    } finally {
      lock.leave()
    }
  }
  const guardStatement = (statement: SqliteStatement): SqliteStatement => ({
    reader: statement.reader,
    all: parameters => hold(() => statement.all(parameters)),
    get: parameters => hold(() => statement.get(parameters)),
    run: parameters => hold(() => statement.run(parameters)),
    *iterate(parameters) {
      const rows = hold(() => statement.iterate(parameters))
      try {
        for (;;) {
          const next = hold(() => rows.next())
          if (next.done) return
          yield next.value
        }
      } finally {
        hold(() => rows.return?.())
      }
    },
  })
  const guardFile = (file: SqliteFile): SqliteFile => ({
    prepare: sql => guardStatement(hold(() => file.prepare(sql))),
    exec: sql => hold(() => file.exec(sql)),
    close: () => hold(() => file.close()),
  })
  return { open: (file, busyTimeout) => guardFile(hold(() => driver.open(file, busyTimeout))) }
}

/** Keeps a thread from being terminated while `enter` has been called more often than `leave`. */
interface NativeLock {
  enter(): void
  leave(): void
}

/** The lock of this thread; null in the main thread, which is never terminated. */
export function nativeLock(): NativeLock | null {
  const shared = sharedOfThisThread()
  if (!shared) return null
  const { at, free, held, closed } = LOCK
  let depth = 0
  return {
    enter() {
      if (depth++ > 0) return
      // Closed: the thread is about to be terminated, which ends this wait.
      if (Atomics.compareExchange(shared, at, free, held) === closed) Atomics.wait(shared, at, closed)
    },
    leave() {
      if (--depth === 0) Atomics.store(shared, at, free)
    },
  }
}

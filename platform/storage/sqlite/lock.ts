import { sqliteDriver } from './load-driver.js'
import { isBusy } from './sqlite-dialect.js'
import type { SqliteDriverName } from './sqlite-driver.js'

/**
 * A lock between processes on one data folder: a tiny database held EXCLUSIVE. The operating system releases
 * it when the process dies, even by `kill -9`, so locks never become stale.
 * @returns a function that releases the lock, or `null` if another process holds it
 */
export async function acquireLock(file: string, name?: SqliteDriverName): Promise<(() => void) | null> {
  const db = (await sqliteDriver(name)).open(file, 0)
  try {
    db.exec('pragma locking_mode = EXCLUSIVE')
    db.exec('begin exclusive')
    return () => db.close()
  } catch (error) {
    db.close()
    if (isBusy(error)) return null
    throw error
  }
}

/** Runs work that one process may do at a time. Null if another one is doing it. */
export async function alone<T>(file: string, work: () => Promise<T>): Promise<T | null> {
  const release = await acquireLock(file)
  if (!release) return null
  try {
    return await work()
  } finally {
    release()
  }
}

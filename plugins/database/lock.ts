import Sqlite from 'better-sqlite3'
import { isBusy } from './sqlite-dialect.js'

/**
 * A lock between processes on one data folder: a tiny database held EXCLUSIVE. The operating system frees it
 * when the process dies, `kill -9` included, so that there is no stale lock to clean up.
 * @returns a function that frees the lock, or `null` when another process holds it
 */
export function acquireLock(file: string): (() => void) | null {
  const db = new Sqlite(file, { timeout: 0 })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    db.exec('begin exclusive')
    return () => db.close()
  } catch (error) {
    db.close()
    if (isBusy(error)) return null
    throw error
  }
}

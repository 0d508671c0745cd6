import { guarded, nativeLock } from './guarded-driver.js'
import type { SqliteDriver, SqliteDriverName } from './sqlite-driver.js'

/** better-sqlite3 13 needs Node-API functions of Node 22 and kills the process without them. */
export function driverFor(nodeVersion: string): SqliteDriverName {
  return Number.parseInt(nodeVersion, 10) >= 22 ? 'better-sqlite3' : 'photostructure'
}

/**
 * Loads the driver for this version of Node. If `npm ci` ran on Node 20, better-sqlite3 is missing, and the
 * other driver also works on newer versions. Only one driver is ever loaded: two SQLite libraries in one
 * process do not see each other's locks (https://sqlite.org/howtocorrupt.html §2.2.1).
 */
export async function sqliteDriver(name = driverFor(process.versions.node)): Promise<SqliteDriver> {
  const lock = nativeLock()
  if (!lock) return load(name)
  lock.enter()
  try {
    return guarded(await load(name), lock)
  } finally {
    lock.leave()
  }
}

async function load(name: SqliteDriverName): Promise<SqliteDriver> {
  if (name === 'photostructure') return (await import('./photostructure-driver.js')).photostructure
  try {
    return (await import('./better-sqlite3-driver.js')).betterSqlite3
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return load('photostructure')
  }
}

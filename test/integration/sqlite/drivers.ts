import type { Test } from 'tap'
import { driverFor } from '../../../platform/storage/sqlite/load-driver.js'
import { DRIVERS, type SqliteDriverName } from '../../../platform/storage/sqlite/sqlite-driver.js'
import { dataDir } from '../../data-dir.js'

/** The drivers that can be loaded here: better-sqlite3 would kill Node 20, and is not installed there. */
export const drivers: readonly SqliteDriverName[] =
  driverFor(process.versions.node) === 'better-sqlite3' ? DRIVERS : ['photostructure']

/** A file name in a folder of this test. */
export const newFile = (t: Test) => `${dataDir(t)}/svc.db`

import { existsSync, mkdirSync } from 'node:fs'
import type { DatabaseOptions } from '../database.js'
import { makeBackup, removeUnfinished } from './make-backup.js'
import { backupOfUpdate, backupsIn } from './update-ended.js'

/** Backs a database up before its tables are changed, so that the version before can be installed again. */
export async function backupBeforeUpdate(from: DatabaseOptions): Promise<void> {
  const folder = backupsIn(from.dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeUnfinished(folder)
  const file = backupOfUpdate(from.dataDir)
  // An existing one is from this update, which was interrupted: by now half of the tables may be new.
  if (!existsSync(file)) await makeBackup(from, file, Date.now())
}

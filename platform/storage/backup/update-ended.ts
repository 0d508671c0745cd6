import { renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { keptBackups, nameAt, UPDATE_BACKUP } from './kept-backups.js'

const KEEP = 2

/** The folder of backups that the service makes before it changes data. */
export const backupsIn = (dataDir: string) => join(dataDir, 'backups')

/** The backup of an unfinished update. */
export const backupOfUpdate = (dataDir: string) => join(backupsIn(dataDir), UPDATE_BACKUP)

/** Puts the time into the name of the backup that an update has made, if one has, and keeps the newest of them. */
export function updateEnded(dataDir: string): void {
  const file = backupOfUpdate(dataDir)
  const made = statSync(file, { throwIfNoEntry: false })
  if (!made) return
  const folder = backupsIn(dataDir)
  try {
    renameSync(file, join(folder, nameAt('before-update', made.mtimeMs)))
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const ended = keptBackups([folder]).filter(({ kind }) => kind === 'before-update')
  for (const old of ended.slice(KEEP)) rmSync(old.file, { force: true })
}

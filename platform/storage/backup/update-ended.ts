import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UPDATE_BACKUP } from './kept-backups.js'

const KEEP = 2
const NAME = /^before-update-.+\.db$/

/** The folder of backups that the service makes before it changes data. */
export const backupsIn = (dataDir: string) => join(dataDir, 'backups')

/** The backup of an update that has not ended. */
export const backupOfUpdate = (dataDir: string) => join(backupsIn(dataDir), UPDATE_BACKUP)

/** Puts the time into the name of the backup that an update has made, if one has, and keeps the newest of them. */
export function updateEnded(dataDir: string): void {
  const file = backupOfUpdate(dataDir)
  const time = statSync(file, { throwIfNoEntry: false })?.mtime.toISOString().replaceAll(':', '-')
  if (!time) return
  const folder = backupsIn(dataDir)
  try {
    renameSync(file, join(folder, `before-update-${time}.db`))
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const ended = readdirSync(folder).filter(name => NAME.test(name))
  for (const old of ended.sort().reverse().slice(KEEP)) rmSync(join(folder, old), { force: true })
}

import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { alone } from '../sqlite/lock.js'
import { backupsIn, keptBackups, unfinishedIn } from './kept-backups.js'
import { requestedBackup, withdrawRequest } from './restore-request.js'

/** Copies of data replaced by restores. Each is as large as the database was. */
const COPIES_KEPT = 3

/** The backup prepared by a restore. */
export const preparedIn = (dataDir: string) => join(dataDir, 'restoring.db')

/** Removes the prepared files of a restore, in a folder that this process has locked. */
export function removePrepared(dataDir: string): void {
  for (const end of ['', '-journal']) rmSync(`${preparedIn(dataDir)}${end}`, { force: true })
}

/** Removes the copies of data replaced by earlier restores, except for the newest and `except`. */
export function removeOldCopies(folder: string, except: string): void {
  const copies = keptBackups([folder]).filter(({ kind }) => kind === 'before-restore')
  for (const { file } of copies.slice(COPIES_KEPT)) if (file !== except) rmSync(file, { force: true })
}

/** Removes the files left by a killed restore: copies of its backup, and an incomplete copy of the previous data. */
export async function removeInterrupted(dataDir: string): Promise<void> {
  // Not those of others: a backup may be in progress.
  const leftIn = () =>
    unfinishedIn(backupsIn(dataDir)).flatMap(({ kind, file }) => (kind === 'before-restore' ? [file] : []))
  if (![preparedIn(dataDir), requestedBackup(dataDir), ...leftIn()].some(file => existsSync(file))) return
  // It may still be in use by another process.
  await alone(join(dataDir, 'server.lock'), async () => {
    removePrepared(dataDir)
    withdrawRequest(dataDir)
    for (const file of leftIn()) rmSync(file, { force: true })
  })
}

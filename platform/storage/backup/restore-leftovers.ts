import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { alone } from '../sqlite/lock.js'
import { keptBackups, unfinishedIn } from './kept-backups.js'
import { requestedBackup, withdrawRequest } from './restore-request.js'
import { backupsIn } from './update-ended.js'

/** Copies of what restores have replaced. Each is as large as the database was. */
const COPIES_KEPT = 3

/** The backup that a restore prepares. */
export const preparedIn = (dataDir: string) => join(dataDir, 'restoring.db')

/** Removes what a restore prepares, in a folder that this process has locked. */
export function removePrepared(dataDir: string): void {
  for (const end of ['', '-journal']) rmSync(`${preparedIn(dataDir)}${end}`, { force: true })
}

/** Removes the copies of what earlier restores have replaced, but for the newest and `except`. */
export function removeOldCopies(folder: string, except: string): void {
  const copies = keptBackups([folder]).filter(({ kind }) => kind === 'before-restore')
  for (const { file } of copies.slice(COPIES_KEPT)) if (file !== except) rmSync(file, { force: true })
}

/** Removes what a killed restore leaves: copies of its backup, and the copy it had begun of what it was to replace. */
export async function removeInterrupted(dataDir: string): Promise<void> {
  // Not those of others: a backup may be in the making.
  const leftIn = () =>
    unfinishedIn(backupsIn(dataDir)).flatMap(({ kind, file }) => (kind === 'before-restore' ? [file] : []))
  if (![preparedIn(dataDir), requestedBackup(dataDir), ...leftIn()].some(file => existsSync(file))) return
  // It may still be at work in another process.
  await alone(join(dataDir, 'server.lock'), async () => {
    removePrepared(dataDir)
    withdrawRequest(dataDir)
    for (const file of leftIn()) rmSync(file, { force: true })
  })
}

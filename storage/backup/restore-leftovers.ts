import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { acquireLock } from '../sqlite/lock.js'
import { keptBackups } from './kept-backups.js'
import { requestedBackup, withdrawRequest } from './restore-request.js'

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

/** Removes the two copies of a backup that a killed restore leaves, unless it is still at work in another process. */
export async function removeInterrupted(dataDir: string): Promise<void> {
  if (![preparedIn(dataDir), requestedBackup(dataDir)].some(file => existsSync(file))) return
  const release = await acquireLock(join(dataDir, 'server.lock'))
  if (!release) return
  removePrepared(dataDir)
  withdrawRequest(dataDir)
  release()
}

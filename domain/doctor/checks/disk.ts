import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { showBytes } from '../../../platform/common/format.js'
import { isInstalled } from '../../../platform/storage/installed.js'
import { type Finding, problem, reasonOf, warning } from '../finding.js'
import type { Installation } from '../installation.js'
import { installationTexts } from './installation-texts.js'

const m = installationTexts.disk
const FULL_BYTES = 32 * 1024 * 1024
const LOW_BYTES = 256 * 1024 * 1024

/** Whether the folders of the data and of backups are writable, with enough free space. */
export async function checkDisk({ settings }: Installation): Promise<Finding[]> {
  const { dataDir, databaseUrl, backups } = settings
  const databaseBytes = databaseUrl ? 0 : await sizeOf(join(dataDir, 'svc.db'))
  // The first start creates the folder; the check of the database reports a missing one.
  const isExpected = isInstalled(settings) || existsSync(dataDir)
  const folders = [...(isExpected ? [dataDir] : []), ...(backups ? [backups.folder] : [])]
  const found = await Promise.all(folders.map(folder => checkFolder(folder, databaseBytes)))
  return found.flat()
}

/** Space is also needed for a backup, which an update makes first. */
async function checkFolder(folder: string, databaseBytes: number): Promise<Finding[]> {
  try {
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    if (free < FULL_BYTES) return [problem(m.full(folder, showBytes(free)))]
    return free < LOW_BYTES + databaseBytes ? [warning(m.low(folder, showBytes(free)))] : []
  } catch (error) {
    return [problem(m.missing(folder, reasonOf(error)))]
  }
}

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

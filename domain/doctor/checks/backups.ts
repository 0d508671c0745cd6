import { basename } from 'node:path'
import { showTime } from '../../../platform/common/format.js'
import { latestBackup } from '../../../platform/storage/backup/scheduled-backups.js'
import { type Finding, note, problem, reasonOf } from '../finding.js'
import type { Installation } from '../installation.js'
import { installationTexts } from './installation-texts.js'

const m = installationTexts.backups
/** A failed copy is retried every ten minutes. */
const COPIED_WITHIN_MS = 3_600_000

/** Whether the newest backup is at most twice as old as BACKUP_EVERY, and copied. */
export async function checkBackups(installation: Installation): Promise<Finding[]> {
  const { settings, clock } = installation
  const { backups } = settings
  if (!backups) return [note(m.off)]
  try {
    const latest = latestBackup(backups.folder)
    if (!latest) return [problem(m.none(backups.folder)), ...(await checkCopies(installation, null))]
    const isOld = clock() - latest.at > 2 * backups.everyMs
    const old = isOld ? [problem(m.old(latest.file, showTime(latest.at)))] : []
    return [...old, ...(await checkCopies(installation, latest))]
  } catch (error) {
    return [problem(m.unreadable(backups.folder, reasonOf(error)))]
  }
}

/** Whether the bucket answers, takes our keys and has this backup. */
async function checkCopies(
  { settings: { backupBucket }, clock }: Installation,
  latest: ReturnType<typeof latestBackup>,
): Promise<Finding[]> {
  if (!backupBucket) return []
  try {
    // Its library is loaded only where it is used.
    const { S3Bucket } = await import('../../../platform/storage/backup/s3-bucket.js')
    const copies = await new S3Bucket(backupBucket).list()
    if (!latest || clock() - latest.at < COPIED_WITHIN_MS) return []
    const name = basename(latest.file)
    return copies.some(copy => copy.name === name) ? [] : [problem(m.notCopied(name, backupBucket.endpoint))]
  } catch (error) {
    return [problem(m.bucket(backupBucket.endpoint, reasonOf(error)))]
  }
}

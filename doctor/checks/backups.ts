import { showTime } from '../../common/format.js'
import { messages } from '../../messages.js'
import { latestBackup } from '../../storage/backup/scheduled-backups.js'
import { type Finding, note, problem, reasonOf } from '../finding.js'
import type { Installation } from '../installation.js'

const m = messages.doctor.backups

/** Whether the newest backup is at most twice as old as BACKUP_EVERY. */
export async function checkBackups({ settings: { backups }, clock }: Installation): Promise<Finding[]> {
  if (!backups) return [note(m.off)]
  try {
    const latest = latestBackup(backups.folder)
    if (!latest) return [problem(m.none(backups.folder))]
    return clock() - latest.at > 2 * backups.everyMs ? [problem(m.old(latest.file, showTime(latest.at)))] : []
  } catch (error) {
    return [problem(m.unreadable(backups.folder, reasonOf(error)))]
  }
}

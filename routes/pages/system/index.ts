import activityPages from './activity.js'
import backupPages from './backup.js'
import backupsPages from './backups.js'
import systemPage from './system.js'

/** Requires sign-in. */
export const SYSTEM_PAGES = [activityPages, systemPage, backupsPages, backupPages]

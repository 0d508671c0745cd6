import activityPages from './activity.js'
import backupPages from './backup.js'
import backupsPages from './backups.js'
import systemPage from './system.js'

/** For people who have signed in. */
export const SYSTEM_PAGES = [activityPages, systemPage, backupsPages, backupPages]

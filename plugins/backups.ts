import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../common/clock.js'
import { latestBackup, ScheduledBackups } from '../storage/backup/scheduled-backups.js'

/** How often the folder is looked at. A backup that failed is tried again then. */
const CHECK_MS = 10 * 60_000

declare module 'fastify' {
  interface FastifyInstance {
    /** When the server last made a backup by itself, or null. @throws when BACKUP_DIR cannot be read */
    latestBackupAt(): number | null
  }
}

/** Makes backups by itself where BACKUP_DIR says so, in listening processes only. */
export default fp(
  async function backupsPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    const { dataDir, databaseUrl, backups: schedule } = app.config
    app.decorate('latestBackupAt', () => (schedule ? (latestBackup(schedule.folder)?.at ?? null) : null))
    if (!schedule) return
    const backups = new ScheduledBackups({ dataDir, databaseUrl }, schedule, clock)
    const check = async () => {
      try {
        const file = await backups.makeIfDue()
        if (file) app.log.info({ file }, 'backup made')
      } catch (err) {
        app.log.error({ err }, 'backup failed')
        if (backups.isOverdue()) app.mail?.warnOfBackups(backups.newestAt())
      }
    }
    let timer: NodeJS.Timeout | undefined
    app.addHook('onListen', async () => {
      void check()
      timer = setInterval(check, CHECK_MS).unref()
    })
    app.addHook('onClose', async () => {
      clearInterval(timer)
      await backups.close()
    })
  },
  { name: 'backups', dependencies: ['config', 'database', 'mail'] },
)

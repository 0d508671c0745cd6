import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../common/clock.js'
import { ScheduledBackups } from '../storage/backup/scheduled-backups.js'

/** How often the folder is looked at. A backup that failed is tried again then. */
const CHECK_MS = 10 * 60_000

/** Makes backups by itself where BACKUP_DIR says so, in listening processes only. */
export default fp(
  async function backupsPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    const { dataDir, databaseUrl, backups: schedule } = app.config
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

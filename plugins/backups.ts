import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Clock } from '../platform/common/clock.js'
import { InstallationBackups } from '../platform/storage/backup/installation-backups.js'
import type { S3Copies } from '../platform/storage/backup/s3-copies.js'
import { latestBackup, ScheduledBackups } from '../platform/storage/backup/scheduled-backups.js'
import { whileListening } from './while-listening.js'

/** Interval between checks of the folder. A failed backup is retried then. */
const CHECK_MS = 10 * 60_000
/** Number of requested backups kept without a schedule. */
const KEPT = 7

declare module 'fastify' {
  interface FastifyInstance {
    /** The time of the server's last automatic backup, or null. @throws if BACKUP_DIR cannot be read */
    latestBackupAt(): number | null
    backups: InstallationBackups
  }
}

interface BackupsPluginOptions {
  clock: Clock
  startAgain: () => void
}

/** Makes backups on request, and with BACKUP_DIR automatically, in listening processes only. */
export default fp(
  async function backupsPlugin(app: FastifyInstance, { clock, startAgain }: BackupsPluginOptions) {
    const { dataDir, databaseUrl, backups: schedule } = app.config
    app.decorate('latestBackupAt', () => (schedule ? (latestBackup(schedule.folder)?.at ?? null) : null))
    const ownFolder = join(dataDir, 'backups')
    const maker = new ScheduledBackups(
      { dataDir, databaseUrl },
      schedule ?? { folder: ownFolder, everyMs: Number.POSITIVE_INFINITY, keep: KEPT },
      clock,
    )
    const folders = [...(schedule ? [schedule.folder] : []), ownFolder]
    const copies = await openCopies(app)
    const onMade = () => void send(app, copies)
    app.decorate(
      'backups',
      new InstallationBackups({ dataDir, folders, maker, copies, onMade, clock, startAgain }),
    )
    app.addHook('onClose', () => maker.close())
    if (schedule) makeThemDue(app, maker, copies)
  },
  { name: 'backups', dependencies: ['config', 'database', 'mail'] },
)

/** Loaded on demand, for a faster start without a bucket. */
async function openCopies({ config }: FastifyInstance): Promise<S3Copies | null> {
  const { backups, backupBucket } = config
  if (!backups || !backupBucket) return null
  return new (await import('../platform/storage/backup/s3-copies.js')).S3Copies(backupBucket, backups)
}

/** Sends backups missing in the bucket. Failed ones are retried at the next check. */
async function send(app: FastifyInstance, copies: S3Copies | null): Promise<void> {
  try {
    for (const name of (await copies?.send()) ?? []) app.log.info({ name }, 'backup copied')
  } catch (err) {
    app.log.error({ err }, 'backup not copied')
  }
}

/** Checks the schedule as soon as the service listens. */
function makeThemDue(app: FastifyInstance, maker: ScheduledBackups, copies: S3Copies | null): void {
  const check = async () => {
    try {
      const file = await maker.makeIfDue()
      if (file) app.log.info({ file }, 'backup made')
    } catch (err) {
      app.log.error({ err }, 'backup failed')
      if (maker.isOverdue()) app.mail?.warnOfBackups(maker.newestAt())
    }
    await send(app, copies)
  }
  whileListening(app, CHECK_MS, check, { atOnce: true })
}

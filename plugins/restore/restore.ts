import { basename } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { BackupRefused } from '../../platform/storage/backup/kept-backups.js'
import { restoreBackup } from '../../platform/storage/backup/restore-backup.js'
import {
  type RestoreRequest,
  removeInterrupted,
  takeRequest,
  withdrawRequest,
  writeOutcome,
} from '../../platform/storage/backup/restore-request.js'
import { backupsTexts } from '../../views/texts/backups.js'
import { answerMeanwhile } from './meanwhile.js'

/** Restores the backup requested on a page, before the database is opened (ADR 59). */
export default fp(
  async function restorePlugin(app: FastifyInstance) {
    const { dataDir } = app.config
    const taken = takeRequest(dataDir)
    if (!taken) return removeInterrupted(dataDir)
    app.log.warn({ backup: taken.request.name }, 'restoring a backup')
    const stopAnswering = await answerMeanwhile(app.config)
    try {
      await restore(app, taken)
    } finally {
      withdrawRequest(dataDir)
      await stopAnswering()
    }
  },
  { name: 'restore', dependencies: ['config'] },
)

async function restore(app: FastifyInstance, { request, file }: { request: RestoreRequest; file: string }) {
  const { dataDir, databaseUrl } = app.config
  const { name } = request
  try {
    const options = { now: Date.now(), keepSignIns: false }
    const { manifest, before } = await restoreBackup(file, { dataDir, databaseUrl }, options)
    const kept = before && basename(before)
    writeOutcome(dataDir, { ...request, restored: manifest.createdAt, before: kept, refused: null })
    app.log.warn({ backup: name, before }, 'backup restored')
  } catch (err) {
    // The previous data is still there, and the service starts with it.
    const refused = err instanceof BackupRefused ? err.message : backupsTexts.failed
    writeOutcome(dataDir, { ...request, restored: null, before: null, refused })
    app.log.error({ err, backup: name }, 'backup not restored')
  }
}

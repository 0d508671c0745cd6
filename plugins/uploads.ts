import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { UploadStore } from '../domain/safes/stores/upload.sql.js'
import { ConcurrencyLimit } from '../domain/safes/uploads/concurrency-limit.js'
import { SyncRuns } from '../domain/safes/uploads/sync-runs.js'
import { Uploads } from '../domain/safes/uploads/uploads.js'
import type { Clock } from '../platform/common/clock.js'
import { DomainError } from '../platform/common/domain-error.js'
import { importsTexts } from '../views/texts/imports.js'
import { whileListening } from './while-listening.js'

const SWEEP_MS = 3_600_000
/** Concurrent uploads per account; one may take minutes. */
const UPLOADS_PER_ACCOUNT = 2

declare module 'fastify' {
  interface FastifyInstance {
    /** Files that arrive through the API. */
    uploads: Uploads
    syncRuns: SyncRuns
    /** Limits the uploads that an account sends at a time, through pages and the API. */
    uploadsAtOnce: ConcurrencyLimit
  }
}

export default fp(
  async function uploadsPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    const store = new UploadStore(app.database)
    const uploads = new Uploads({ store, folder: join(app.config.dataDir, 'received'), clock })
    const onError = (err: unknown) => app.log.error({ err }, 'a sync run or a clean-up failed')
    const runs = new SyncRuns({ uploads, store, folders: app.safes.folders, onError })
    app.decorate('uploads', uploads)
    app.decorate('syncRuns', runs)
    app.decorate('uploadsAtOnce', new ConcurrencyLimit(UPLOADS_PER_ACCOUNT, tooMany))

    const sweep = () => uploads.sweep().then(() => runs.sweep(), onError)
    whileListening(app, SWEEP_MS, sweep, { atOnce: true })
  },
  { name: 'uploads', dependencies: ['config', 'database', 'safes'] },
)

const tooMany = () => new DomainError(429, 'too_many_uploads', importsTexts.tooMany, 10)

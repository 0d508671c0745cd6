import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { FileReaders } from '../domain/safes/imports/file-readers.js'
import { IndexThread } from '../domain/safes/index/index-thread.js'
import { Indexes } from '../domain/safes/index/indexes.js'
import { sweepShared } from '../domain/safes/index/shared-snapshots.js'
import { Snapshots } from '../domain/safes/index/snapshot.js'
import { Safes } from '../domain/safes/safes.js'
import { KeptFolderStore } from '../domain/safes/stores/kept-folder.sql.js'
import { safeStores } from '../domain/safes/stores/safe-stores.js'
import { KeptFolders } from '../domain/safes/sync/kept-folders.js'
import type { Clock } from '../platform/common/clock.js'
import { whileListening } from './while-listening.js'

const SWEEP_EVERY_MS = 3_600_000
/** Interval between checks for changed folders, and for imports whose process has died and whose lease has expired. */
const LOOK_EVERY_MS = 60_000

declare module 'fastify' {
  interface FastifyInstance {
    safes: Safes
    keptFolders: KeptFolders
  }
}

interface SafesPluginOptions {
  clock: Clock
  /** Reads imported files. Default: processes that end with the service. */
  readers?: FileReaders | undefined
}

export default fp(
  async function safesPlugin(app: FastifyInstance, { clock, readers }: SafesPluginOptions) {
    const stores = safeStores(app.database)
    const { contents } = stores
    const { baseUrl, dataDir, databaseUrl, indexCacheBytes: maxBytes } = app.config
    const thread = new IndexThread({ dataDir, databaseUrl })
    const snapshots = new Snapshots(dataDir)
    const safes = new Safes({
      ...stores,
      indexes: new Indexes({
        contents,
        snapshots,
        thread,
        sweepShared: databaseUrl ? () => app.database.write(sweepShared) : undefined,
        maxBytes,
        onOpened: opened => app.log.debug(opened, 'index opened'),
        onError: err => app.log.error({ err }, 'failed to save an index'),
      }),
      readers,
      activity: app.activity,
      clock,
      baseUrl,
      spoolFolder: join(app.config.dataDir, 'spool'),
      onError: err => app.log.error({ err }, 'import or clean-up failed'),
    })
    app.decorate('safes', safes)
    const keptFolders = new KeptFolders({
      store: new KeptFolderStore(app.database),
      folders: safes.folders,
      allowed: app.config.syncFolders,
      dataDir,
      requireOwner: (accountId, safeId) => safes.requireOwner(accountId, safeId),
      isAdmin: async accountId => (await app.accounts.find(accountId))?.role === 'admin',
      onError: err => app.log.error({ err }, 'a folder of SYNC_FOLDERS was not read'),
    })
    app.decorate('keptFolders', keptFolders)
    app.accounts.beforeRemoval(accountId => safes.removal.removeOwnedOnlyBy(accountId))

    app.addHook('onClose', () => safes.close())
    app.addHook('onListen', async () => void safes.maintenance.prepareQuestions())
    whileListening(app, SWEEP_EVERY_MS, () => safes.maintenance.sweep(), { atOnce: true })
    whileListening(app, LOOK_EVERY_MS, () => keptFolders.runAll(), { atOnce: true })
    whileListening(app, LOOK_EVERY_MS, () => safes.maintenance.sweepAbandoned())
  },
  { name: 'safes', dependencies: ['database', 'activity', 'accounts'] },
)

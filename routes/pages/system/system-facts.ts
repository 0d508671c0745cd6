import type { FastifyInstance } from 'fastify'
import { showBytes, showTime } from '../../../platform/common/format.js'
import { version } from '../../../platform/common/package.js'
import { systemTexts } from '../../../views/texts/system.js'

/** A fact about the service. */
export interface SystemFact {
  name: string
  value: string
}

const m = systemTexts

/** The running version and its stores, and whether they answer. */
export async function factsOf(app: FastifyInstance): Promise<SystemFact[]> {
  const { config, database, redis, safes } = app
  const { bytes, safes: count } = safes.indexes.statistics
  const [databaseState, redisState] = await Promise.all([
    stateOf(() => database.ping()),
    redis ? stateOf(() => redis.ping()) : null,
  ])
  const startedAt = Date.now() - process.uptime() * 1000
  return [
    { name: m.version, value: m.versionOf(version, process.version) },
    { name: m.started, value: showTime(startedAt) },
    { name: config.databaseUrl ? 'Postgres' : m.embedded, value: databaseState },
    ...(redisState === null ? [] : [{ name: 'Redis', value: redisState }]),
    { name: m.backup, value: backupState(app) },
    { name: m.indexes, value: m.indexMemory(showBytes(bytes), showBytes(config.indexCacheBytes), count) },
  ]
}

/** Both stores fail within three seconds. */
async function stateOf(ping: () => Promise<unknown>): Promise<string> {
  const startedAt = performance.now()
  try {
    await ping()
    return m.answers((performance.now() - startedAt).toFixed(1))
  } catch {
    return m.unavailable
  }
}

function backupState(app: FastifyInstance): string {
  if (!app.config.backups) return m.noBackups
  try {
    const at = app.latestBackupAt()
    return at === null ? m.noBackupYet : showTime(at)
  } catch {
    return m.unavailable
  }
}

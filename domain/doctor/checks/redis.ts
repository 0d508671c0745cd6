import type { Redis } from 'ioredis'
import { isCluster } from '../../../platform/storage/redis/client.js'
import { INSTALLATION } from '../../../platform/storage/tables.js'
import { selectWhere } from '../../../platform/storage/where.js'
import { type Finding, note, problem, reasonOf, warning } from '../finding.js'
import type { Installation } from '../installation.js'
import { installationTexts } from './installation-texts.js'

const m = installationTexts.redis

/** Whether Redis persists its data: tokens are stored there for 90 days (docs/redis-keys.md). */
export async function checkRedis({ redis, database }: Installation): Promise<Finding[]> {
  try {
    const client = await redis()
    if (!client) return []
    const nodes = isCluster(client) ? client.nodes('master') : [client]
    const found = await Promise.all(nodes.map(checkNode))
    return [...found.flat(), ...(await installationId(database))]
  } catch (error) {
    const reason = reasonOf(error)
    const isRefused = /^(?:WRONGPASS|NOAUTH|ERR AUTH)/.test(reason)
    return [problem(isRefused ? m.password : m.unavailable(reason))]
  }
}

/** The key prefix of this installation. */
async function installationId(database: Installation['database']): Promise<Finding[]> {
  const db = await database().catch(() => null)
  const keys = db && selectWhere(db, 'service_keys', { name: INSTALLATION }).select('value')
  const { value = '' } = (await keys?.executeTakeFirst().catch(() => undefined)) ?? {}
  return value === '' ? [] : [note(m.keysBeginWith(value))]
}

async function checkNode(redis: Redis): Promise<Finding[]> {
  // Hosted servers refuse CONFIG, but not INFO.
  const [persistence, memory] = await Promise.all([redis.info('persistence'), redis.info('memory')])
  const findings: Finding[] = []
  if (field(persistence, 'aof_enabled') === '0')
    findings.push((await savesSnapshots(redis)) ? problem(m.snapshotsOnly) : warning(m.noFile))
  else if (field(persistence, 'aof_last_write_status') === 'err') findings.push(problem(m.fileFails))
  const policy = field(memory, 'maxmemory_policy')
  if (policy !== 'noeviction') findings.push(problem(m.evicts(policy)))
  return findings
}

const savesSnapshots = (redis: Redis) =>
  redis.config('GET', 'save').then(
    answer => (answer as string[])[1] !== '',
    () => true,
  )

const field = (info: string, name: string) =>
  info
    .split(/\s+/)
    .find(line => line.startsWith(`${name}:`))
    ?.slice(name.length + 1) ?? ''

import type { Redis } from 'ioredis'
import { sql } from 'kysely'
import type { Clock } from '../../../platform/common/clock.js'
import { isCluster } from '../../../platform/storage/redis/client.js'
import { type Finding, problem, warning } from '../finding.js'
import type { Installation } from '../installation.js'
import { installationTexts } from './installation-texts.js'

const m = installationTexts.clock
const WARNING_MS = 5000
const PROBLEM_MS = 60_000

/** Compares the clock of this machine with every other available clock. */
export async function checkClock(installation: Installation): Promise<Finding[]> {
  const clocks = [postgresAhead, redisAhead, addressAhead]
  const found = await Promise.all(
    // Other checks report services that do not answer.
    clocks.map(ahead => ahead(installation).catch(() => null)),
  )
  return found.flatMap(offset => (offset ? judged(offset) : []))
}

interface Offset {
  of: keyof typeof m.of
  aheadMs: number
}

function judged({ of, aheadMs }: Offset): Finding[] {
  const size = Math.abs(aheadMs)
  if (size < WARNING_MS) return []
  const advice = m.differs(m.of[of], Math.round(aheadMs / 1000))
  return [size < PROBLEM_MS ? warning(advice) : problem(advice)]
}

async function postgresAhead({ database, settings, clock }: Installation): Promise<Offset | null> {
  if (!settings.databaseUrl) return null
  const db = await database()
  const query = sql<{ now: number }>`select extract(epoch from clock_timestamp()) * 1000 as now`
  return {
    of: 'postgres',
    aheadMs: await aheadOf(clock, async () => Number((await query.execute(db)).rows[0]?.now)),
  }
}

async function redisAhead({ redis, clock }: Installation): Promise<Offset | null> {
  const client = await redis()
  if (!client) return null
  const nodes = isCluster(client) ? client.nodes('master') : [client]
  const offsets = await Promise.all(nodes.map(node => aheadOf(clock, () => timeOf(node))))
  const [largest = 0] = offsets.sort((a, b) => Math.abs(b) - Math.abs(a))
  return { of: 'redis', aheadMs: largest }
}

async function timeOf(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time()
  return Number(seconds) * 1000 + Number(micros) / 1000
}

/** The `Date` header has whole seconds: half a second is the mean of the part cut off. */
async function addressAhead({ address, clock }: Installation): Promise<Offset> {
  const read = async () => {
    const time = Date.parse((await address.send('/healthz')).headers.date ?? '')
    if (Number.isNaN(time)) throw new Error('The answer has no date.')
    return time + 500
  }
  return { of: 'address', aheadMs: await aheadOf(clock, read) }
}

async function aheadOf(clock: Clock, read: () => Promise<number>): Promise<number> {
  const before = clock()
  const theirs = await read()
  return theirs - (before + clock()) / 2
}

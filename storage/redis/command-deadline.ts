import type { Redis } from 'ioredis'
import { isCluster, type RedisClient } from './client.js'

/** Well before the command times out in `plugins/redis.ts`, so that whoever was told 503 can rely on "nothing happened". */
const START_WITHIN_MS = 1000
const MEASURE_EVERY_MS = 60_000

/**
 * A command that times out is still on its way: a Redis that stalled runs it when it wakes up, after its sender was told
 * 503 and has tried again, which would look like a second use. So scripts that use something up get a time, in
 * milliseconds of Redis's own clock (`TIME`), after which they must do nothing. In a cluster it is the clock that is
 * behind the others: where clocks differ, a script rather does nothing than too late.
 */
export function startByClock(redis: RedisClient): () => number {
  /** How far Redis's clock is ahead of ours. */
  let ahead = 0
  const measure = async () => {
    const nodes = isCluster(redis) ? redis.nodes('master') : [redis]
    const measured = await Promise.allSettled(nodes.map(measureAhead))
    const answers = measured.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
    if (answers.length > 0) ahead = Math.min(...answers)
  }
  if (redis.status === 'ready') void measure()
  // A cluster tells of a promoted node by a fresh list of its slots.
  redis.on(isCluster(redis) ? 'refresh' : 'ready', measure)
  const timer = setInterval(measure, MEASURE_EVERY_MS).unref()
  redis.on('end', () => clearInterval(timer))
  return () => Math.round(Date.now() + ahead + START_WITHIN_MS)
}

async function measureAhead(redis: Redis): Promise<number> {
  const sent = Date.now()
  const [seconds, micros] = await redis.time()
  return Number(seconds) * 1000 + Number(micros) / 1000 - (sent + Date.now()) / 2
}

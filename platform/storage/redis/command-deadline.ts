import type { Redis } from 'ioredis'
import { isCluster, type RedisClient } from './client.js'

/**
 * Well below the command timeout in `redis-client.ts`, so that a client that receives 503 knows that nothing
 * has happened.
 */
const START_WITHIN_MS = 1000
const MEASURE_EVERY_MS = 60_000

/** The latest time, in milliseconds of Redis's own clock (`TIME`), at which a command sent now may start. */
type CommandDeadline = () => number

/**
 * A command that times out may still be in flight: a stalled Redis runs it on waking up, after the client has
 * received 503 and retried, and the retry would look like reuse. Scripts that consume something therefore get
 * a deadline, after which they must do nothing. In a cluster the deadline follows the slowest clock, so that
 * a script is skipped rather than run late.
 */
export function commandDeadline(redis: RedisClient): CommandDeadline {
  const deadline = deadlines.get(redis) ?? createDeadline(redis)
  deadlines.set(redis, deadline)
  return deadline
}

/** One for each client: the clock is measured once for all stores. */
const deadlines = new WeakMap<RedisClient, CommandDeadline>()

function createDeadline(redis: RedisClient): CommandDeadline {
  /** How far Redis's clock is ahead of ours, in milliseconds. */
  let offsetMs = 0
  const measure = async () => {
    const nodes = isCluster(redis) ? redis.nodes('master') : [redis]
    const results = await Promise.allSettled(nodes.map(clockOffset))
    const offsets = results.flatMap(result => (result.status === 'fulfilled' ? result.value : []))
    if (offsets.length > 0) offsetMs = Math.min(...offsets)
  }
  if (redis.status === 'ready') void measure()
  // A cluster reports a promoted node by refreshing its list of slots.
  redis.on(isCluster(redis) ? 'refresh' : 'ready', measure)
  const timer = setInterval(measure, MEASURE_EVERY_MS).unref()
  redis.on('end', () => clearInterval(timer))
  return () => Math.round(Date.now() + offsetMs + START_WITHIN_MS)
}

async function clockOffset(redis: Redis): Promise<number> {
  const sentAt = Date.now()
  const [seconds, micros] = await redis.time()
  return Number(seconds) * 1000 + Number(micros) / 1000 - (sentAt + Date.now()) / 2
}

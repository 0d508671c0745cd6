import type { Redis } from 'ioredis'

/** Well before the command times out in `plugins/redis.ts`, so that whoever was told 503 can rely on "nothing happened". */
const START_WITHIN_MS = 1000
const MEASURE_EVERY_MS = 60_000

/**
 * A command that times out is still on its way: a Redis that stalled runs it when it wakes up, after its sender was told
 * 503 and has tried again, which would look like a second use. So scripts that use something up get a time, in
 * milliseconds of Redis's own clock (`TIME`), after which they must do nothing.
 */
export function startByClock(redis: Redis): () => number {
  /** How far Redis's clock is ahead of ours. */
  let ahead = 0
  const measure = async () => {
    const sent = Date.now()
    const [seconds, micros] = await redis.time()
    ahead = Number(seconds) * 1000 + Number(micros) / 1000 - (sent + Date.now()) / 2
  }
  const measureQuietly = () => void measure().catch(() => {})
  if (redis.status === 'ready') measureQuietly()
  redis.on('ready', measureQuietly)
  const timer = setInterval(measureQuietly, MEASURE_EVERY_MS).unref()
  redis.on('end', () => clearInterval(timer))
  return () => Math.round(Date.now() + ahead + START_WITHIN_MS)
}

import { isCluster, type RedisClient } from './client.js'

const RETENTION_MS = 60_000
const MAX_STEPS = 10_000

/** Records a completed step, so that it is repeated after a failover. */
export type FailoverReplay = (step: () => Promise<unknown>) => void

/**
 * Redis replicates asynchronously and writes its file once a second, so a promoted replica or a restarted
 * server may have lost the latest revocations and consumed codes. This process therefore replays its recent
 * steps, in order and before any other command. A step must have no effect where it, or a later one, has been
 * applied already.
 */
export function createFailoverReplay(redis: RedisClient): FailoverReplay {
  const steps = new Set<{ at: number; step(): Promise<unknown> }>()
  onNewPrimary(redis, () => {
    for (const { step } of steps) void step().catch(() => {})
  })
  return step => {
    const at = Date.now()
    steps.add({ at, step })
    for (const recorded of steps) {
      if (recorded.at > at - RETENTION_MS && steps.size <= MAX_STEPS) break
      steps.delete(recorded)
    }
  }
}

function onNewPrimary(redis: RedisClient, listener: () => void): void {
  if (!isCluster(redis)) {
    redis.on('ready', listener)
    return
  }
  let known = ''
  redis.on('refresh', () => {
    const primaries = redis.nodes('master').map(({ options }) => `${options.host}:${options.port}`)
    const current = primaries.sort().join()
    if (known && current !== known) listener()
    known = current
  })
}

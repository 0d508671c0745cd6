import { isCluster, type RedisClient } from './client.js'

const REMEMBER_MS = 60_000
const MOST = 10_000

/** Keeps a step that was done, so that it can be done `again`. */
export type Remember = (again: () => Promise<unknown>) => void

/**
 * Redis replicates asynchronously, and writes its file once a second: a replica that is promoted, or a server that
 * starts again, may not know of what was used up or revoked last. So the last steps of this process are done again,
 * in their order and before anything else. Each must do nothing where it is known already, or where later ones are.
 */
export function repeatAfterFailover(redis: RedisClient): Remember {
  const steps = new Set<{ at: number; again(): Promise<unknown> }>()
  onOtherPrimary(redis, () => {
    for (const { again } of steps) void again().catch(() => {})
  })
  return again => {
    const at = Date.now()
    steps.add({ at, again })
    for (const step of steps) {
      if (step.at > at - REMEMBER_MS && steps.size <= MOST) break
      steps.delete(step)
    }
  }
}

function onOtherPrimary(redis: RedisClient, work: () => void): void {
  if (!isCluster(redis)) {
    redis.on('ready', work)
    return
  }
  let known = ''
  redis.on('refresh', () => {
    const primaries = redis.nodes('master').map(({ options }) => `${options.host}:${options.port}`)
    const now = primaries.sort().join()
    if (known && now !== known) work()
    known = now
  })
}

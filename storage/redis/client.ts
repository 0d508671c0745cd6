import type { Cluster, Redis } from 'ioredis'

/** One server, the primary that sentinels name, or a cluster: the stores do not know which. */
export type RedisClient = Redis | Cluster

export const isCluster = (redis: RedisClient): redis is Cluster => redis.isCluster

const AWAY_NAMES = ['MaxRetriesPerRequestError', 'AbortError', 'ClusterAllFailedError']
const AWAY_NETWORK =
  /Command timed out|Socket timeout|Connection is closed|Stream isn't writeable|Cluster isn't ready|Too many Cluster redirections|E(?:CONNREFUSED|CONNRESET|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH)/
/** What a server answers that cannot serve now: it starts, is no primary, has lost its replicas, its disk or its memory. */
const AWAY_STATE =
  /^(?:LOADING|BUSY|READONLY|MASTERDOWN|NOREPLICAS|MISCONF|OOM|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|UNBLOCKED) /

/** Whether an error means "Redis is away", which callers answer with 503. */
export function isRedisAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (AWAY_NAMES.includes(error.name) || AWAY_NETWORK.test(error.message) || AWAY_STATE.test(error.message)) {
    return true
  }
  // A transaction that was given up: what its commands were told.
  const { previousErrors } = error as { previousErrors?: unknown }
  return Array.isArray(previousErrors) && previousErrors.length > 0 && previousErrors.every(isRedisAway)
}

import type { Cluster, Redis } from 'ioredis'

/** A single server, the primary behind sentinels, or a cluster. Stores treat them equally. */
export type RedisClient = Redis | Cluster

/** Whether the client is that of a cluster. */
export const isCluster = (redis: RedisClient): redis is Cluster => redis.isCluster

const UNAVAILABLE_NAMES = ['MaxRetriesPerRequestError', 'AbortError', 'ClusterAllFailedError']
const NETWORK_ERRORS =
  /Command timed out|Socket timeout|Connection is closed|Stream isn't writeable|Cluster isn't ready|Too many Cluster redirections|E(?:CONNREFUSED|CONNRESET|TIMEDOUT|PIPE|HOSTUNREACH|NETUNREACH)/
/** Replies of a server that is starting, is not a primary, or has lost its replicas, its disk or its memory. */
const SERVER_ERRORS =
  /^(?:LOADING|BUSY|READONLY|MASTERDOWN|NOREPLICAS|MISCONF|OOM|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|UNBLOCKED) /

/** Whether an error means that Redis is unavailable, which callers answer with 503. */
export function isRedisUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (
    UNAVAILABLE_NAMES.includes(error.name) ||
    NETWORK_ERRORS.test(error.message) ||
    SERVER_ERRORS.test(error.message)
  ) {
    return true
  }
  // The errors of the commands of an aborted transaction.
  const { previousErrors } = error as { previousErrors?: unknown }
  return (
    Array.isArray(previousErrors) && previousErrors.length > 0 && previousErrors.every(isRedisUnavailable)
  )
}

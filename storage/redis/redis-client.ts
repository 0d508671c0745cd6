import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { RedisClient } from './client.js'
import { parseRedisUrl, type RedisAddress } from './redis-url.js'

/**
 * Connects to Redis. A command either answers within two seconds or fails: with the offline queue on, requests
 * would hang while Redis is away instead of getting their 503.
 */
export async function openRedis(url: string): Promise<RedisClient> {
  const redis = create(parseRedisUrl(url))
  // Without a listener a lost connection would end the process; commands report it to their callers.
  redis.on('error', () => {})
  try {
    await connect(redis)
  } catch (error) {
    redis.disconnect()
    throw new Error('REDIS_URL: no Redis answers there.', { cause: error })
  }
  return redis
}

type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>

const CONNECT_WITHIN_MS = 3000
const retrySoon = (attempt: number) => Math.min(attempt * 100, 1000)

/** Sentinels and clusters are asked again and again; somebody who starts the service wants to know. */
async function connect(redis: RedisClient): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took too long.')), 2 * CONNECT_WITHIN_MS)
  })
  await Promise.race([redis.connect(), late]).finally(() => clearTimeout(timer))
}

function create(address: RedisAddress): RedisClient {
  const { kind, nodes, db, tls } = address
  const options = connectionOptions(address)
  if (kind === 'cluster') return createCluster(nodes, options)
  const one = { ...options, db, lazyConnect: true, enableOfflineQueue: false, retryStrategy: retrySoon }
  if (kind === 'standalone') return new Redis({ ...one, ...nodes[0], enableAutoPipelining: true })
  return new Redis({
    ...one,
    enableAutoPipelining: true,
    sentinels: [...nodes],
    name: address.primaryName,
    enableTLSForSentinelMode: tls,
    ...(tls && { sentinelTLS: {} }),
    ...(address.sentinelUsername && { sentinelUsername: address.sentinelUsername }),
    ...(address.sentinelPassword && { sentinelPassword: address.sentinelPassword }),
    sentinelCommandTimeout: 1000,
    sentinelRetryStrategy: retrySoon,
    // A primary that is cut off sends no farewell: the sentinels tell that there is another.
    failoverDetector: true,
    sentinelReconnectStrategy: retrySoon,
  })
}

function connectionOptions({ username, password, tls }: RedisAddress): ConnectionOptions {
  return {
    ...(username && { username }),
    ...(password && { password }),
    ...(tls && { tls: {} }),
    maxRetriesPerRequest: 1,
    commandTimeout: 2000,
    connectTimeout: CONNECT_WITHIN_MS,
    // A line that is silent this long is given up; TCP itself would try for a quarter of an hour.
    socketTimeout: 3000,
    // It was the primary and is not any more.
    reconnectOnError: error => error.message.startsWith('READONLY'),
  }
}

function createCluster(nodes: RedisAddress['nodes'], redisOptions: ConnectionOptions): Cluster {
  return new Cluster([...nodes], {
    redisOptions,
    lazyConnect: true,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    clusterRetryStrategy: retrySoon,
    // With the pauses of 100 ms between them: as long as a command may take anyway.
    maxRedirections: 16,
    slotsRefreshInterval: 5000,
    // Names stay names, or certificates would not match them.
    dnsLookup: (host, found) => found(null, host),
  })
}

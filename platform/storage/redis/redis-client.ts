import { Cluster, type Command, Redis, type RedisOptions } from 'ioredis'
import { measured } from '../measured.js'
import type { RedisClient } from './client.js'
import { parseRedisUrl, type RedisAddress } from './redis-url.js'

/** For one connection. */
const CONNECT_WITHIN_MS = 3000

/**
 * Connects to Redis. A command completes within two seconds or fails; with the offline queue, requests would
 * hang while Redis is unavailable instead of returning 503.
 * @param keyPrefix prefix of all keys of commands and scripts, which do not contain it
 * @param withinMs maximum time of all attempts to connect
 */
export async function openRedis(url: string, keyPrefix = '', withinMs = 2 * CONNECT_WITHIN_MS) {
  const redis = create(parseRedisUrl(url), keyPrefix)
  // Without a listener, a lost connection would crash the process; commands report it to their callers.
  let reported: Error | null = null
  redis.on('error', error => {
    reported = error
  })
  measureCommands(redis)
  try {
    await connect(redis, withinMs)
  } catch (error) {
    redis.disconnect()
    // `connect` itself only reports that the connection is closed.
    const cause: unknown = reported ?? error
    throw new Error(
      isPasswordRefused(cause)
        ? 'REDIS_URL: Redis refuses the password.'
        : 'REDIS_URL: no Redis answers there.',
      { cause },
    )
  }
  return redis
}

/** Not through the diagnostics channels of ioredis, which copy the arguments of each command. */
function measureCommands(redis: RedisClient): void {
  const send: (command: Command, ...rest: never[]) => unknown = redis.sendCommand.bind(redis)
  redis.sendCommand = (command: Command, ...rest: never[]) => {
    void measured('redis', command.name, () => command.promise)
    return send(command, ...rest)
  }
}

/** Whether an error is the answer of Redis to a wrong password, or to none. */
const isPasswordRefused = (error: unknown) =>
  /^(?:WRONGPASS|NOAUTH|ERR AUTH)/.test((error as Error | null)?.message ?? '')

type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>

const retrySoon = (attempt: number) => Math.min(attempt * 100, 1000)

/** Connects with a time limit, because ioredis would retry sentinels and clusters forever. */
async function connect(redis: RedisClient, withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The connection timed out.')), withinMs)
  })
  await Promise.race([redis.connect(), timeout]).finally(() => clearTimeout(timer))
}

function create(address: RedisAddress, keyPrefix: string): RedisClient {
  const { kind, nodes, db, tls } = address
  const options = { ...connectionOptions(address), keyPrefix }
  if (kind === 'cluster') return createCluster(nodes, options)
  const single = { ...options, db, lazyConnect: true, enableOfflineQueue: false, retryStrategy: retrySoon }
  if (kind === 'standalone') return new Redis({ ...single, ...nodes[0], enableAutoPipelining: true })
  return new Redis({
    ...single,
    enableAutoPipelining: true,
    sentinels: [...nodes],
    name: address.primaryName,
    enableTLSForSentinelMode: tls,
    ...(tls && { sentinelTLS: {} }),
    ...(address.sentinelUsername && { sentinelUsername: address.sentinelUsername }),
    ...(address.sentinelPassword && { sentinelPassword: address.sentinelPassword }),
    sentinelCommandTimeout: 1000,
    sentinelRetryStrategy: retrySoon,
    // A partitioned primary does not close its connections; the sentinels announce the new one.
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
    // Closes a connection that is silent this long; TCP itself would retry for 15 minutes.
    socketTimeout: 3000,
    // The server has been demoted to a replica.
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
    // With delays of 100 ms, this matches the command timeout.
    maxRedirections: 16,
    slotsRefreshInterval: 5000,
    // Keeps host names unresolved, so that they match the certificates.
    dnsLookup: (host, found) => found(null, host),
  })
}

// Connects to the Redis at the given address and reports the result to its parent.
import { openRedis } from '../../../platform/storage/redis/redis-client.js'

const answer = await ping(process.argv[2] ?? '').catch(error => error.message)
// Unreachable sentinels are tried again for ever.
process.send?.(answer, () => process.exit())

async function ping(url: string): Promise<string> {
  const redis = await openRedis(url)
  // In a cluster the keys are spread over all nodes.
  await Promise.all(Array.from({ length: 50 }, (_, i) => redis.set(`key ${i}`, i)))
  return redis.ping()
}

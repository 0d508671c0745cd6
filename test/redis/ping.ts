// Connects to the Redis at the address it is given and tells its parent what came of it.
import { openRedis } from '../../plugins/redis-client.js'

try {
  const redis = await openRedis(process.argv[2] ?? '')
  process.send?.(await redis.ping())
  await redis.quit()
} catch (error) {
  process.send?.((error as Error).message)
}
process.disconnect()

import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { openDatabase } from '../../plugins/database.js'
import type { AuthorizationRequest } from '../../plugins/oauth/authorization-request.js'
import { redisAuthorizationRequestStore } from '../../plugins/oauth/authorization-request-redis-store.js'
import { sqlAuthorizationRequestStore } from '../../plugins/oauth/authorization-request-sql-store.js'
import type { AuthorizationRequestStore } from '../../plugins/oauth/store.js'
import { place, redisUrl } from '../helper.js'

const now = Date.now()
const request: AuthorizationRequest = {
  clientId: 'client',
  clientName: 'Client',
  clientVerified: false,
  redirectUri: 'https://a.example/cb',
  state: '',
  codeChallenge: 'x',
  scope: ['vault:read'],
  resource: 'user',
  resourceSent: false,
  browser: 'browser',
  expiresAt: now + 60_000,
}

async function sqlStore(t: Test, over: 'sqlite' | 'postgres'): Promise<AuthorizationRequestStore> {
  const database = await openDatabase({ ...(await place(t, over)), role: 'server' })
  t.teardown(() => database.close())
  return sqlAuthorizationRequestStore(database)
}

async function redisStore(t: Test): Promise<AuthorizationRequestStore> {
  const redis = new Redis(await redisUrl())
  t.teardown(async () => {
    const keys = await redis.keys('*')
    for (const key of keys) t.ok((await redis.pttl(key)) > 0, 'every key has a TTL')
    redis.disconnect()
  })
  return redisAuthorizationRequestStore(redis, () => now)
}

const stores = {
  sql: (t: Test) => sqlStore(t, 'sqlite'),
  postgres: (t: Test) => sqlStore(t, 'postgres'),
  redis: redisStore,
}

for (const [name, open] of Object.entries(stores)) {
  t.test(name, async t => {
    const store = await open(t)
    await store.add('one', request)
    await store.add('two', { ...request, state: null })
    t.strictSame(await store.find('one', now), request)
    t.strictSame(await store.find('one', now), request, 'finding changes nothing')
    t.equal(await store.find('three', now), null)
    t.equal(await store.find('one', request.expiresAt), null, 'expired')
    const taken = await Promise.all(Array.from({ length: 20 }, () => store.consume('one', now)))
    t.strictSame(
      taken.filter(r => r !== null),
      [request],
      'C3 of 20 parallel decisions one gets it',
    )
    t.equal(await store.find('one', now), null)
    t.equal(await store.consume('two', request.expiresAt), null, 'expired')
  })
}

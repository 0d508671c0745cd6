import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { redisAuthorizationRequestStore } from '../../../domain/oauth/stores/authorization-request.redis.js'
import { sqlAuthorizationRequestStore } from '../../../domain/oauth/stores/authorization-request.sql.js'
import type { AuthorizationRequestStore } from '../../../domain/oauth/stores/types.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { databaseLocation, redisUrl } from '../../helper.js'

const now = Date.now()
const expiresAt = now + 60_000

async function sqlStore(t: Test, over: 'sqlite' | 'postgres'): Promise<AuthorizationRequestStore> {
  const database = await openDatabase({ ...(await databaseLocation(t, over)), role: 'server' })
  t.teardown(() => database.close())
  return sqlAuthorizationRequestStore(database)
}

async function redisStore(t: Test): Promise<AuthorizationRequestStore> {
  const redis = new Redis(await redisUrl())
  t.teardown(() => redis.disconnect())
  const store = redisAuthorizationRequestStore(redis, () => now)
  await store.decide('lasting', 'a', expiresAt)
  const left = await redis.pttl('oauth:request:lasting')
  t.ok(left > 0 && left <= expiresAt - now, 'a key lasts as long as its request')
  return store
}

const stores = {
  sql: (t: Test) => sqlStore(t, 'sqlite'),
  postgres: (t: Test) => sqlStore(t, 'postgres'),
  redis: redisStore,
}

for (const [name, open] of Object.entries(stores)) {
  t.test(`C3 of 20 parallel decisions the first counts, and is remembered: ${name}`, async t => {
    const store = await open(t)
    t.equal(await store.isDecided('one'), false)
    const decisions = await Promise.all(
      Array.from({ length: 20 }, (_, i) => store.decide('one', `attempt ${i}`, expiresAt)),
    )
    t.equal(decisions.filter(Boolean).length, 1)
    t.equal(await store.isDecided('one'), true)
    t.equal(await store.decide('one', 'later', expiresAt), false, 'nor later')
    t.equal(await store.isDecided('two'), false, 'no other')
    t.equal(await store.decide('two', 'a', expiresAt), true)
    await store.release('two', 'b')
    t.equal(await store.decide('two', 'b', expiresAt), false, 'nobody else takes it back')
    await store.release('two', 'a')
    t.equal(await store.decide('two', 'b', expiresAt), true, 'what could not be carried out may be repeated')
  })
}

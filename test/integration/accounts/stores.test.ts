import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { RedisLoginSessionStore, RedisThrottleStore } from '../../../accounts/stores/sign-in-state.redis.js'
import { SqlLoginSessionStore, SqlThrottleStore } from '../../../accounts/stores/sign-in-state.sql.js'
import { openDatabase } from '../../../storage/open-database.js'
import { openRedis } from '../../../storage/redis/redis-client.js'
import { databaseLocation, redisUrl } from '../../helper.js'

for (const over of ['sqlite', 'postgres', 'redis'] as const) {
  t.test(`stores of ephemeral state: ${over}`, async t => {
    const redis = over === 'redis' ? await openRedis(await redisUrl()) : null
    const database =
      over === 'redis' ? null : await openDatabase({ ...(await databaseLocation(t, over)), role: 'server' })
    t.teardown(() => Promise.all([redis?.quit(), database?.close()]))
    const sessions = redis ? new RedisLoginSessionStore(redis) : new SqlLoginSessionStore(database!)
    const throttle = redis ? new RedisThrottleStore(redis) : new SqlThrottleStore(database!)

    t.test('a login session is found until it ends or expires', async t => {
      const now = Date.now()
      const session = { idHash: 'h', accountId: 'a', epoch: 3, createdAt: now, expiresAt: now + 60_000 }
      await sessions.add(session)
      t.same(await sessions.find('h', now), session)
      t.equal(await sessions.find('other', now), null)
      t.equal(await sessions.find('h', now + 60_000), null)
      await sessions.extend(session, now + 120_000)
      t.equal((await sessions.find('h', now + 60_000))?.expiresAt, now + 120_000)
      await sessions.end('h')
      t.equal(await sessions.find('h', now), null)
      await sessions.extend(session, now + 240_000)
      t.equal(await sessions.find('h', now), null, 'an ended session stays ended')
    })

    t.test('of parallel requests exactly the limit are allowed', async t => {
      const results = await Promise.all(
        Array.from({ length: 20 }, () => throttle.take('parallel', 7, 60_000, Date.now())),
      )
      t.equal(results.filter(result => result.isAllowed).length, 7)
      const refused = await throttle.take('parallel', 7, 60_000, Date.now())
      t.match(refused, { isAllowed: false, count: 7 })
      t.ok(refused.resetInMs > 0 && refused.resetInMs <= 60_000)
    })

    t.test('a released attempt becomes available again once; a window expires', async t => {
      t.match(await throttle.take('k', 1, 80, Date.now()), { isAllowed: true, count: 1 })
      t.match(await throttle.take('k', 1, 80, Date.now()), { isAllowed: false })
      await throttle.release('k')
      await throttle.release('k')
      t.match(await throttle.take('k', 1, 80, Date.now()), { isAllowed: true, count: 1 })
      await sleep(120)
      t.match(await throttle.take('k', 1, 80, Date.now()), { isAllowed: true, count: 1 })
      await throttle.clear('k')
      t.match(await throttle.take('k', 1, 80, Date.now()), { isAllowed: true, count: 1 })
      await throttle.release('never taken')
      if (redis) t.ok((await redis.keys('throttle:never*')).length === 0)
      for (const key of (await redis?.keys('*')) ?? []) t.ok((await redis!.pttl(key)) > 0, `${key} ends`)
    })
  })
}

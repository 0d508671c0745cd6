import t from 'tap'
import {
  RedisLoginSessionStore,
  RedisThrottleStore,
} from '../../../domain/accounts/stores/sign-in-state.redis.js'
import { SqlLoginSessionStore, SqlThrottleStore } from '../../../domain/accounts/stores/sign-in-state.sql.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { openRedis } from '../../../platform/storage/redis/redis-client.js'
import { databaseLocation, redisUrl } from '../../helper.js'

for (const over of ['sqlite', 'postgres', 'redis'] as const) {
  t.test(`stores of ephemeral state: ${over}`, async t => {
    const redis = over === 'redis' ? await openRedis(await redisUrl()) : null
    const database =
      over === 'redis' ? null : await openDatabase({ ...(await databaseLocation(t, over)), role: 'server' })
    t.teardown(() => Promise.all([redis?.quit(), database?.close()]))
    const sessions = redis ? new RedisLoginSessionStore(redis) : new SqlLoginSessionStore(database!)
    const throttle = redis ? new RedisThrottleStore(redis) : new SqlThrottleStore(database!, Date.now)

    t.test('a login session is found until it ends or expires', async t => {
      const now = Date.now()
      const device = { userAgent: 'Browser/1', address: '192.0.2.1' }
      const times = { createdAt: now, expiresAt: now + 60_000, lastSeenAt: now }
      const session = { idHash: 'h', accountId: 'a', epoch: 3, ...times, ...device }
      await sessions.add(session)
      t.same(await sessions.find('h', now), session)
      t.equal(await sessions.find('other', now), null)
      t.equal(await sessions.find('h', now + 60_000), null)
      await sessions.extend(session, now + 120_000, now + 1)
      t.match(await sessions.find('h', now + 60_000), { expiresAt: now + 120_000, lastSeenAt: now + 1 })
      await sessions.end('h')
      t.equal(await sessions.find('h', now), null)
      await sessions.extend(session, now + 240_000, now + 2)
      t.equal(await sessions.find('h', now), null, 'an ended session stays ended')
    })

    t.test('the sessions of an account are listed, newest first, while they last', async t => {
      const now = Date.now()
      const device = { userAgent: null, address: null }
      const begin = (idHash: string, accountId: string, createdAt: number, expiresAt: number) => {
        const times = { createdAt, expiresAt, lastSeenAt: createdAt }
        return sessions.add({ idHash, accountId, epoch: 0, ...times, ...device })
      }
      await begin('one', 'ann', now - 3, now + 60_000)
      await begin('two', 'ann', now - 2, now + 1_000)
      await begin('three', 'ann', now - 1, now + 90_000)
      await begin('foreign', 'bob', now, now + 60_000)
      const listed = async (at: number) => (await sessions.listFor('ann', at)).map(({ idHash }) => idHash)
      t.same(await listed(now), ['three', 'two', 'one'])
      t.same(await listed(now + 1_000), ['three', 'one'])
      await sessions.end('three')
      t.same(await listed(now + 1_000), ['one'])
      const one = await sessions.find('one', now)
      await sessions.extend(one!, now + 120_000, now + 5)
      t.match(await sessions.listFor('ann', now + 90_000), [{ idHash: 'one', lastSeenAt: now + 5 }])
      t.same(await sessions.listFor('unknown', now), [])
    })

    t.test('of parallel requests exactly the limit are allowed', async t => {
      const results = await Promise.all(
        Array.from({ length: 20 }, () => throttle.take('parallel', 7, 60_000)),
      )
      t.equal(results.filter(result => result.isAllowed).length, 7)
      const refused = await throttle.take('parallel', 7, 60_000)
      t.match(refused, { isAllowed: false, count: 7 })
      t.ok(refused.resetInMs > 0 && refused.resetInMs <= 60_000)
    })

    t.test('a released attempt becomes available again once; a window expires', async t => {
      const take = (key: string, windowMs: number) => throttle.take(key, 1, windowMs)
      t.match(await take('k', 60_000), { isAllowed: true, count: 1 })
      t.match(await take('k', 60_000), { isAllowed: false })
      await throttle.release('k')
      await throttle.release('k')
      t.match(await take('k', 60_000), { isAllowed: true, count: 1 })
      t.match(await take('k', 60_000), { isAllowed: false })
      await throttle.clear('k')
      t.match(await take('k', 60_000), { isAllowed: true, count: 1 })
      t.match(await take('short', 80), { isAllowed: true, count: 1 })
      let again = await take('short', 80)
      while (!again.isAllowed) again = await take('short', 80)
      t.match(again, { count: 1 })
      await throttle.release('never taken')
      if (redis) t.ok((await redis.keys('throttle:never*')).length === 0)
      // -1: a key that never ends. -2: it has expired since it was listed.
      for (const key of (await redis?.keys('*')) ?? []) t.not(await redis!.pttl(key), -1, `${key} ends`)
    })
  })
}

import type { Cluster } from 'ioredis'
import t from 'tap'
import { build, testClock } from '../../helper.js'
import { assistantOf } from '../../integration/oauth/assistant.js'
import { FLOW_ENV, wholeFlow } from '../../integration/redis/flow.js'
import { patiently, promised } from '../../integration/redis/patience.js'
import { caughtUp, cutReplication, type Server, startCluster } from '../../integration/redis/servers.js'
import { until } from '../../until.js'

/** The first hash slot of the second primary. */
const SECOND = 5461

t.test('DESIGN §4 a Redis Cluster', async t => {
  const [first, second, third, replica] = (await startCluster(t, 1)) as [Server, Server, Server, Server]
  const REDIS_URL = `redis+cluster://127.0.0.1:1,127.0.0.1:${second.port}`

  await t.test('a whole flow, every step in one slot, spread over the nodes', async t => {
    const clock = testClock(Date.now())
    const app = await build(t, { clock, env: { ...FLOW_ENV, REDIS_URL } })
    await wholeFlow(t, { app, clock, inspect: async () => {} })
    for (const node of [first, second, third]) t.ok(Number(await node.ask('dbsize')) > 0)
    for (const node of [first, second, third]) await node.ask('flushall')
  })

  await t.test(
    'after a node is killed: 503 until its replica is promoted, then everything works, and nothing happens twice',
    async t => {
      const app = await build(t, { env: { REDIS_URL } })
      const { assistant } = await assistantOf(app, 'bob@b.example')
      const pairs = await Promise.all(Array.from({ length: 12 }, () => assistant.connect()))
      const slots = await Promise.all(
        pairs.map(({ access_token }) => second.ask('cluster', 'keyslot', `{${access_token.split('_')[2]}}`)),
      )
      t.ok(slots.some(slot => Number(slot) < SECOND) && slots.some(slot => Number(slot) >= SECOND))
      await caughtUp(first, replica)
      await cutReplication(first)
      const refresh = async (token: string) => (await patiently(t, () => assistant.refresh(token))).response
      const next = await Promise.all(pairs.map(async pair => (await refresh(pair.refresh_token)).json()))
      await first.kill()
      const lost = next[slots.findIndex(slot => Number(slot) < SECOND)]
      const unavailable = await promised(t, () => assistant.refresh(lost.refresh_token))
      t.match(unavailable, { statusCode: 503, headers: { 'retry-after': String } })
      const primaries = () => (app.redis as Cluster).nodes('master').map(({ options }) => options.port)
      await until(() => primaries().includes(replica.port))
      await patiently(t, () => app.inject('/readyz'))

      for (const [i, { access_token, refresh_token }] of next.entries()) {
        t.ok(await assistant.works(access_token))
        t.equal(
          (await refresh(refresh_token)).statusCode,
          200,
          'a token that the promoted one never heard of',
        )
        t.equal((await refresh(pairs[i]?.refresh_token ?? '')).statusCode, 400, 'a used one')
      }
    },
  )
})

import t from 'tap'
import { build, testClock } from '../helper.js'
import { Assistant } from '../oauth/assistant.js'
import { FLOW_ENV, wholeFlow } from './flow.js'
import { patiently } from './patience.js'
import { caughtUp, type Server, startCluster } from './servers.js'

/** Where the hash slots of the second primary begin. */
const SECOND = 5461

t.test('DESIGN §4 a Redis Cluster', async t => {
  const [first, second, third, replica] = (await startCluster(t, 1)) as [Server, Server, Server, Server]
  const REDIS_URL = `redis+cluster://127.0.0.1:1,127.0.0.1:${second.port}`

  await t.test('a whole flow, every step in one slot, spread over the nodes', async t => {
    const clock = testClock(Date.now())
    const app = await build(t, { clock, env: { ...FLOW_ENV, REDIS_URL } })
    await wholeFlow(t, { app, clock, look: async () => {} })
    for (const node of [first, second, third]) t.ok(Number(await node.ask('dbsize')) > 0)
    for (const node of [first, second, third]) await node.ask('flushall')
  })

  await t.test(
    'a node killed: 503 until its replica is promoted, then all goes on, nothing twice',
    async t => {
      const app = await build(t, { env: { REDIS_URL } })
      const assistant = await Assistant.registered(app)
      await assistant.browser.signIn('bob@b.example')
      const pairs = await Promise.all(Array.from({ length: 12 }, () => assistant.connect()))
      const slots = await Promise.all(
        pairs.map(({ access_token }) => second.ask('cluster', 'keyslot', `{${access_token.split('_')[2]}}`)),
      )
      await caughtUp(first, replica)
      await first.kill()
      const outcomes = await Promise.all(
        pairs.map(async ({ refresh_token }) => {
          const { response, refused } = await patiently(t, () => assistant.refresh(refresh_token))
          const { access_token = '' } = response.json()
          const again = await patiently(t, () => assistant.refresh(refresh_token))
          const works = await assistant.works(access_token)
          return { once: response.statusCode, twice: again.response.statusCode, works, refused }
        }),
      )
      t.ok(slots.some(slot => Number(slot) < SECOND) && slots.some(slot => Number(slot) >= SECOND))
      t.ok(outcomes.some(({ refused }) => refused > 0))
      for (const { refused, ...outcome } of outcomes) {
        t.strictSame(outcome, { once: 200, twice: 400, works: true })
      }
    },
  )
})

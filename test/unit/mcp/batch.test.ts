import { setImmediate as turnEnd } from 'node:timers/promises'
import t from 'tap'
import { openTestEndpoint, rpc } from './domain.js'

t.test(
  'a batch is charged before it is answered, one after the other, with turns for others in between',
  async t => {
    const { post } = openTestEndpoint({ ann: ['Home'] })
    const events: string[] = []
    const meter = { calls: (count: number) => events.push(`charged ${count}`), work() {} }
    let turns = 0
    let done = false
    const others = (async () => {
      while (!done) {
        await turnEnd()
        turns++
      }
    })()
    const batch = Array.from({ length: 50 }, (_, i) => rpc(i, i % 2 ? 'ping' : 'tools/list'))
    const [{ status, body }] = await Promise.all([post(batch, { meter }), post(batch, { meter })])
    done = true
    await others
    t.equal(status, 200)
    t.strictSame(
      body.map(({ id }: { id: number }) => id),
      batch.map(({ id }) => id),
    )
    t.strictSame(events, ['charged 49', 'charged 49'])
    t.ok(turns >= 99, `${turns} turns of others`)
  },
)

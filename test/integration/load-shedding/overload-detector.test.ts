import { setImmediate as turnEnd } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { FairShare } from '../../../platform/limits/fair-share.js'
import { OverloadDetector } from '../../../platform/limits/overload-detector.js'
import { build, testClock } from '../../helper.js'
import { type Load, type Outcome, Queue } from './queue.js'

/** A detector in overload at 1000, with no probe in flight. */
function overloaded(): OverloadDetector {
  const detector = new OverloadDetector(() => {})
  for (let now = 0; now < 1000; now += 200) {
    detector.shouldShed(now, false, true)
    detector.shouldShed(now + 150, false, true)
    detector.probeReturned(now + 200)
  }
  return detector
}

/** Number of admitted requests out of `count`. */
function admitted(
  detector: OverloadDetector,
  now: number,
  count: number,
  isOverShare = false,
  isVerified = true,
): number {
  return Array.from({ length: count }, () => detector.shouldShed(now, isOverShare, isVerified)).filter(
    isShed => !isShed,
  ).length
}

t.test('a queue that clears within half a second causes no rejections', async t => {
  const detector = new OverloadDetector(() => {})
  let now = 0
  for (const took of [5000, 200, 90, 90, 90, 3_600_000, 150, 120, 99, 99, 99, 700, 20]) {
    detector.shouldShed(now, true, true)
    t.equal(admitted(detector, now + took, 50, true), 50, `${took} ms`)
    now += took
    detector.probeReturned(now)
  }
})

t.test('work between two probes counts', async t => {
  const detector = new OverloadDetector(() => {})
  for (let now = 0; now < 1000; now += 200) {
    admitted(detector, now + 190, 1)
    detector.probeReturned(now + 200)
  }
  admitted(detector, 1190, 1)
  t.ok(detector.isOverloaded)
})

t.test('idle time does not count', async t => {
  const detector = new OverloadDetector(() => {})
  for (let now = 0; now < 10_000; now += 1100) {
    t.equal(admitted(detector, now, 50, true), 50)
    detector.probeReturned(now + 1)
    for (let tick = 1; tick < 60; tick++) {
      detector.tick(now + tick * 18)
      detector.probeReturned(now + tick * 18)
    }
  }
  t.notOk(detector.isOverloaded)
})

t.test('during overload a fifth of the slots are open to senders over their share', async t => {
  const detector = overloaded()
  t.ok(detector.isOverloaded)
  const overShare = admitted(detector, 1000, 500, true)
  const all = overShare + admitted(detector, 1030, 500)
  t.equal(overShare, Math.ceil(all / 5))
  t.equal(admitted(detector, 1110, 500), 2, 'and one more per 50 ms')
})

t.test('half of the slots are reserved for verified senders', async t => {
  const detector = overloaded()
  const unverified = admitted(detector, 1000, 500, false, false)
  const all = unverified + admitted(detector, 1030, 500)
  t.equal(unverified, Math.ceil(all / 2))
  t.equal(admitted(detector, 1040, 500, false, false), 0)
})

t.test('long rounds reduce the slots, short ones increase them', async t => {
  const detector = overloaded()
  const counts = [admitted(detector, 1000, 500)]
  for (let now = 1000; now < 1100; now += 10) {
    detector.probeReturned(now + 10)
    counts.push(admitted(detector, now + 10, 1000))
  }
  t.strictSame(
    counts.toSorted((a, b) => a - b),
    counts,
    'more after each short round',
  )
  const most = counts.at(-1) ?? 0
  t.ok(most > 5 * (counts[0] ?? 0), `${counts}`)
  for (let now = 1300; now < 3000; now += 200) {
    detector.probeReturned(now)
    counts.push(admitted(detector, now, 1000))
  }
  t.ok((counts[11] ?? 0) < most * 0.6, `${counts}`)
  t.equal(counts.at(-1), 10, 'never less than ten')
})

t.test('overload ends after some time without rejections', async t => {
  const detector = overloaded()
  admitted(detector, 1000, 1)
  t.ok(admitted(detector, 1050, 100, true) < 100)
  detector.probeReturned(2050)
  detector.tick(2100)
  detector.probeReturned(2101)
  t.ok(detector.isOverloaded, 'not yet, regardless of the length of the round with the rejection')
  detector.tick(2360)
  detector.probeReturned(2361)
  t.notOk(detector.isOverloaded)
})

t.test('senders with equal rates are never over their share, in any order', async t => {
  const fairShare = new FairShare()
  const senders = Array.from({ length: 100 }, (_, i) => `c${i}`)
  for (let turn = 0; turn < 50; turn++)
    t.notOk(senders.map(sender => fairShare.record(sender, 0)).includes(true), `turn ${turn}`)
})

t.test('a sender is over its share above 1.5 times the mean and above ten requests', async t => {
  const fairShare = new FairShare()
  const alone = Array.from({ length: 100 }, () => fairShare.record('loud', 0))
  t.notOk(alone.includes(true), 'a single sender is never over its share')
  t.notOk(fairShare.record('quiet', 0))
  t.ok(fairShare.record('loud', 0))
  t.notOk(fairShare.record('quiet', 1001), 'counts are halved after a second')
  for (let i = 0; i < 1000; i++) fairShare.record(`once ${i}`, 1001)
  t.notOk(fairShare.record('quiet', 1001), 'ten requests are never too many')
  t.ok(fairShare.record('loud', 1001))
  for (let now = 2002; now < 20_000; now += 1001) fairShare.record('quiet', now)
  t.notOk(fairShare.record('loud', 20_000), 'counts decay to zero within seconds')
})

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
/** 200 senders whose total load is `times` the capacity of the process. */
const loadOf = (costs: Omit<Load, 'senders'>, times: number): Load => {
  const each = (times * 1000) / (costs.readMs + costs.thenMs) / 200
  return { ...costs, senders: Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`c${i}`, each])) }
}
const together = (outcomes: Record<string, Outcome>) => ({
  answered: Object.values(outcomes).flatMap(({ answered }) => answered),
  refused: Object.values(outcomes).flatMap(({ refused }) => refused),
})
const kinds = {
  ping: { readMs: 0.2, thenMs: 0, refuseMs: 0.05 },
  question: { readMs: 2, thenMs: 0, refuseMs: 0.05 },
  'ping over Redis': { readMs: 0.06, thenMs: 0.14, refuseMs: 0.05 },
  'question over Redis': { readMs: 0.06, thenMs: 1.94, refuseMs: 0.05 },
}
for (const [kind, costs] of Object.entries(kinds)) {
  t.test(`ten seconds of a simulated queue: ${kind}`, async t => {
    t.equal(
      together(new Queue(loadOf(costs, 0.5)).run()).refused.length,
      0,
      'no rejections at half the capacity',
    )
    const pauses = [{ at: 3000, ms: 500 }]
    t.equal(
      together(new Queue({ ...loadOf(costs, 0.5), pauses }).run()).refused.length,
      0,
      'nor after a pause',
    )
    const { answered, refused } = together(new Queue(loadOf(costs, 3)).run())
    const capacity = 10_000 / (costs.readMs + costs.thenMs)
    t.ok(answered.length > 0.3 * capacity, `${answered.length} answered at three times the capacity`)
    t.ok(median(answered) < 250, `after ${median(answered)} ms`)
    t.ok(median(refused) < 150, `the others rejected after ${median(refused)} ms`)
  })

  t.test(`ten normal senders beside one that floods a simulated queue are answered: ${kind}`, async t => {
    const others = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`c${i}`, 2]))
    const flood = 3000 / (costs.readMs + costs.thenMs)
    const { wild, ...tame } = new Queue({ ...costs, senders: { ...others, wild: flood } }).run()
    const { answered, refused } = together(tame)
    t.ok(refused.length <= 4, `${refused.length} of 200 refused`)
    t.ok(median(answered) < 250, `after ${median(answered)} ms`)
    t.ok((wild?.refused.length ?? 0) > 5 * flood, 'the flooding sender is rejected')
  })
}

/** Makes one turn read more requests than `app` admits, with rounds of 150 ms, until it rejects some. */
async function overload(app: FastifyInstance, clock: { now: number }): Promise<void> {
  const read = () => Array.from({ length: 200 }, () => app.shouldShed('c', true))
  while (!read().includes(true)) {
    clock.now += 150
    await turnEnd()
  }
}

t.test('during overload each route answers 503 in its own format; health checks go on', async t => {
  const lines: string[] = []
  const clock = testClock()
  const app = await build(t, { overloadClock: clock, log: { write: line => lines.push(line) } })
  await app.listen({ port: 0 })
  await overload(app, clock)
  const json = { 'content-type': 'application/json' }
  const [mcp, token, metadata, page, health, ready] = await Promise.all([
    app.inject({ method: 'POST', url: '/mcp/v1', payload: '{}', headers: json }),
    app.inject({ method: 'POST', url: '/oauth/token', payload: '{}', headers: json }),
    app.inject('/.well-known/oauth-authorization-server'),
    app.inject({ url: '/login', headers: { accept: 'text/html' } }),
    app.inject('/healthz'),
    app.inject('/readyz'),
  ])
  for (const refused of [mcp, token, metadata, page])
    t.match(refused, { statusCode: 503, headers: { 'retry-after': '2', 'cache-control': 'no-store' } })
  for (const refused of [mcp, token, metadata])
    t.equal(refused.headers['access-control-allow-origin'], '*', 'pages of other origins may read it')
  t.match(mcp.json(), { jsonrpc: '2.0', id: null, error: { code: -32000, message: /busy/ } })
  t.match(token.json(), { error: 'temporarily_unavailable', error_description: /busy/ })
  t.match(metadata.json(), { error: 'temporarily_unavailable' })
  t.match(page.headers['content-type'], /text\/html/)
  t.strictSame([health.statusCode, ready.statusCode], [200, 200])
  const logged = (text: string) => lines.filter(line => line.includes(text)).length
  t.equal(logged('overload: requests'), 1, 'one log line for all of them')
  t.equal(logged('request failed'), 0)

  while (logged('overload ended') === 0) {
    clock.now += 50
    app.shouldShed('c', true)
    await turnEnd()
  }
  t.equal((await app.inject('/.well-known/oauth-authorization-server')).statusCode, 200)
})

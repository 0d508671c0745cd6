import t from 'tap'
import { RateLimiter } from '../../../platform/limits/rate-limiter.js'
import { testClock } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { writesNothing } from '../../written.js'
import { buildService, fill } from './service.js'

const env = { CALLS_PER_SECOND: '3' }
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }

t.test('a connection over its rate limit gets 429, others are unaffected', async t => {
  const clock = testClock()
  const { app, ann, bob, issue, poster } = await buildService(t, { clock, env })
  const [wild, tame, bobs] = [await issue(ann), await issue(ann), await issue(bob)]
  const { post, send } = poster(wild)
  const ping = async ({ accessToken }: typeof wild) =>
    (await poster({ accessToken }).post(rpc(1, 'ping'))).status
  for (let i = 0; i < 30; i++) t.equal(await ping(wild), 200, `call ${i}`)
  const refused = await post(rpc(1, 'ping'))
  t.match(refused, { status: 429, headers: { 'retry-after': '1', 'cache-control': 'no-store' } })
  t.match(refused.body, {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32000, message: /more than 3 requests/ },
  })
  await writesNothing(t, app, 'refused calls', async () => {
    for (let i = 0; i < 10; i++) t.equal(await ping(wild), 429)
  })
  t.strictSame([await ping(tame), await ping(bobs)], [200, 200])
  const [, , id] = wild.accessToken.split('_')
  const stranger = { ...wild, accessToken: `svc_at_${id}_${'0'.repeat(43)}` }
  t.equal(await ping(stranger), 401, 'the id alone is not accepted, and takes no token')

  clock.now += 1000
  for (let i = 0; i < 3; i++) t.equal(await ping(wild), 200)
  t.equal(await ping(wild), 429)
  clock.now += 1000
  const batch = await send(Array.from({ length: 9 }, (_, i) => rpc(i, 'ping')))
  t.equal(batch.statusCode, 200, 'a batch is answered whole')
  clock.now += 2000
  t.equal(await ping(wild), 429, 'and takes one token per call')
  clock.now += 1000
  t.equal(await ping(wild), 200)
})

t.test('R8 a client that opens a session for every call pays little for it', async t => {
  const { ann, issue, poster } = await buildService(t, { clock: testClock(), env })
  const { post, initialize } = poster(await issue(ann))
  for (let i = 0; i < 25; i++) {
    t.ok(await initialize(), `session ${i}`)
    t.equal((await post(INITIALIZED)).status, 202)
    t.equal((await post(rpc(1, 'tools/list'))).status, 200)
    if (i % 2 === 0) t.equal((await post(rpc(2, 'ping'))).status, 200)
  }
  const refused = []
  for (let i = 0; i < 60; i++) refused.push((await post(rpc(1, 'tools/list'))).status)
  t.ok(refused.includes(429), 'but not nothing')
  t.match(
    (await post(rpc(1, 'ping'))).body.error.message,
    /^This connection .*send the same request again\.$/,
  )
})

t.test('rejections are reported once', async t => {
  const limits = new RateLimiter(1, testClock())
  limits.rememberToken('token', 'wild', 'ann')
  t.equal(limits.connectionOf('token'), 'wild')
  t.equal(limits.connectionOf('another'), null)
  for (let i = 0; i < 10; i++) t.equal(limits.take('wild'), null)
  t.match(limits.take('wild'), { status: 429, retryAfter: 1 })
  t.strictSame(limits.sweep(), new Map([['wild', 1]]), 'reported once a minute, not each time')
  t.strictSame(limits.sweep(), new Map())
})

t.test('the connections of an account share its processor time, 4 ms a request (issue 53)', async t => {
  const clock = testClock()
  const limits = new RateLimiter(10, clock)
  const own = ['one', 'two', 'three']
  for (const id of own) limits.rememberToken(`token of ${id}`, id, 'ann')
  limits.rememberToken('token of another', 'another', 'bob')
  for (const id of own) limits.chargeTime(id, 130)
  for (const id of own) t.equal(limits.take(id), null, 'of 400 ms, 390 were used')
  limits.chargeTime('two', 50)
  for (const id of own) t.match(limits.take(id), { status: 429, retryAfter: 2, message: /its account/ })
  t.equal(limits.take('another'), null, 'another account goes on')
  limits.sweep()
  clock.now += 1000
  t.match(limits.take('one'), { status: 429 }, 'a negative bucket must be refilled first')
  clock.now += 500
  for (const id of own) t.equal(limits.take(id), null)
  clock.now += 60_000
  limits.sweep()
  limits.rememberToken('token of one', 'one', 'ann')
  limits.chargeTime('one', 399)
  t.equal(limits.take('one'), null, 'an idle account is forgotten with a full bucket')
})

t.test(`a connection is charged for processor time, and for a batch before it is answered`, async t => {
  // Enough processor time for a busy machine.
  const service = await buildService(t, { clock: testClock(), env: { CALLS_PER_SECOND: '100' } })
  const { app, ann, bob, harbour, issue, poster } = service
  await fill(app, ann, harbour)
  const charged: [string, string, number][] = []
  const { charge, chargeTime } = app.rateLimiter
  Object.assign(app.rateLimiter, {
    charge: (id: string, calls: number) => {
      charged.push(['calls', id, calls])
      charge.call(app.rateLimiter, id, calls)
    },
    chargeTime: (id: string, ms: number) => {
      charged.push(['ms', id, ms])
      chargeTime.call(app.rateLimiter, id, ms)
    },
  })
  const [mine, his] = [await issue(ann, { chosenSafeIds: [harbour] }), await issue(bob)]
  const ask = (id: number) => rpc(id, 'tools/call', { name: 'svc', arguments: { query: 'Who is Ada?' } })
  t.equal((await poster(mine).post(ask(1))).status, 200)
  const [kind, id, ms = 0] = charged.find(([kind]) => kind === 'ms') ?? []
  t.strictSame([kind, id], ['ms', mine.connectionId])
  t.ok(ms > 0, `${ms} ms`)
  charged.length = 0
  t.equal((await poster(his).post(rpc(1, 'ping'))).status, 200)
  t.strictSame(charged, [])
  await poster(mine).post([ask(1), ask(2), rpc(3, 'ping')])
  t.strictSame(charged[0], ['calls', mine.connectionId, 2], 'before the first is answered')
  t.equal(charged.filter(([kind]) => kind === 'ms').length, 2)
})

t.test('the token of an idle connection is forgotten', async t => {
  const clock = testClock()
  const limits = new RateLimiter(1, clock)
  limits.rememberToken('token', 'wild', 'ann')
  limits.take('wild')
  limits.sweep()
  t.equal(limits.connectionOf('token'), 'wild')
  clock.now += 1000
  limits.sweep()
  t.equal(limits.connectionOf('token'), null)
})

t.test('a connection may have 100 requests in flight', async t => {
  const limits = new RateLimiter(50, testClock())
  let answer = () => {}
  const answered = new Promise<void>(resolve => {
    answer = resolve
  })
  const open = Array.from({ length: 100 }, () => limits.run('wild', () => answered))
  await t.rejects(
    limits.run('wild', async () => t.fail('begun')),
    /too many at once/,
  )
  await limits.run('tame', async () => t.pass('another one goes on'))
  limits.sweep()
  await t.rejects(
    limits.run('wild', async () => t.fail('begun')),
    /too many at once/,
    'nothing under way is forgotten',
  )
  answer()
  await Promise.all(open)
  await limits.run('wild', async () => t.pass('when they are answered it goes on'))
})

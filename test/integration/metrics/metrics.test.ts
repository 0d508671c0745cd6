import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { freePort } from '../../free-port.js'
import { build, setUp } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { buildService, fill } from '../mcp/service.js'
import { assistantOf } from '../oauth/assistant.js'

const TOKEN = 'a-token-for-prometheus'
const [STORE, OTHER] = setUp === 'postgres' ? ['postgres', 'sqlite'] : ['sqlite', 'postgres']

/** The value of each series, by its name and labels as they are printed. */
async function read(app: FastifyInstance): Promise<Map<string, number>> {
  const { body, statusCode } = await app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  if (statusCode !== 200) throw new Error(body)
  const lines = body.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

t.test('/metrics does not exist without METRICS_PORT and METRICS_TOKEN', async t => {
  const app = await build(t)
  t.equal((await app.inject('/metrics')).statusCode, 404)
  t.equal(app.metrics, null)
})

t.test('METRICS_TOKEN is required, and nothing else will do', async t => {
  const app = await build(t, { env: { METRICS_TOKEN: TOKEN } })
  const ask = (authorization?: string) =>
    app.inject({ url: '/metrics', headers: authorization ? { authorization } : {} })
  for (const wrong of [undefined, 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN]) {
    const refused = await ask(wrong)
    t.match(refused, { statusCode: 401, headers: { 'www-authenticate': 'Bearer' } }, wrong ?? 'no token')
    t.notMatch(refused.body, /svc_/)
  }
  for (const scheme of ['Bearer', 'bearer']) t.equal((await ask(`${scheme} ${TOKEN}`)).statusCode, 200)
})

t.test(
  'METRICS_PORT serves /metrics there and not on PORT, with METRICS_TOKEN only if there is one',
  async t => {
    const port = await freePort()
    const app = await build(t, { env: { METRICS_PORT: String(port) } })
    t.equal((await app.inject('/metrics')).statusCode, 404)
    const response = await fetch(`http://127.0.0.1:${port}/metrics`)
    t.equal(response.status, 200)
    t.match(response.headers.get('content-type'), 'text/plain; version=0.0.4')
    t.match(await response.text(), 'svc_build_info{version="')
    const other = await fetch(`http://127.0.0.1:${port}/login`)
    t.equal(other.status, 404)
    await other.text()

    const second = await freePort()
    await build(t, { env: { METRICS_PORT: String(second), METRICS_TOKEN: TOKEN } })
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: `Bearer ${TOKEN}` }, 200],
    ] as const)
      t.equal((await fetch(`http://127.0.0.1:${second}/metrics`, { headers })).status, status)

    const taken = await build(t, { env: { METRICS_PORT: String(port) } }).catch((error: Error) => error)
    t.match(taken, { message: /EADDRINUSE/ }, 'a taken port stops the start')
  },
)

t.test('requests are counted by route, and unknown ones under one label', async t => {
  const { app, ann, harbour, issue, poster } = await buildService(t, { env: { METRICS_TOKEN: TOKEN } })
  await fill(app, ann, harbour)
  const { tool, post } = poster(await issue(ann))
  await tool('svc', { query: 'Ada', safe: harbour })
  const pinned = poster(await issue(ann, { chosenSafeIds: [harbour] }), `/mcp/v1/${harbour}`)
  await pinned.post(rpc(1, 'ping'))
  await post('{')
  for (const path of ['/nothing', '/a/secret/path', '/%zz']) await app.inject(path)
  const values = await read(app)

  t.equal(values.get('svc_http_requests_total{method="POST",route="/mcp/v1",status="200"}'), 1)
  t.equal(values.get('svc_http_requests_total{method="POST",route="/mcp/v1",status="400"}'), 1)
  t.equal(values.get('svc_http_request_duration_seconds_count{method="POST",route="/mcp/v1"}'), 2)
  const names = [...values.keys()]
  t.ok(
    names.some(name => name.includes('route="/mcp/v1/:safeId"')),
    'without the constraint of its parameter',
  )
  t.equal(values.get('svc_http_requests_total{method="GET",route="none",status="404"}'), 3)
  const text = names.join('\n')
  for (const secret of ['nothing', 'secret', harbour, ann, 'Harbour', 'ann@', 'Ada'])
    t.notOk(text.includes(secret), `no label contains ${secret}`)

  t.equal(values.get('svc_search_duration_seconds_count'), 1)
  t.equal(values.get('svc_import_duration_seconds_count{kind="file",result="committed"}'), 1)
  t.ok((values.get('svc_index_open_duration_seconds_count{result="built"}') ?? 0) >= 1)
  t.ok((values.get('svc_index_bytes') ?? 0) > 0)
  for (const operation of ['select', 'insert'])
    t.ok(values.get(`svc_store_call_duration_seconds_count{store="${STORE}",operation="${operation}"}`))
  t.ok((values.get('process_resident_memory_bytes') ?? 0) > 0)
  t.ok(values.has('nodejs_eventloop_lag_p99_seconds'))
})

t.test('the buckets of a histogram are cumulative, and their sum is in seconds', async t => {
  const app = await build(t, { env: { METRICS_TOKEN: TOKEN } })
  for (const ms of [1, 3, 40, 60_000]) app.metrics?.countRequest('GET', '/x', 200, ms)
  const values = await read(app)
  const bucket = (le: string) =>
    values.get(`svc_http_request_duration_seconds_bucket{method="GET",route="/x",le="${le}"}`)
  t.same([bucket('0.001'), bucket('0.0025'), bucket('0.005'), bucket('0.05'), bucket('10')], [1, 1, 2, 3, 3])
  t.equal(bucket('+Inf'), 4)
  t.equal(values.get('svc_http_request_duration_seconds_sum{method="GET",route="/x"}'), 60.044)
})

t.test('tokens, sign-ins and the stores are counted', async t => {
  const app = await build(t, { env: { METRICS_TOKEN: TOKEN } })
  const { assistant } = await assistantOf(app)
  const { refresh_token } = await assistant.connect()
  t.equal((await assistant.refresh(refresh_token)).statusCode, 200)
  t.equal((await assistant.refresh(refresh_token)).statusCode, 400)
  t.equal((await assistant.form('/oauth/token', { grant_type: 'password' })).statusCode, 400)
  await app.accounts.passwords.signIn('ann@a.example', 'not the password', '192.0.2.1')
  const values = await read(app)
  const tokens = (grantType: string, result: string) =>
    values.get(`svc_token_requests_total{grant_type="${grantType}",result="${result}"}`)
  t.equal(tokens('authorization_code', 'issued'), 1)
  t.equal(tokens('refresh_token', 'issued'), 1)
  t.equal(tokens('refresh_token', 'invalid_grant'), 1)
  t.equal(tokens('other', 'unsupported_grant_type'), 1)
  t.equal(values.get('svc_sign_ins_total{result="failed"}'), 1)
  const calls = (store: string, operation: string) =>
    values.get(`svc_store_call_duration_seconds_count{store="${store}",operation="${operation}"}`)
  t.ok(calls(STORE, 'select'))
  t.ok(calls(STORE, 'commit'))
  t.equal(calls(OTHER, 'select'), undefined)
  t.equal(calls('postgres', 'connect') !== undefined, setUp === 'postgres')
  t.equal(calls('redis', 'evalsha') !== undefined, setUp !== 'embedded')
})

t.test('rejected requests are counted by their reason', async t => {
  const env = { METRICS_TOKEN: TOKEN, CALLS_PER_SECOND: '1' }
  const { app, ann, issue, poster } = await buildService(t, { env, clock: () => 1_750_000_000_000 })
  const { send } = poster(await issue(ann))
  for (let i = 0; i < 12; i++) await send(rpc(1, 'ping'))
  t.equal((await read(app)).get('svc_rejections_total{reason="rate_limit"}'), 2)
})

t.test('after it is closed, a service measures nothing', async t => {
  const app = await build(t, { env: { METRICS_TOKEN: TOKEN } })
  await app.safes.readableBy('unknown')
  await app.close()
  const before = await app.metrics?.read()
  await (await build(t)).safes.readableBy('unknown')
  const countOf = (text = '') => /svc_store_call_duration_seconds_count\{.*select.*\} (\d+)/.exec(text)?.[1]
  t.ok(countOf(before))
  t.equal(countOf(await app.metrics?.read()), countOf(before))
})

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { build, testClock } from '../../helper.js'
import { refused } from '../../written.js'
import { Assistant, CALLBACK } from './assistant.js'

const CLIENT_ID = /^svc_client_[0-9A-Za-z]{22}_[0-9A-Za-z]{22}$/
const DAY = 24 * 3_600_000
const uris = (redirect_uris: unknown) => ({ redirect_uris })

async function start(t: Test) {
  const app = await build(t)
  const assistant = new Assistant(app)
  const refuses = async (name: string, send: () => ReturnType<Assistant['register']>, status: number) => {
    const response = await refused(t, app, name, send)
    t.equal(response.statusCode, status, name)
    t.match(response.headers, {
      'content-type': /^application\/json/,
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    })
    t.strictSame(Object.keys(response.json()).sort(), ['error', 'error_description'], name)
    return response
  }
  return { app, assistant, refuses }
}

t.test('G1 a registration is answered with every effective value (RFC 7591 §3.2.1)', async t => {
  const { app, assistant } = await start(t)
  const response = await assistant.register({
    ...uris([CALLBACK, CALLBACK]),
    client_name: 'Assistant',
    token_endpoint_auth_method: 'client_secret_basic',
    scope: 'vault:read',
    contacts: null,
    logo_uri: 'https://a.example/logo.png',
    client_id: 'chosen',
    client_secret: 'chosen',
  })
  t.equal(response.statusCode, 201)
  t.match(response.headers, {
    'content-type': /^application\/json/,
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'access-control-allow-origin': '*',
  })
  const { client_id, client_id_issued_at, ...rest } = response.json()
  t.match(client_id, CLIENT_ID)
  t.ok(Number.isInteger(client_id_issued_at) && Math.abs(client_id_issued_at - Date.now() / 1000) < 60)
  // No nulls, no client_secret, no registration_client_uri, and only members that have an effect.
  t.strictSame(rest, {
    client_name: 'Assistant',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
  t.match(await app.oauth.clients.find(client_id), { name: 'Assistant', redirectUris: [CALLBACK] })
  const second = (await assistant.register(uris([CALLBACK]))).json()
  t.not(second.client_id, client_id)
})

t.test('G5 what is no registration at all', async t => {
  const { app, assistant, refuses } = await start(t)
  const body = JSON.stringify(uris([CALLBACK]))
  const cases: [string, unknown, number, string, string?][] = [
    ['a list', '[]', 400, 'invalid_client_metadata'],
    ['not JSON', '{', 400, 'invalid_request'],
    ['__proto__', `{"__proto__":{"x":1},${body.slice(1)}`, 400, 'invalid_request'],
    ['a form', 'redirect_uris=x', 400, 'invalid_request', 'application/x-www-form-urlencoded'],
    ['another type', body, 400, 'invalid_client_metadata', 'text/plain'],
    ['an unknown type', body, 400, 'invalid_request', 'x/y'],
    ['over 64 KiB', body + ' '.repeat(64 * 1024 + 1 - body.length), 413, 'invalid_request'],
  ]
  for (const [name, sent, status, error, type = 'application/json'] of cases) {
    const send = () => assistant.register(sent, { 'content-type': type })
    t.equal((await refuses(`G5 ${name}`, send, status)).json().error, error, name)
  }
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
    const send = () => app.inject({ method, url: '/oauth/register' })
    t.equal((await refuses(`G1 ${method}`, send, 405)).headers.allow, 'POST')
  }
  const fullBody = body + ' '.repeat(64 * 1024 - body.length)
  t.equal((await assistant.register(fullBody)).statusCode, 201, '64 KiB are fine')
})

t.test('G6, M6 registrations are limited per address, at either path', async t => {
  const { app, refuses } = await start(t)
  const register = (url = '/oauth/register', remoteAddress = '192.0.2.1', payload = uris([CALLBACK])) =>
    app.inject({ method: 'POST', url, remoteAddress, payload })
  const statuses = new Set<number>()
  for (let i = 0; i < 300; i++) statuses.add((await register(i % 2 ? '/register' : undefined)).statusCode)
  t.strictSame([...statuses], [201], '300 an hour are fine')
  for (const url of ['/oauth/register', '/register']) {
    const response = await refuses(`G6 ${url}`, () => register(url), 429)
    t.equal(response.json().error, 'too_many_requests')
    const wait = Number(response.headers['retry-after'])
    t.ok(wait > 0 && wait <= 3600, `${wait}`)
  }
  t.equal((await register('/oauth/register', '192.0.2.2')).statusCode, 201, 'another address')
  if (!app.redis) return
  app.redis.disconnect()
  const unavailable = await register('/oauth/register', '192.0.2.3')
  t.match(unavailable, { statusCode: 503, headers: { 'retry-after': String } }, 'DESIGN §4 without Redis')
  t.equal(unavailable.json().error, 'temporarily_unavailable')
})

t.test('G6 a sender that is gone when its registration is counted is no fault', async t => {
  const lines: string[] = []
  const app = await build(t, { log: { write: line => lines.push(line) } })
  await app.listen({ host: '127.0.0.1', port: 0 })
  app.server.prependListener('request', request => request.socket.destroy())
  const answered = once(app.server, 'request').then(([, response]) => once(response, 'close'))
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/oauth/register`
  await t.rejects(fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }))
  await answered
  t.strictSame(
    lines.filter(line => line.includes('request failed')),
    [],
  )
})

t.test('G6 the sweep deletes registrations that were not used for 7 days, and no others', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const clock = testClock(Date.now())
  const app = await build(t, { clock })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const expired = { id_hash: 'expired', request_json: '{}', expires_at: 0 }
  const left = () => app.database.read.selectFrom('authorization_requests').select('id_hash').execute()
  const sweep = async () => {
    await app.database.write(trx => trx.insertInto('authorization_requests').values(expired).execute())
    mock.timers.tick(10 * 60_000)
    // Expired registrations are last.
    while ((await left()).some(({ id_hash }) => id_hash === expired.id_hash)) await pause(5)
  }
  const [approved, denied, unused] = [
    await Assistant.registered(app),
    await Assistant.registered(app),
    await Assistant.registered(app),
  ]
  for (const assistant of [approved, denied]) await assistant.browser.signIn('ann@a.example')
  await approved.code()
  await denied.decide(await denied.consentPage(), { decision: 'deny' })
  const known = () =>
    Promise.all(
      [approved, denied, unused].map(async one => (await app.oauth.clients.find(one.clientId)) !== null),
    )
  clock.now += 7 * DAY
  await sweep()
  t.strictSame(await known(), [true, true, true], 'not before')
  clock.now += 1
  await sweep()
  t.strictSame(await known(), [true, false, false])
  clock.now += 400 * DAY
  await sweep()
  t.strictSame(await known(), [true, false, false], 'what was used once stays')
})

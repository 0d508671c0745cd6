import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turnEnd } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { testClock } from '../../helper.js'
import { sendRaw } from '../../socket.js'
import { rpc } from '../../unit/mcp/domain.js'
import { buildService } from '../mcp/service.js'
import { Browser } from '../pages/browser.js'

const JSON_TYPE = 'content-type: application/json'
const PING = JSON.stringify(rpc(1, 'ping'))

/** A listening service, with a connection that has used up its rate limit. */
async function flooded(t: Test, log: { write(line: string): void } = { write() {} }) {
  const service = await buildService(t, { clock: testClock(), env: { CALLS_PER_SECOND: '1' }, log })
  const { app, ann, issue, poster } = service
  await app.listen({ port: 0, host: '127.0.0.1' })
  const wild = await issue(ann)
  for (let i = 0; i < 10; i++) t.equal((await poster(wild).post(PING)).status, 200)
  const authorization = `authorization: Bearer ${wild.accessToken}`
  const sendEarly = (path = '/mcp/v1', ...headers: string[]) =>
    sendRaw(app, `POST ${path}`, [authorization, JSON_TYPE, ...headers], PING)
  return { ...service, wild, authorization, sendEarly }
}

const hopByHop = ['date', 'connection', 'keep-alive']
const endToEnd = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name)))

t.test('a rejection before routing equals the one that Fastify sends, 429 and 503', async t => {
  const { app, wild, sendEarly, poster, ann, issue } = await flooded(t)
  const same = async (status: number, token = wild) => {
    const inside = await poster(token).send(PING)
    t.equal(inside.statusCode, status)
    for (const path of ['/mcp/v1', '/mcp/v1/', '/mcp/v1/3XkQ0aV7bTn5mWcR9sYdLe?x=1']) {
      const refused = await sendEarly(path)
      t.equal(refused.status, status, path)
      t.equal(refused.body, inside.body)
      const headers = Object.entries(inside.headers).map(([name, value]) => [name, `${value}`])
      t.strictSame(endToEnd(refused.headers), endToEnd(Object.fromEntries(headers)))
    }
    const stateless = await poster(token).send(PING, { 'mcp-protocol-version': '2026-07-28' })
    const refused = await sendEarly('/mcp/v1', 'mcp-protocol-version: 2026-07-28')
    t.equal(refused.status, status)
    t.equal(refused.body, stateless.body)
    t.match(JSON.parse(refused.body), { error: { code: -32600 } })
    t.notOk('id' in JSON.parse(refused.body), 'in MCP 2026-07-28 no id, rather than null')
  }
  await same(429)
  app.shouldShed = () => true
  await same(429)
  app.rateLimiter.take = () => null
  await same(503, await issue(ann))
})

t.test('a request rejected before routing never reaches Fastify and is not logged', async t => {
  const lines: string[] = []
  const { app, sendEarly } = await flooded(t, { write: line => lines.push(line) })
  const lastRequest = async () => {
    await app.inject('/nowhere')
    return Number.parseInt(/"reqId":"req-(\w+)"/.exec(lines.at(-1) ?? '')?.[1] ?? '', 36)
  }
  const before = await lastRequest()
  lines.length = 0
  for (let i = 0; i < 5; i++) t.equal((await sendEarly()).status, 429)
  t.strictSame(lines, [])
  t.equal(await lastRequest(), before + 1)
})

t.test('without a token, with an oversized one, on other paths: no early rejection', async t => {
  const { app, authorization } = await flooded(t)
  t.equal((await sendRaw(app, 'POST /mcp/v1', [JSON_TYPE], PING)).status, 401)
  t.equal(
    (await sendRaw(app, 'POST /mcp/v1', [`${authorization}${'0'.repeat(300)}`, JSON_TYPE], PING)).status,
    401,
  )
  t.equal((await sendRaw(app, 'GET /healthz', [])).status, 200)
  const elsewhere = await sendRaw(app, 'GET /.well-known/oauth-authorization-server', [authorization])
  t.match(elsewhere, { status: 429, body: /too_many_requests/ })
})

t.test('the sender of an unverified token is its address, per IPv4 address or IPv6 /64', async t => {
  const env = { TRUST_PROXY: '127.0.0.1' }
  const { app, ann, issue, poster } = await buildService(t, { env })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const senders: string[] = []
  app.shouldShed = sender => senders.push(sender) === 0
  const send = (token: string, from: string, path = '/mcp/v1') =>
    sendRaw(
      app,
      `POST ${path}`,
      [`Authorization: Bearer ${token}`, `X-Forwarded-For: ${from}`, JSON_TYPE],
      PING,
    )
  const forged = (n: number) => `svc_at_${'0'.repeat(22)}_${String(n).padStart(43, '0')}`
  for (let n = 0; n < 3; n++) t.equal((await send(forged(n), '203.0.113.7')).status, 401)
  await send(forged(4), '203.0.113.7', '/oauth/token')
  t.strictSame(senders.splice(0), Array(4).fill('203.0.113.7'))
  await send(forged(5), '2001:db8:1:2::7')
  await sendRaw(app, 'GET /login', ['X-Forwarded-For: 2001:db8:1:2:ffff::9'])
  t.strictSame(senders.splice(0), Array(2).fill('2001:db8:1:2::/64'))

  const { accessToken, connectionId } = await issue(ann)
  await send(accessToken, '203.0.113.7')
  await send(accessToken, '198.51.100.1')
  await send(accessToken, '198.51.100.2', '/oauth/token')
  t.strictSame(senders.splice(0), ['203.0.113.7', connectionId, connectionId])
  app.shouldShed = sender => sender !== connectionId
  t.equal((await send(forged(6), '203.0.113.7')).status, 503)
  t.equal((await poster({ accessToken }).post(PING)).status, 200)
})

t.test('a browser that has signed in before is a verified sender, at any address', async t => {
  const env = { TRUST_PROXY: '127.0.0.1' }
  const { app, ann } = await buildService(t, { env })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const browser = new Browser(app)
  await browser.signIn('known@a.example')
  await browser.send({ method: 'POST', url: '/logout' })
  const known = await app.accounts.findByEmail('known@a.example')
  const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`)
  const senders: [string, boolean][] = []
  app.shouldShed = (...sender) => senders.push(sender) === 0
  const open = (cookie: string) =>
    sendRaw(app, 'GET /login', [`Cookie: ${cookie}`, 'X-Forwarded-For: 203.0.113.7'])
  await open(cookies.join('; '))
  t.strictSame(senders.splice(0), [[known?.id, true]])
  const device = cookies.find(pair => pair.startsWith('__Host-svc_device=')) ?? ''
  t.ok(device)
  for (const forged of [
    '',
    `${device}x`,
    device.replace(known?.id ?? '', ann),
    `x${device}`,
    device.slice(0, -44),
  ])
    await open(forged)
  t.strictSame(senders.splice(0), Array(5).fill(['203.0.113.7', false]))
})

t.test('P11 shedding and rate limits come after the Host check, and tell foreign hosts nothing', async t => {
  const { app, authorization } = await flooded(t)
  app.shouldShed = () => t.fail('a foreign host was counted')
  const token = `authorization: Bearer ${'0'.repeat(43)}`
  for (const path of ['/mcp/v1', '/oauth/token', '/.well-known/oauth-authorization-server', '/login']) {
    for (const header of [authorization, token]) {
      const foreign = await sendRaw(app, `POST ${path}`, ['Host: evil.example', header, JSON_TYPE], PING)
      t.equal(foreign.status, 403, path)
      t.equal(foreign.headers['access-control-allow-origin'], undefined)
      t.equal(foreign.headers['retry-after'], undefined)
      const hosts = ['Host: localhost', 'Host: localhost']
      t.equal((await sendRaw(app, `POST ${path}`, [...hosts, header, JSON_TYPE], PING)).status, 400, path)
    }
  }
})

t.test('rejections are sent at the end of the event loop turn', async t => {
  const { app, wild } = await flooded(t)
  const sent: string[] = []
  const headers = { authorization: `Bearer ${wild.accessToken}`, host: 'localhost' }
  const raw = { url: '/mcp/v1', headers, rawHeaders: [] }
  const responseOf = (name: string) => ({
    writeHead() {
      return this
    },
    end: () => sent.push(name),
  })
  for (const name of ['first', 'second']) app.server.emit('request', raw, responseOf(name))
  await Promise.resolve()
  t.strictSame(sent, [])
  await turnEnd()
  t.strictSame(sent, ['first', 'second'])
  app.server.emit('request', raw, responseOf('third'))
  await turnEnd()
  t.strictSame(sent, ['first', 'second', 'third'])
})

t.test('a connection stays usable after a rejection, whatever the size of the body', async t => {
  const { app, wild } = await flooded(t)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const headers = { authorization: `Bearer ${wild.accessToken}`, 'content-type': 'application/json' }
  const { port } = app.server.address() as AddressInfo
  const used = new Set<unknown>()
  for (const size of [0, 100, 900_000, 3]) {
    const { statusCode, socket } = await send(
      { port, agent, method: 'POST', path: '/mcp/v1', headers },
      'x'.repeat(size),
    )
    t.equal(statusCode, 429)
    used.add(socket)
  }
  const { statusCode, socket } = await send({ port, agent, path: '/healthz' })
  t.equal(statusCode, 200)
  t.equal(used.add(socket).size, 1)
})

async function send(options: object, body = ''): Promise<IncomingMessage> {
  const sent = request({ host: '127.0.0.1', ...options })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response
}

import t from 'tap'
import { isAllowedHost } from '../../../plugins/host.js'
import { build } from '../../helper.js'
import { sendRaw } from '../../socket.js'
import { writesNothing } from '../../written.js'
import { assistantOf, BASE } from '../oauth/assistant.js'

const METADATA = '/.well-known/oauth-authorization-server'

t.test('P9 while bound to loopback an unknown Host is refused first, on every route', async t => {
  const app = await build(t)
  const { assistant } = await assistantOf(app)
  const { access_token } = await assistant.connect()
  const requests = [
    ...['GET /', 'GET /login', 'POST /login', 'GET /safes', 'GET /setup?token=x', 'GET /nothing'],
    ...['GET /assets/style.css', `GET ${METADATA}`, `OPTIONS ${METADATA}`],
    ...['GET /.well-known/x', 'GET /%zz', 'PROPFIND /oauth/token', 'POST /oauth/token', 'POST /oauth/revoke'],
    ...[`GET ${assistant.authorizeUrl()}`, 'POST /oauth/consent/x', 'OPTIONS /mcp/v1', 'POST /mcp/v1'],
  ]
  // Neither the right name in another header nor a valid token changes that.
  const more = { 'x-forwarded-host': 'safes.example', authorization: `Bearer ${access_token}`, origin: BASE }
  await writesNothing(t, app, 'foreign hosts', async () => {
    for (const request of requests) {
      const [method, url] = request.split(' ') as ['GET', string]
      for (const host of ['evil.example', 'safes.example:8443', 'safes.example.', 'localhost.evil']) {
        const response = await app.inject({ method, url, headers: { ...more, host } })
        t.equal(response.statusCode, 403, `${host} ${request}`)
        t.equal(response.headers['www-authenticate'], undefined, 'before the token')
      }
    }
  })
  for (const request of requests) {
    const [method, url] = request.split(' ') as ['GET', string]
    const { body } = await app.inject({ method, url, headers: { host: 'safes.example' } })
    t.notMatch(body, /does not match BASE_URL/, request)
  }
})

t.test('P9 only a service that is bound to loopback looks at Host', async t => {
  const cases: [host: string, status: number][] = [
    ['127.0.0.53', 403],
    ['localhost', 403],
    ['::1', 403],
    ['::', 200],
  ]
  for (const [HOST, status] of cases) {
    const app = await build(t, { env: { HOST } })
    const response = await app.inject({ url: METADATA, headers: { host: 'evil.example' } })
    t.equal(response.statusCode, status, HOST)
  }
})

t.test('P9 on a real socket: no Host, two of them, an absolute address', async t => {
  const app = await build(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const cases: [name: string, line: string, headers: string[], status: number][] = [
    ['ours', 'GET /healthz', ['Host: safes.example'], 200],
    ['loopback', 'GET /healthz', ['Host: 127.0.0.1:1'], 200],
    ['foreign', 'GET /login', ['Host: evil.example'], 403],
    ['empty', 'GET /login', ['Host:'], 403],
    ['foreign, a health check', 'GET /readyz', ['Host: evil.example'], 200],
    ['empty, a health check', 'GET /healthz', ['Host:'], 200],
    ['foreign before ours', 'GET /healthz', ['Host: evil.example', 'Host: safes.example'], 400],
    ['ours before foreign', 'GET /healthz', ['Host: safes.example', 'host: evil.example'], 400],
    ['ours twice', 'POST /mcp/v1', ['Host: safes.example', 'Host: safes.example'], 400],
    ['foreign, address ours', 'GET http://safes.example/login', ['Host: evil.example'], 403],
  ]
  for (const [name, line, headers, status] of cases) {
    t.equal((await sendRaw(app, line, headers)).status, status, name)
  }
})

t.test('P11 two Host headers are 400 wherever the service listens (RFC 9112 §3.2)', async t => {
  const app = await build(t, { env: { HOST: '0.0.0.0' } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  for (const path of ['/healthz', METADATA, '/login', '/nothing'])
    t.equal((await sendRaw(app, `GET ${path}`, ['Host: a.example', 'HOST: a.example'])).status, 400, path)
  t.equal((await sendRaw(app, 'GET /healthz', ['Host: a.example'])).status, 200)
})

t.test('P9 the host names that are accepted', async t => {
  const ours = ['safes.example', 'SAFES.example:443', 'localhost:3000', '127.0.0.1', '[::1]:9', 'LOCALHOST']
  for (const host of ours) t.ok(isAllowedHost(host, new URL(BASE)), host)
  const others = ['', 'safes.example:80', 'a.safes.example', '127.0.0.1.evil', 'x@localhost', '0.0.0.0']
  for (const host of others) t.notOk(isAllowedHost(host, new URL(BASE)), host || 'none')
  t.ok(isAllowedHost('box.lan:8080', new URL('http://box.lan:8080')))
  t.notOk(isAllowedHost('box.lan', new URL('http://box.lan:8080')))
})

import t from 'tap'
import { isOurHost } from '../../plugins/host.js'
import { build } from '../helper.js'
import { BASE } from './assistant.js'

const SERVER = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'

t.test('M1, M2 the metadata document says what SPEC §2 fixes', async t => {
  const app = await build(t)
  const response = await app.inject(SERVER)
  t.equal(response.statusCode, 200)
  t.match(response.headers['content-type'], /^application\/json/)
  t.strictSame(response.json(), {
    issuer: BASE,
    authorization_endpoint: `${BASE}/oauth/authorize`,
    token_endpoint: `${BASE}/oauth/token`,
    registration_endpoint: `${BASE}/oauth/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['vault:read', 'vault:write'],
    revocation_endpoint: `${BASE}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${BASE}/`,
  })
})

t.test('M3 any origin may read it; other methods are 405', async t => {
  const app = await build(t)
  for (const url of [SERVER, RESOURCE, `${RESOURCE}/mcp/v1`, `${RESOURCE}/mcp/v1/abc`]) {
    for (const method of ['GET', 'HEAD'] as const) {
      const response = await app.inject({ method, url, headers: { origin: 'https://x.example' } })
      t.equal(response.statusCode, 200)
      t.equal(response.headers['access-control-allow-origin'], '*')
    }
    const preflight = await app.inject({ method: 'OPTIONS', url })
    t.equal(preflight.statusCode, 204)
    t.equal(preflight.headers['access-control-allow-origin'], '*')
    const post = await app.inject({ method: 'POST', url })
    t.equal(post.statusCode, 405)
    t.equal(post.headers.allow, 'GET, HEAD')
  }
})

t.test('M4 a forged Host or X-Forwarded-* changes no URL', async t => {
  const app = await build(t, { env: { HOST: '0.0.0.0' } })
  const headers = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  }
  for (const url of [SERVER, RESOURCE, `${RESOURCE}/mcp/v1/abc`]) {
    const response = await app.inject({ url, headers })
    t.equal(response.statusCode, 200)
    t.notMatch(response.body, /evil|http:/)
  }
})

t.test('M5, P1 everything else under /.well-known/ is 404 in JSON', async t => {
  const app = await build(t)
  const urls = [
    ...[
      '/.well-known/openid-configuration',
      `${SERVER}/mcp/v1`,
      `${SERVER}/`,
      '/.well-known/',
      '/.well-known/x',
    ],
    ...[
      `${RESOURCE}/`,
      `${RESOURCE}/mcp`,
      `${RESOURCE}/mcp/v1//`,
      `${RESOURCE}/mcp/v10`,
      `${RESOURCE}/mcp/v1/a/b`,
    ],
    ...[
      `${RESOURCE}/mcp/v1/..`,
      `${RESOURCE}/mcp/v1/%2e%2e`,
      `${RESOURCE}/mcp/v1/a%2fb`,
      `${RESOURCE}/mcp/v1/%61`,
    ],
    ...[`${RESOURCE}/mcp/v1/${'a'.repeat(65)}`, '/mcp/v1/.well-known/openid-configuration'],
  ]
  for (const url of urls) {
    const response = await app.inject({ url, headers: { accept: '*/*' } })
    t.equal(response.statusCode, 404, url)
    t.match(response.headers['content-type'], /^application\/json/, url)
    t.equal(response.json().error, 'not_found', url)
  }
  const browser = await app.inject({
    url: '/.well-known/openid-configuration',
    headers: { accept: 'text/html' },
  })
  t.match(browser.headers['content-type'], /^application\/json/, 'for browsers, too')
})

t.test('P1, P2 each endpoint has its document, whether its Safe exists or not', async t => {
  const app = await build(t)
  const documents = {
    [RESOURCE]: `${BASE}/mcp/v1`,
    [`${RESOURCE}/mcp/v1`]: `${BASE}/mcp/v1`,
    [`${RESOURCE}/mcp/v1/`]: `${BASE}/mcp/v1`,
    [`${RESOURCE}/mcp/v1/nothing`]: `${BASE}/mcp/v1/nothing`,
    [`${RESOURCE}/mcp/v1/nothing/`]: `${BASE}/mcp/v1/nothing`,
    [`${RESOURCE}/mcp/v1/nothing?x=%20`]: `${BASE}/mcp/v1/nothing`,
  }
  for (const [url, resource] of Object.entries(documents)) {
    t.match((await app.inject(url)).json(), {
      resource,
      authorization_servers: [BASE],
      bearer_methods_supported: ['header'],
      scopes_supported: ['vault:read'],
      resource_name: String,
    })
  }
})

t.test('P8 a preflight of the MCP endpoints needs no token', async t => {
  const app = await build(t)
  for (const url of ['/mcp/v1', '/mcp/v1/abc']) {
    const response = await app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin: 'https://x.example', 'access-control-request-method': 'POST' },
    })
    t.equal(response.statusCode, 204)
    const allowed = String(response.headers['access-control-allow-headers']).split(', ')
    for (const name of [
      'authorization',
      'content-type',
      'accept',
      'mcp-protocol-version',
      'mcp-session-id',
    ]) {
      t.ok(allowed.includes(name), name)
    }
    t.match(response.headers['access-control-expose-headers'], /WWW-Authenticate, Mcp-Session-Id/)
  }
  const page = await app.inject({ url: '/login', headers: { origin: 'https://x.example' } })
  t.equal(page.headers['access-control-allow-origin'], undefined, 'A13 pages are for nobody else')
})

t.test('P9 while bound to loopback, an unknown Host is refused on every route', async t => {
  const app = await build(t)
  for (const url of ['/healthz', SERVER, '/login', '/mcp/v1', '/nothing', '/oauth/token']) {
    for (const host of ['evil.example', 'safes.example:8443', 'localhost.evil']) {
      t.equal((await app.inject({ url, headers: { host } })).statusCode, 403, `${host} ${url}`)
    }
    t.not((await app.inject({ url, headers: { host: 'safes.example' } })).statusCode, 403, url)
  }
  const open = await build(t, { env: { HOST: '0.0.0.0' } })
  t.equal((await open.inject({ url: '/healthz', headers: { host: 'evil.example' } })).statusCode, 200)
})

t.test('P9 names this service goes by', async t => {
  const base = 'https://safes.example'
  for (const host of ['safes.example', 'SAFES.example:443', 'localhost:3000', '127.0.0.1', '[::1]:9']) {
    t.ok(isOurHost(host, base), host)
  }
  for (const host of [
    undefined,
    '',
    'safes.example:80',
    'a.safes.example',
    '127.0.0.1.evil',
    'x@localhost',
  ]) {
    t.notOk(isOurHost(host, base), host ?? 'none')
  }
  t.ok(isOurHost('box.lan:8080', 'http://box.lan:8080'))
  t.notOk(isOurHost('box.lan', 'http://box.lan:8080'))
})

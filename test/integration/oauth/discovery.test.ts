import { METHODS } from 'node:http'
import t from 'tap'
import { build } from '../../helper.js'
import { sendRaw } from '../../socket.js'
import { writesNothing } from '../../written.js'
import { assistantOf, BASE } from './assistant.js'

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
    client_id_metadata_document_supported: true,
    service_documentation: `${BASE}/`,
  })
})

t.test('M1 the issuer is BASE_URL as it is set, without a trailing slash', async t => {
  for (const base of ['https://safes.example', 'https://safes.example:8443', 'http://localhost:3000']) {
    const app = await build(t, { env: { BASE_URL: base } })
    t.equal((await app.inject(SERVER)).json().issuer, base)
  }
  await t.rejects(build(t, { env: { BASE_URL: 'https://safes.example/' } }), /BASE_URL/)
})

t.test('metadata', async t => {
  const app = await build(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { assistant, id: ann } = await assistantOf(app)
  const safe = await app.safes.create(ann, 'Home')

  const documents: Record<string, string> = {
    [RESOURCE]: `${BASE}/mcp/v1`,
    [`${RESOURCE}/`]: `${BASE}/mcp/v1`,
    [`${RESOURCE}/mcp/v1`]: `${BASE}/mcp/v1`,
    [`${RESOURCE}/mcp/v1/`]: `${BASE}/mcp/v1`,
    [`${RESOURCE}/mcp/v1/nothing`]: `${BASE}/mcp/v1/nothing`,
    [`${RESOURCE}/mcp/v1/nothing/`]: `${BASE}/mcp/v1/nothing`,
    [`${RESOURCE}/mcp/v1/nothing?x=%20`]: `${BASE}/mcp/v1/nothing`,
    [`${RESOURCE}/mcp/v1/${'a'.repeat(64)}`]: `${BASE}/mcp/v1/${'a'.repeat(64)}`,
    [`${RESOURCE}/mcp/v1/${safe.id}`]: `${BASE}/mcp/v1/${safe.id}`,
  }

  t.test('P1 each endpoint has its document, and the root one is for the user-scoped endpoint', async t => {
    for (const [url, resource] of Object.entries(documents)) {
      const response = await app.inject(url)
      t.equal(response.statusCode, 200, url)
      t.match(response.headers['content-type'], /^application\/json/, url)
      const { resource_name, ...rest } = response.json()
      t.type(resource_name, 'string')
      t.strictSame(
        rest,
        {
          resource,
          authorization_servers: [BASE],
          bearer_methods_supported: ['header'],
          scopes_supported: ['vault:read'],
        },
        url,
      )
    }
  })

  t.test('P2 a Safe that exists and one that does not have the same document', async t => {
    const [there, nowhere] = await Promise.all(
      [safe.id, 'x'.repeat(safe.id.length)].map(async id => {
        const { statusCode, headers, body } = await app.inject(`${RESOURCE}/mcp/v1/${id}`)
        return JSON.stringify([statusCode, { ...headers, date: '' }, body]).replaceAll(id, '')
      }),
    )
    t.equal(there, nowhere)
  })

  t.test('M3, P1 any origin may read it, a preflight is 204', async t => {
    for (const url of [SERVER, ...Object.keys(documents)]) {
      for (const method of ['GET', 'HEAD'] as const) {
        const response = await app.inject({ method, url, headers: { origin: 'https://x.example' } })
        t.match(response, { statusCode: 200, headers: { 'access-control-allow-origin': '*' } }, url)
        t.equal(response.body !== '', method === 'GET')
      }
      // The SDK's client sends its revision with these requests as well, so browsers send a preflight.
      const asked = { 'access-control-request-headers': 'mcp-protocol-version' }
      const preflight = { origin: 'https://x.example', 'access-control-request-method': 'GET', ...asked }
      for (const headers of [{}, preflight]) {
        const response = await app.inject({ method: 'OPTIONS', url, headers })
        t.match(response, { statusCode: 204, body: '' }, url)
        t.match(response.headers, {
          'access-control-allow-origin': '*',
          'access-control-allow-headers': 'origin' in headers ? 'mcp-protocol-version' : undefined,
        })
      }
    }
  })

  t.test('M3, A12, N15, T3, V2 every other method is 405 and says which are allowed', async t => {
    const paths: Record<string, string> = {
      [SERVER]: 'GET, HEAD',
      [RESOURCE]: 'GET, HEAD',
      [`${RESOURCE}/mcp/v1/${safe.id}`]: 'GET, HEAD',
      '/mcp/v1/server-card': 'GET, HEAD',
      '/mcp/v1/server-card/': 'GET, HEAD',
      [`/mcp/v1/${safe.id}/server-card`]: 'GET, HEAD',
      '/oauth/authorize': 'GET, HEAD',
      '/authorize': 'GET, HEAD',
      '/oauth/consent/x': 'GET, HEAD, POST',
      '/oauth/token': 'POST',
      '/token': 'POST',
      '/oauth/revoke': 'POST',
      '/oauth/register': 'POST',
      '/register': 'POST',
    }
    // Node closes the connection on CONNECT unless the server is a proxy.
    const methods = METHODS.filter(method => method !== 'CONNECT')
    for (const [path, allow] of Object.entries(paths)) {
      await writesNothing(t, app, path, async () => {
        const allowed = [...allow.split(', '), ...(path.endsWith('/authorize') ? [] : ['OPTIONS'])]
        for (const method of methods.filter(method => !allowed.includes(method))) {
          const url = path.endsWith('/authorize') ? assistant.authorizeUrl({}, path) : path
          const { status, headers, body } = await sendRaw(app, `${method} ${url}`)
          t.equal(status, 405, `${method} ${path}`)
          t.equal(headers.allow, allow, `${method} ${path}`)
          if (allow !== 'POST') continue
          t.match(headers, {
            'content-type': /^application\/json/,
            'cache-control': 'no-store',
            'access-control-allow-origin': '*',
          })
          const refusal = { error: 'method_not_allowed', error_description: 'Use POST.' }
          if (method !== 'HEAD') t.strictSame(JSON.parse(body), refusal, `${method} ${path}`)
        }
      })
    }
    t.equal((await sendRaw(app, `CONNECT ${SERVER}`)).status, 0)
    t.equal((await sendRaw(app, 'PROPFIND /nothing')).status, 404, 'where nothing is, nothing is allowed')
  })

  t.test('M5, P1, N15 all else under /.well-known/ is 404 in JSON, for any origin', async t => {
    const paths = [
      ...['/.well-known/', '/.well-known/x', '/.well-known/openid-configuration', '/.well-known/%zz'],
      ...[`${SERVER}/`, `${SERVER}/mcp/v1`, `${SERVER}/mcp/v1/${safe.id}`, `${SERVER}/x`, `${SERVER}//`],
      ...['/.well-known/openid-configuration/mcp/v1', '/.well-known/../.well-known/x'],
      ...[`${RESOURCE}//`, `${RESOURCE}/mcp`, `${RESOURCE}/mcp/v1//`, `${RESOURCE}/mcp/v10`],
      ...[`${RESOURCE}/mcp/v1/a/b`, `${RESOURCE}/mcp/v1/a//`, `${RESOURCE}/mcp/v1/..`],
      ...[`${RESOURCE}/mcp/v1/.`, `${RESOURCE}/mcp/v1/%2e%2e`, `${RESOURCE}/mcp/v1/a%2fb`],
      ...[`${RESOURCE}/mcp/v1/server-card`, `${RESOURCE}/mcp/v1/server-card/`],
      ...[`${RESOURCE}/mcp/v1/a%2F`, `${RESOURCE}/mcp/v1/%61`, `${RESOURCE}/mcp/v1/a.b`],
      ...[65, 101, 5000].map(length => `${RESOURCE}/mcp/v1/${'a'.repeat(length)}`),
    ]
    for (const path of paths) {
      for (const accept of ['*/*', 'text/html']) {
        const { status, headers, body } = await sendRaw(app, `GET ${path}`, [`Accept: ${accept}`])
        t.equal(status, 404, path)
        t.match(headers, { 'content-type': /^application\/json/, 'access-control-allow-origin': '*' }, path)
        t.equal(headers.location, undefined, path)
        t.equal(JSON.parse(body).error, 'not_found', path)
      }
    }
  })
})

t.test('M4, P9 URLs come from BASE_URL, whatever the request and its proxies say', async t => {
  const forged: Record<string, Record<string, string>> = {
    Host: { host: 'evil.example' },
    'X-Forwarded-*': { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    Forwarded: { forwarded: 'for=192.0.2.1;host=evil.example;proto=http' },
  }
  for (const proxy of ['', '127.0.0.1']) {
    const app = await build(t, { env: { HOST: '0.0.0.0', TRUST_PROXY: proxy } })
    for (const [name, headers] of Object.entries(forged)) {
      for (const url of [SERVER, RESOURCE, `${RESOURCE}/mcp/v1`, `${RESOURCE}/mcp/v1/abc`]) {
        const response = await app.inject({ url, headers })
        t.strictSame(response.json(), (await app.inject(url)).json(), `${name} ${url}`)
        t.notMatch(JSON.stringify([response.headers, response.body]), /evil|http:/, `${name} ${url}`)
      }
      for (const path of ['/mcp/v1', '/mcp/v1/abc']) {
        const response = await app.inject({ method: 'POST', url: path, headers })
        const challenge = `Bearer resource_metadata="${BASE}${RESOURCE}${path}", scope="vault:read"`
        t.equal(response.headers['www-authenticate'], challenge, `${name} ${path}`)
      }
    }
  }
})

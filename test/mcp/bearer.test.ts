import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { setUps, testClock } from '../helper.js'
import { rpc } from './domain.js'
import { BASE, buildService } from './service.js'

const HOUR = 3_600_000
const METADATA = `${BASE}/.well-known/oauth-protected-resource/mcp/v1`
const ping = JSON.stringify(rpc(1, 'ping'))

for (const setUp of setUps) {
  t.test(setUp, async t => {
    const clock = testClock(Date.now())
    const { app, ann, harbour, garden, issue, poster } = await buildService(t, { setUp, clock })
    const knock = (authorization?: string, url = '/mcp/v1', more: Record<string, string> = {}) =>
      app.inject({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          ...(authorization === undefined ? {} : { authorization }),
          ...more,
        },
        payload: ping,
      })

    t.test('P3 without credentials 401 names the metadata and no error (RFC 9728 §5.1)', async t => {
      const ofSafe = `${METADATA}/${harbour}`
      const knocks = [
        [undefined, '/mcp/v1', METADATA],
        [undefined, '/mcp/v1/', METADATA],
        [undefined, `/mcp/v1/${harbour}`, ofSafe],
        [undefined, `/mcp/v1/${harbour}/`, ofSafe],
        [undefined, '/mcp/v1/nobodys', `${METADATA}/nobodys`],
        ['', '/mcp/v1', METADATA],
        ['Basic YTpi', '/mcp/v1', METADATA],
      ] as const
      for (const [authorization, url, metadata] of knocks) {
        const reply = await knock(authorization, url)
        t.equal(reply.statusCode, 401)
        t.equal(
          reply.headers['www-authenticate'],
          `Bearer resource_metadata="${metadata}", scope="vault:read"`,
        )
        t.equal(reply.headers['cache-control'], 'no-store')
        t.match(reply.json(), { jsonrpc: '2.0', id: null, error: { message: String } })
      }
    })

    t.test('P3 comes before any other check of the request', async t => {
      const odd = {
        origin: 'https://evil.example',
        'mcp-protocol-version': 'x',
        'content-type': 'text/plain',
      }
      t.equal((await knock(undefined, '/mcp/v1', odd)).statusCode, 401)
      for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD'] as const) {
        t.equal((await app.inject({ method, url: '/mcp/v1' })).statusCode, 401, method)
      }
    })

    t.test('M4 a forged Host changes no URL in the challenge', async t => {
      const reply = await knock(undefined, '/mcp/v1', {
        host: 'localhost',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'http',
      })
      t.match(reply.headers['www-authenticate'], METADATA)
    })

    t.test('P4 a token that is not valid is 401 invalid_token', async t => {
      const revoked = await issue(ann)
      await app.oauth.connections.revoke(ann, revoked.connectionId)
      const [, , connectionId] = (await issue(ann)).accessToken.split('_')
      const tokens = [
        ['unknown', `svc_at_${'0'.repeat(22)}_${'0'.repeat(43)}`],
        ['revoked', revoked.accessToken],
        ['another’s secret', `svc_at_${connectionId}_${'0'.repeat(43)}`],
        ['malformed', 'svc_at_x'],
        ['none', ''],
        ['two words', 'a b'],
        ['braces', '{a}*'],
      ]
      for (const [name, token] of tokens) {
        const reply = await knock(`Bearer ${token}`)
        t.equal(reply.statusCode, 401, `${name}`)
        t.match(reply.headers['www-authenticate'], /error="invalid_token"/)
        t.match(reply.headers['www-authenticate'], `resource_metadata="${METADATA}"`)
      }
    })

    t.test('P4 an expired token is 401, also when its scope would not do', async t => {
      const { accessToken } = await issue(ann, { scope: ['vault:write'] })
      clock.now += HOUR
      const reply = await knock(`Bearer ${accessToken}`)
      t.equal(reply.statusCode, 401)
      t.match(reply.headers['www-authenticate'], /error="invalid_token"/)
    })

    t.test('P5 which token opens which endpoint (DESIGN §5.2)', async t => {
      const user = { accessToken: (await issue(ann)).accessToken }
      const pinned = await issue(ann, {}, { safeId: harbour })
      const old = await issue(ann, { resourceSent: false, chosenSafeId: harbour })
      const chosen = await issue(ann, { chosenSafeId: harbour })
      const [mine, other] = [`/mcp/v1/${harbour}`, `/mcp/v1/${garden}`]
      const expected = [
        ['user-scoped', user, '/mcp/v1', 200],
        ['user-scoped', user, mine, 401],
        ['pinned', pinned, '/mcp/v1', 401],
        ['pinned', pinned, mine, 200],
        ['pinned', pinned, other, 401],
        ['old client', old, '/mcp/v1', 200],
        ['old client', old, mine, 200],
        ['old client', old, other, 401],
        ['user-scoped with a chosen Safe', chosen, mine, 401],
      ] as const
      for (const [name, { accessToken }, url, status] of expected) {
        const reply = await knock(`Bearer ${accessToken}`, url)
        t.equal(reply.statusCode, status, `${name} ${url}`)
        if (status === 401) t.match(reply.headers['www-authenticate'], /error="invalid_token"/)
      }
      t.equal((await knock(`Bearer ${user.accessToken}`, '/mcp/v10')).statusCode, 404)
    })

    t.test('P6 a token without vault:read is 403 insufficient_scope', async t => {
      const { accessToken } = await issue(ann, { scope: ['vault:write'] })
      const reply = await knock(`Bearer ${accessToken}`)
      t.equal(reply.statusCode, 403)
      const challenge = reply.headers['www-authenticate']
      for (const part of [
        'error="insufficient_scope"',
        'scope="vault:read"',
        `resource_metadata="${METADATA}"`,
      ]) {
        t.ok(String(challenge).includes(part), part)
      }
    })

    t.test('P7 the scheme is case-insensitive; tokens elsewhere are not looked at', async t => {
      const { accessToken } = await issue(ann)
      t.equal((await knock(`bEARER ${accessToken}`)).statusCode, 200)
      t.equal((await knock(undefined, `/mcp/v1?access_token=${accessToken}`)).statusCode, 401)
      const form = `access_token=${accessToken}`
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const reply = await app.inject({ method: 'POST', url: '/mcp/v1', headers, payload: form })
      t.equal(reply.statusCode, 401)
    })

    t.test(
      'P8 OPTIONS is 204 without a token and allows what clients send (Fetch, CORS preflight)',
      async t => {
        for (const url of ['/mcp/v1', `/mcp/v1/${harbour}`]) {
          const reply = await app.inject({
            method: 'OPTIONS',
            url,
            headers: { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' },
          })
          t.equal(reply.statusCode, 204)
          const allowed = String(reply.headers['access-control-allow-headers']).toLowerCase().split(/, */)
          t.same(allowed.sort(), [
            'accept',
            'authorization',
            'content-type',
            'last-event-id',
            'mcp-method',
            'mcp-name',
            'mcp-protocol-version',
            'mcp-session-id',
          ])
        }
        t.equal((await app.inject({ method: 'OPTIONS', url: '/mcp/v1' })).statusCode, 204, 'no preflight')
        const reply = await knock(undefined, '/mcp/v1', { origin: 'http://localhost:6274' })
        t.match(reply.headers['access-control-expose-headers'], /WWW-Authenticate, *Mcp-Session-Id/i)
      },
    )

    t.test('P9 a foreign Origin is 403, after the token; ours and loopback are let in', async t => {
      const { accessToken } = await issue(ann)
      const origins: [string, number][] = [
        [BASE, 200],
        ['http://localhost:6274', 200],
        ['http://127.0.0.1', 200],
        ['http://[::1]:1', 200],
        ['https://evil.example', 403],
        [`${BASE}.evil.example`, 403],
        ['http://localhost.evil.example', 403],
        ['http://localhost:1@evil.example', 403],
        ['null', 403],
        ['', 403],
      ]
      for (const [origin, status] of origins) {
        t.equal((await knock(`Bearer ${accessToken}`, '/mcp/v1', { origin })).statusCode, status, origin)
      }
      t.equal((await knock('Bearer nope', '/mcp/v1', { origin: 'null' })).statusCode, 401)
    })

    t.test('P10 a session of another connection is 404', async t => {
      const session = await poster(await issue(ann)).initialize()
      const other = poster(await issue(ann))
      const reply = await other.post(rpc(1, 'ping'), { 'mcp-session-id': session })
      t.equal(reply.status, 404)
      const headers = { 'mcp-session-id': session }
      t.equal((await other.request({ method: 'DELETE', headers })).statusCode, 404)
    })

    t.test('P7 odd Authorization headers on a real socket', async t => {
      const { accessToken } = await issue(ann)
      await app.listen({ port: 0, host: '127.0.0.1' })
      const cases: [name: string, headers: string[], statuses: number[]][] = [
        ['one', [`Authorization: Bearer ${accessToken}`], [200]],
        ['empty', ['Authorization:'], [401]],
        ['scheme only', ['Authorization: Bearer'], [401]],
        ['doubled in one header', [`Authorization: Bearer ${accessToken}, Bearer ${accessToken}`], [401]],
        ['64 KiB', [`Authorization: Bearer ${'x'.repeat(65_536)}`], [431]],
        ['two headers', [`Authorization: Bearer ${accessToken}`, 'Authorization: Bearer x'], [400, 401]],
        ['two equal', Array(2).fill(`authorization: Bearer ${accessToken}`), [400, 401]],
      ]
      for (const [name, headers, statuses] of cases) {
        const status = await rawPost(app, headers)
        t.ok(statuses.includes(status), `${name}: ${status}`)
      }
    })
  })
}

t.test('P9 ALLOWED_ORIGINS lets in more', async t => {
  const { app, ann, issue, poster } = await buildService(t, {
    env: { ALLOWED_ORIGINS: 'https://app.example' },
  })
  t.ok(app)
  const { post } = poster(await issue(ann))
  t.equal((await post(ping, { origin: 'https://app.example' })).status, 200)
  t.equal((await post(ping, { origin: 'https://app.example:8443' })).status, 403)
})

/** Status of a POST sent by hand: header lists that no client library sends. */
function rawPost(app: FastifyInstance, headers: string[]): Promise<number> {
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('close', () => resolve(Number(answer.split(' ')[1])))
    // A server that answers before it has read everything may reset the connection.
    socket.on('error', error => (answer ? undefined : reject(error)))
    const lines = ['POST /mcp/v1 HTTP/1.1', `Host: localhost:${port}`, 'Connection: close', ...headers]
    lines.push('Content-Type: application/json', `Content-Length: ${ping.length}`, '', ping)
    socket.write(lines.join('\r\n'))
  })
}

import type { InjectOptions } from 'fastify'
import t from 'tap'
import { testClock } from '../../helper.js'
import { sendRaw } from '../../socket.js'
import { rpc } from '../../unit/mcp/domain.js'
import { words } from '../../words.js'
import { refused } from '../../written.js'
import { assistantOf } from '../oauth/assistant.js'
import { BASE, buildService } from './service.js'

const HOUR = 3_600_000
const METADATA = `${BASE}/.well-known/oauth-protected-resource/mcp/v1`
const ping = JSON.stringify(rpc(1, 'ping'))

const clock = testClock(Date.now())
const { app, ann, harbour, garden, issue, poster } = await buildService(t, { clock })
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
    t.equal(reply.headers['www-authenticate'], `Bearer resource_metadata="${metadata}", scope="vault:read"`)
    t.equal(reply.headers['cache-control'], 'no-store')
    t.match(reply.json(), { jsonrpc: '2.0', id: null, error: { message: String } })
  }
})

t.test('P3, P10 comes before any other check, whatever the method', async t => {
  const session = await poster(await issue(ann)).initialize()
  const odd: [name: string, options: InjectOptions][] = [
    ['a foreign origin', { headers: { origin: 'https://evil.example' } }],
    ['an unknown revision', { headers: { 'mcp-protocol-version': 'x' } }],
    ['a living session', { headers: { 'mcp-session-id': session } }],
    ['an unknown session', { headers: { 'mcp-session-id': 'x' } }],
    ['no JSON', { headers: { 'content-type': 'application/json' }, payload: '{' }],
    ['too much of it', { headers: { 'content-type': 'application/json' }, payload: 'x'.repeat(2 ** 21) }],
    ['DELETE', { method: 'DELETE' }],
  ]
  for (const [name, options] of odd) {
    for (const [url, metadata] of [
      ['/mcp/v1', METADATA],
      [`/mcp/v1/${harbour}`, `${METADATA}/${harbour}`],
    ] as const) {
      const send = () => app.inject({ method: 'POST', url, ...options })
      const reply = await refused(t, app, name, send)
      t.equal(reply.statusCode, 401, name)
      const challenge = `Bearer resource_metadata="${metadata}", scope="vault:read"`
      t.equal(reply.headers['www-authenticate'], challenge, name)
    }
  }
  t.equal((await app.inject({ method: 'HEAD', url: '/mcp/v1' })).statusCode, 401)
})

t.test('P4 a token that is not valid is 401 invalid_token', async t => {
  const revoked = await issue(ann)
  await app.oauth.connections.revoke(ann, revoked.connectionId)
  const [, , connectionId] = (await issue(ann)).accessToken.split('_')
  const { assistant } = await assistantOf(app, 'cy@a.example')
  const code = await assistant.code()
  const pair = await assistant.connect()
  await assistant.revoke(pair.access_token)
  const expired = await issue(ann)
  const expiredOfLittleScope = await issue(ann, { scope: ['vault:write'] })
  clock.now += HOUR
  const tokens = {
    unknown: `svc_at_${'0'.repeat(22)}_${'0'.repeat(43)}`,
    'of a revoked connection': revoked.accessToken,
    'revoked itself': pair.access_token,
    expired: expired.accessToken,
    'expired, and its scope would not do': expiredOfLittleScope.accessToken,
    'a refresh token': pair.refresh_token,
    'a code': code,
    'another’s secret': `svc_at_${connectionId}_${'0'.repeat(43)}`,
    malformed: 'svc_at_x',
    none: '',
  }
  for (const [name, token] of Object.entries(tokens)) {
    const reply = await refused(t, app, name, () => knock(`Bearer ${token}`))
    t.equal(reply.statusCode, 401, name)
    const challenge = String(reply.headers['www-authenticate'])
    t.ok(challenge.startsWith(`Bearer resource_metadata="${METADATA}"`), name)
    t.match(challenge, /, error="invalid_token"/, name)
    t.equal(reply.headers['cache-control'], 'no-store', name)
  }
})

t.test('P5 which token opens which endpoint (DESIGN §5.2)', async t => {
  const user = { accessToken: (await issue(ann)).accessToken }
  const pinned = await issue(ann, {}, { safeId: harbour })
  const old = await issue(ann, { resourceSent: false, chosenSafeIds: [harbour] })
  const chosen = await issue(ann, { chosenSafeIds: [harbour] })
  const [mine, other] = [`/mcp/v1/${harbour}`, `/mcp/v1/${garden}`]
  const expected = [
    ['user-scoped', user, '/mcp/v1', 200],
    ['user-scoped', user, mine, 401],
    ['pinned', pinned, '/mcp/v1', 401],
    ['pinned', pinned, mine, 200],
    ['pinned', pinned, other, 401],
    ['old client', old, '/mcp/v1', 200],
    ['old client', old, mine, 200],
    ['old client', old, other, 403],
    ['user-scoped with a chosen Safe', chosen, mine, 401],
  ] as const
  for (const [name, { accessToken }, url, status] of expected) {
    const send = () => knock(`Bearer ${accessToken}`, url)
    const reply = status === 200 ? await send() : await refused(t, app, `${name} ${url}`, send)
    t.equal(reply.statusCode, status, `${name} ${url}`)
    if (status === 401) t.match(reply.headers['www-authenticate'], /error="invalid_token"/)
  }
  for (const url of ['/mcp/v10', '/mcp/v1x', '/mcp/v', '/mcp/v1/a/b', `/mcp/v1//${harbour}`]) {
    const send = () => knock(`Bearer ${user.accessToken}`, url)
    t.equal((await refused(t, app, url, send)).statusCode, 404, url)
  }
})

t.test(
  'R9 an ended connection and a wrong endpoint each have their own sentence, also as error_description',
  async t => {
    const ended = await issue(ann)
    await app.oauth.connections.revoke(ann, ended.connectionId)
    const pinned = await issue(ann, {}, { safeId: harbour })
    const unknown = `svc_at_${'0'.repeat(22)}_${'0'.repeat(43)}`
    const cases: [token: string, sentence: RegExp][] = [
      [ended.accessToken, /^This connection has ended\. Ask the user to connect again\.$/],
      [pinned.accessToken, new RegExp(`^This access token is for ${BASE}/mcp/v1/${harbour}, not for this`)],
      [unknown, /^The access token has expired or is not valid\. Refresh it/],
    ]
    for (const [token, sentence] of cases) {
      const reply = await refused(t, app, String(sentence), () => knock(`Bearer ${token}`))
      const [, description = ''] =
        /error_description="([^"]*)"/.exec(String(reply.headers['www-authenticate'])) ?? []
      t.match(description, sentence)
      t.equal(reply.json().error.message, description)
    }
  },
)

t.test('P11 a connection without resource is told its endpoint, which ends refresh loops', async t => {
  const { accessToken } = await issue(ann, { resourceSent: false, chosenSafeIds: [harbour] })
  const other = `/mcp/v1/${garden}`
  const reply = await refused(t, app, 'other endpoint', () => knock(`Bearer ${accessToken}`, other))
  t.equal(reply.statusCode, 403)
  const challenge = String(reply.headers['www-authenticate'])
  t.match(challenge, 'error="insufficient_scope"')
  t.match(
    challenge,
    `error_description="This connection cannot use this endpoint. Use ${BASE}/mcp/v1 instead."`,
  )
  const expired = await refused(t, app, 'unknown token', () => knock(`Bearer ${accessToken}x`, other))
  t.equal(expired.statusCode, 401, 'a token that is not valid is still refreshed')
})

t.test('P6 a token without vault:read is 403 insufficient_scope', async t => {
  const { accessToken } = await issue(ann, { scope: ['vault:write'] })
  const reply = await refused(t, app, 'scope', () => knock(`Bearer ${accessToken}`))
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
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEARER']) {
    t.equal((await knock(`${scheme} ${accessToken}`)).statusCode, 200, scheme)
  }
  const fine = await knock(`Bearer ${accessToken}`, '/mcp/v1?access_token=x')
  t.equal(fine.statusCode, 200, 'nor do they disturb')
  const json = { ...rpc(1, 'ping'), access_token: accessToken }
  const elsewhere: [name: string, options: InjectOptions][] = [
    ['query', { url: `/mcp/v1?access_token=${accessToken}`, payload: json }],
    ['JSON body', { payload: json }],
    ['another scheme', { headers: { authorization: `Token ${accessToken}` }, payload: json }],
    ['no scheme', { headers: { authorization: accessToken }, payload: json }],
  ]
  for (const [name, options] of elsewhere) {
    const send = () => app.inject({ method: 'POST', url: '/mcp/v1', ...options })
    t.equal((await refused(t, app, name, send)).statusCode, 401, name)
  }
})

t.test('P8 OPTIONS is 204 without a token and allows what clients send (Fetch, CORS preflight)', async t => {
  for (const url of ['/mcp/v1', `/mcp/v1/${harbour}`]) {
    const reply = await app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' },
    })
    t.equal(reply.statusCode, 204)
    t.equal(reply.headers['access-control-allow-origin'], '*')
    t.match(reply.headers['access-control-allow-methods'], /POST.*DELETE/)
    t.equal(reply.headers['access-control-allow-credentials'], undefined)
    const allowed = String(reply.headers['access-control-allow-headers']).toLowerCase().split(/, */)
    t.same(
      allowed.sort(),
      words(`
      accept authorization content-type last-event-id mcp-method mcp-name mcp-protocol-version
      mcp-session-id
    `),
    )
  }
  t.equal((await app.inject({ method: 'OPTIONS', url: '/mcp/v1' })).statusCode, 204, 'no preflight')
  const reply = await knock(undefined, '/mcp/v1', { origin: 'http://localhost:6274' })
  t.match(reply.headers['access-control-expose-headers'], /WWW-Authenticate, *Mcp-Session-Id/i)
})

t.test('P9 a foreign Origin is 403, after the token; ours and loopback are let in', async t => {
  const { accessToken } = await issue(ann)
  const origins: [string, number][] = [
    [BASE, 200],
    ['http://localhost:6274', 200],
    [`${BASE}.evil.example`, 403],
    ['null', 403],
    ['', 403],
  ]
  for (const [origin, status] of origins) {
    const send = () => knock(`Bearer ${accessToken}`, '/mcp/v1', { origin })
    const reply = status === 200 ? await send() : await refused(t, app, origin, send)
    t.equal(reply.statusCode, status, origin)
  }
})

t.test('P9 checks run in the order Host, token, Origin, version, body; the first is reported', async t => {
  const authorization = `Bearer ${(await issue(ann)).accessToken}`
  const faults: [name: string, headers: Record<string, string>, status: number][] = [
    ['Host', { host: 'evil.example' }, 403],
    ['token', { authorization: 'Bearer x' }, 401],
    ['Origin', { origin: 'https://evil.example' }, 403],
    ['version', { 'mcp-protocol-version': 'x' }, 400],
  ]
  const codes = { 403: /Host|origin/i, 401: /token/, 400: /MCP-Protocol-Version/ } as Record<number, RegExp>
  for (const [index, [name, , status]] of faults.entries()) {
    const all = Object.assign({}, ...faults.slice(index).map(([, more]) => more))
    const headers = { authorization, 'content-type': 'application/json', ...all }
    const payload = JSON.stringify({ jsonrpc: '1.0', method: 1 })
    const send = () => app.inject({ method: 'POST', url: '/mcp/v1', headers, payload })
    const reply = await refused(t, app, name, send)
    t.equal(reply.statusCode, status, name)
    t.match(reply.body, codes[status], name)
  }
})

t.test('P7 malformed Authorization headers on a real socket', async t => {
  const { accessToken } = await issue(ann)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const cases: [name: string, headers: string[], statuses: number[]][] = [
    ['one', [`Authorization: Bearer ${accessToken}`], [200]],
    ['empty', ['Authorization:'], [401]],
    ['scheme only', ['Authorization: Bearer'], [401]],
    ['doubled in one header', [`Authorization: Bearer ${accessToken}, Bearer ${accessToken}`], [401]],
    ['64 KiB', [`Authorization: Bearer ${'x'.repeat(65_536)}`], [431]],
    ['12 KiB', [`Authorization: Bearer ${'x'.repeat(12_288)}`], [401]],
    ['bytes', ['Authorization: Bearer \u00e4\u00ff'], [400, 401]],
    ['two headers', [`Authorization: Bearer ${accessToken}`, 'Authorization: Bearer x'], [400, 401]],
    ['two equal', Array(2).fill(`authorization: Bearer ${accessToken}`), [400, 401]],
  ]
  for (const [name, headers, statuses] of cases) {
    const typed = [...headers, 'Content-Type: application/json']
    const { status } = await sendRaw(app, 'POST /mcp/v1', typed, ping)
    t.ok(statuses.includes(status), `${name}: ${status}`)
  }
})

t.test('P9 ALLOWED_ORIGINS allows further origins', async t => {
  const { app, ann, issue, poster } = await buildService(t, {
    env: { ALLOWED_ORIGINS: 'https://app.example' },
  })
  t.ok(app)
  const { post } = poster(await issue(ann))
  t.equal((await post(ping, { origin: 'https://app.example' })).status, 200)
  t.equal((await post(ping, { origin: 'https://app.example:8443' })).status, 403)
})

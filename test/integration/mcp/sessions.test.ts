import t from 'tap'
import { version } from '../../../common/package.js'
import { testClock } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { refused } from '../../written.js'
import { Assistant } from '../oauth/assistant.js'
import { buildService } from './service.js'

const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25']
const DAY = 24 * 3_600_000
const clientInfo = { name: 'test', version: '1' }
const initialize = (protocolVersion: unknown) =>
  rpc('init', 'initialize', { protocolVersion, capabilities: {}, clientInfo })

const clock = testClock(Date.now())
const { app, ann, bob, harbour, garden, issue, poster } = await buildService(t, { clock })
const anns = poster(await issue(ann))
const bobs = poster(await issue(bob))
const send = (body: unknown, headers: Record<string, string> = {}, client = anns) =>
  client.send(body, headers)

t.test('X1 initialize tells capabilities of tools only, the service, and how to use its tools', async t => {
  for (const revision of REVISIONS) {
    const { result } = (await send(initialize(revision))).json()
    t.same(Object.keys(result).sort(), ['capabilities', 'instructions', 'protocolVersion', 'serverInfo'])
    t.strictSame(result.capabilities, { tools: {} })
    const { icons: _icons, ...names } = result.serverInfo
    t.strictSame(names, { name: 'svc', title: 'svc – Safes', version })
    for (const tool of ['svc', 'svc_list_safes', 'svc_select_safe']) {
      t.match(result.instructions, new RegExp(`call ${tool}\\b`), `${tool} is explained`)
    }
  }
})

t.test('X1, X4 malformed parameters of initialize are -32602 and open no session', async t => {
  const params: [name: string, params: unknown][] = [
    ['none', undefined],
    ['empty', {}],
    ['a list', [initialize('2025-06-18').params]],
    ['no version', { capabilities: {}, clientInfo }],
    ['a version that is a number', { protocolVersion: 20250618, capabilities: {}, clientInfo }],
    ['a version that is null', { protocolVersion: null, capabilities: {}, clientInfo }],
    ['no capabilities', { protocolVersion: '2025-06-18', clientInfo }],
    ['capabilities that are text', { protocolVersion: '2025-06-18', capabilities: 'all', clientInfo }],
    ['no client', { protocolVersion: '2025-06-18', capabilities: {} }],
    [
      'a client without name',
      { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { version: '1' } },
    ],
    [
      'a client without version',
      { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x' } },
    ],
  ]
  for (const [name, given] of params) {
    const reply = await refused(t, app, name, () => send(rpc(7, 'initialize', given)))
    t.equal(reply.statusCode, 200, name)
    t.match(reply.json(), { jsonrpc: '2.0', id: 7, error: { code: -32602 } }, name)
    t.notOk(reply.headers['mcp-session-id'], name)
  }
  const { id: _id, ...notification } = initialize('2025-06-18')
  const reply = await refused(t, app, 'a notification', () => send(notification))
  t.match(reply, { statusCode: 202, body: '' })
  t.notOk(reply.headers['mcp-session-id'])
})

t.test('X6, P10 a session that is unknown, ended or another’s is 404, whatever is asked', async t => {
  const ended = await anns.initialize()
  const headers = { 'mcp-session-id': ended }
  t.equal((await anns.request({ method: 'DELETE', headers })).statusCode, 204)
  const another = await poster(await issue(ann)).initialize()
  const sessions: [name: string, id: string][] = [
    ['unknown', '0'.repeat(43)],
    ['empty', ''],
    ['64 characters of another kind', '{*}'.repeat(21)],
    ['ended', ended],
    ['of another connection', another],
    ['of another account', await bobs.initialize()],
    ['two in one header', `${await anns.initialize()}, ${ended}`],
  ]
  const call = rpc(1, 'tools/call', { name: 'svc_select_safe', arguments: { safe: harbour } })
  for (const [name, id] of sessions) {
    const session = { 'mcp-session-id': id }
    for (const body of [call, [call], { jsonrpc: '2.0', method: 'notifications/initialized' }]) {
      const reply = await refused(t, app, name, () => send(body, session))
      t.equal(reply.statusCode, 404, name)
      t.match(reply.json(), { jsonrpc: '2.0', error: { code: -32001 } }, name)
    }
    const reply = await refused(t, app, name, () => anns.request({ method: 'DELETE', headers: session }))
    t.equal(reply.statusCode, 404, `${name}: DELETE`)
  }
  t.equal((await bobs.request({ method: 'DELETE' })).statusCode, 204, 'without the header')
})

t.test('X6, P10 a session does not stand in for a token', async t => {
  const tokens = await issue(ann)
  const session = { 'mcp-session-id': await poster(tokens).initialize() }
  const request = (method: 'POST' | 'DELETE') => app.inject({ method, url: '/mcp/v1', headers: session })
  for (const method of ['POST', 'DELETE'] as const) {
    t.equal((await refused(t, app, method, () => request(method))).statusCode, 401, method)
  }
  t.equal((await send(rpc(1, 'ping'), session, poster(tokens))).statusCode, 200, 'it is still there')
  await app.oauth.connections.revoke(ann, tokens.connectionId)
  t.equal((await send(rpc(1, 'ping'), session, poster(tokens))).statusCode, 401, 'nor for a connection')
})

t.test('X7 a revision that is not spoken is 400, whatever is sent, except on initialize', async t => {
  const fresh = poster(await issue(ann))
  const session = await fresh.initialize()
  const { id: _id, ...notification } = rpc(1, 'notifications/initialized')
  const bodies = [rpc(1, 'ping'), [rpc(1, 'ping')], notification, '{', '', rpc(null, 'ping'), 7]
  for (const revision of ['2024-11-05', '', '2025-03-26, 2025-03-26', '2025-06-18x', '__proto__']) {
    const headers = { 'mcp-protocol-version': revision, 'mcp-session-id': session }
    for (const body of bodies) {
      const name = `${revision}: ${JSON.stringify(body)}`
      const reply = await refused(t, app, name, () => send(body, headers, fresh))
      t.equal(reply.statusCode, 400, name)
      t.match(reply.json(), { error: { code: -32000, message: /2025-03-26, 2025-06-18, 2025-11-25/ } }, name)
    }
    const reply = await refused(t, app, revision, () => fresh.request({ method: 'DELETE', headers }))
    t.equal(reply.statusCode, 400, `${revision}: DELETE`)
    t.equal((await send(initialize('2025-06-18'), headers, fresh)).statusCode, 200, `${revision}: initialize`)
    t.equal(
      (await app.inject({ method: 'POST', url: '/mcp/v1', headers })).statusCode,
      401,
      'after the token',
    )
    const foreign = { ...headers, origin: 'https://evil.example' }
    t.equal((await send(rpc(1, 'ping'), foreign, fresh)).statusCode, 403, 'after the Origin')
  }
  t.equal((await send(rpc(1, 'ping'), { 'mcp-session-id': session }, fresh)).statusCode, 200)
})

t.test('X7, X13 a revision is the header’s, else the session’s, else 2025-03-26; nobody else’s', async t => {
  const old = poster(await issue(ann))
  const sessions = { new: await anns.initialize('2025-11-25'), old: await old.initialize('2025-03-26') }
  await bobs.initialize('2025-03-26')
  const isStructured = async (headers: Record<string, string>, client = anns) => {
    const { result } = (await send(rpc(1, 'tools/list'), headers, client)).json()
    return result.tools.every((tool: object) => 'outputSchema' in tool)
  }
  t.equal(await isStructured({}), false, 'none')
  for (const revision of REVISIONS) {
    t.equal(await isStructured({ 'mcp-protocol-version': revision }), revision > '2025-03-26', revision)
  }
  t.equal(await isStructured({ 'mcp-session-id': sessions.new }), true)
  t.equal(await isStructured({ 'mcp-session-id': sessions.old }, old), false)
  const both = { 'mcp-session-id': sessions.old, 'mcp-protocol-version': '2025-06-18' }
  t.equal(await isStructured(both, old), true, 'the header goes first')
})

t.test('X3 only the header MCP-Protocol-Version disables batches', async t => {
  const select = rpc('s', 'tools/call', { name: 'svc_select_safe', arguments: { safe: garden } })
  const inSession: Record<string, Record<string, string>> = { none: {} }
  for (const revision of REVISIONS) {
    inSession[revision] = { 'mcp-session-id': await anns.initialize(revision) }
  }
  for (const [settled, session] of Object.entries(inSession)) {
    for (const revision of [undefined, ...REVISIONS]) {
      const name = `${revision} in a session of ${settled}`
      const headers = { ...session, ...(revision && { 'mcp-protocol-version': revision }) }
      if (revision === undefined || revision === '2025-03-26') {
        const reply = await send([rpc(1, 'ping'), rpc('1', 'ping')], headers)
        t.equal(reply.statusCode, 200, name)
        t.same(
          reply.json().map(({ id }: { id: unknown }) => id),
          [1, '1'],
          name,
        )
        continue
      }
      for (const batch of [[select], [], [{ jsonrpc: '2.0', method: 'notifications/initialized' }]]) {
        const reply = await refused(t, app, name, () => send(batch, headers))
        t.equal(reply.statusCode, 400, name)
        t.match(reply.json(), { jsonrpc: '2.0', id: null, error: { code: -32600 } }, name)
      }
    }
  }
})

// Last, because it advances the clock by a week.
t.test('X6 a session expires; requests without one work before and after', async t => {
  const assistant = await Assistant.registered(app)
  await assistant.browser.signIn('cleo@example.org')
  let tokens = await assistant.connect()
  const ping = (headers: Record<string, string>) =>
    send(rpc(1, 'ping'), headers, poster({ accessToken: tokens.access_token }))
  const session = { 'mcp-session-id': await poster({ accessToken: tokens.access_token }).initialize() }
  for (const [days, status] of [
    [6.9, 200],
    [0.2, 404],
  ] as const) {
    clock.now += days * DAY
    tokens = (await assistant.refresh(tokens.refresh_token)).json()
    t.equal((await ping(session)).statusCode, status)
    t.equal((await ping({})).statusCode, 200)
  }
})

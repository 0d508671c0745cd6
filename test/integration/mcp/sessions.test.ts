import t from 'tap'
import { testClock } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { refused } from '../../written.js'
import { assistantOf } from '../oauth/assistant.js'
import { buildService } from './service.js'

const DAY = 24 * 3_600_000

const clock = testClock(Date.now())
const { app, ann, bob, harbour, garden, issue, poster } = await buildService(t, { clock })
const anns = poster(await issue(ann))
const bobs = poster(await issue(bob))
const send = (body: unknown, headers: Record<string, string> = {}, client = anns) =>
  client.send(body, headers)

t.test('X6, P10 a session that is unknown, ended or another’s is 404, whatever is asked', async t => {
  const ended = await anns.initialize()
  const headers = { 'mcp-session-id': ended }
  t.equal((await anns.request({ method: 'DELETE', headers })).statusCode, 204)
  const another = await poster(await issue(ann)).initialize()
  const sessions: [name: string, id: string][] = [
    ['unknown', '0'.repeat(43)],
    ['empty', ''],
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

t.test('X7 a revision that is not spoken is 400 and writes nothing, after token and Origin', async t => {
  const headers = { 'mcp-protocol-version': '2024-11-05', 'mcp-session-id': await anns.initialize() }
  const select = rpc('s', 'tools/call', { name: 'svc_select_safe', arguments: { safe: garden } })
  const reply = await refused(t, app, 'POST', () => send(select, headers))
  t.equal(reply.statusCode, 400)
  t.match(reply.json(), { error: { code: -32000, message: /2025-03-26, 2025-06-18, 2025-11-25/ } })
  const end = await refused(t, app, 'DELETE', () => anns.request({ method: 'DELETE', headers }))
  t.equal(end.statusCode, 400)
  t.equal((await app.inject({ method: 'POST', url: '/mcp/v1', headers })).statusCode, 401)
  t.equal((await send(select, { ...headers, origin: 'https://evil.example' })).statusCode, 403)
})

t.test('X3 only the header MCP-Protocol-Version disables batches, not the revision of a session', async t => {
  const session = { 'mcp-session-id': await anns.initialize('2025-11-25') }
  const batch = [rpc(1, 'ping'), rpc('1', 'ping')]
  t.match((await send(batch, session)).json(), [{ id: 1 }, { id: '1' }])
  const headers = { ...session, 'mcp-protocol-version': '2025-06-18' }
  const reply = await refused(t, app, 'a batch', () => send(batch, headers))
  t.match([reply.statusCode, reply.json()], [400, { id: null, error: { code: -32600 } }])
})

// Last, because it advances the clock by a week.
t.test('X6 a session expires; requests without one work before and after', async t => {
  const { assistant } = await assistantOf(app, 'cleo@example.org')
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

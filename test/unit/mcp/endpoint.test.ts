import t, { type Test } from 'tap'
import { accessOf, openTestEndpoint, rpc } from './domain.js'
import { REVISION, SERVER, stateless } from './stateless-request.js'

const open = (t: Test) => openTestEndpoint(t, { ann: ['a'] })

const ALL = { tools: {}, resources: {}, prompts: {}, completions: {} }
const initialize = (protocolVersion: string) =>
  rpc(1, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } })

t.test(
  'X1 initialize agrees on the revision asked for, else on 2025-03-26, and says how to use the tools',
  async t => {
    const { post } = open(t)
    const pairs = [
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2024-11-05', '2025-03-26'],
      ['2026-07-28', '2025-03-26'],
      ['', '2025-03-26'],
    ] as const
    for (const [asked, agreed] of pairs) {
      const { body, status } = await post(initialize(asked))
      t.equal(status, 200)
      const { instructions, serverInfo, ...result } = body.result
      t.strictSame(result, { protocolVersion: agreed, capabilities: ALL }, asked)
      const { icons, ...names } = serverInfo
      t.strictSame(names, { name: 'svc', title: 'svc – Safes', version: '1.2.3' })
      t.equal(icons?.length, agreed === '2025-11-25' ? 2 : undefined, 'N15')
      for (const tool of ['svc', 'svc_list_safes', 'svc_select_safe'])
        t.match(instructions, new RegExp(`call ${tool}\\b`), `${tool} is explained`)
    }
  },
)

t.test('X6 initialize opens a session of this connection', async t => {
  const { post, events } = open(t)
  const reply = await post(initialize('2025-06-18'))
  t.equal(reply.sessionId, 'session-of-connection-of-ann')
  t.same(events, ['open connection-of-ann 2025-06-18'])
})

t.test('X6 a failed initialize opens none', async t => {
  const { post, events } = open(t)
  const reply = await post(rpc(1, 'initialize', { protocolVersion: '2025-06-18' }))
  t.match(reply.body, { error: { code: -32602 } })
  t.equal(reply.sessionId, undefined)
  t.same(events, [])
})

t.test('X6, P10 a session that is not there is 404, except on initialize', async t => {
  const { post, endpoint } = open(t)
  const reply = await post(rpc(1, 'ping'), { sessionId: 'ended' })
  t.equal(reply.status, 404)
  t.match(reply.body, { id: 1, error: { code: -32001 } })
  t.equal((await post(initialize('2025-03-26'), { sessionId: 'ended' })).status, 200)
  await t.rejects(endpoint.endSession(accessOf('ann'), 'ended'), /This session has ended/)
})

t.test('X6 DELETE ends the session it names, and none when it names none', async t => {
  const { endpoint, events } = open(t)
  const session = { id: 's', protocolVersion: '2025-06-18', selectedSafeId: null, showsApps: false }
  await endpoint.endSession(accessOf('ann', { session }), 's')
  await endpoint.endSession(accessOf('ann'), undefined)
  t.same(events, ['end s'])
})

t.test('X7 an unsupported MCP-Protocol-Version is refused, except on initialize', async t => {
  const { post } = open(t)
  for (const protocolVersion of ['2024-11-05', '', '2025-03-26, 2025-03-26', '__proto__']) {
    const reply = await post(rpc(1, 'ping'), { protocolVersion })
    t.equal(reply.status, 400, protocolVersion)
    t.match(reply.body, { id: 1, error: { code: -32000 } })
    t.equal((await post(initialize('2025-06-18'), { protocolVersion })).status, 200)
  }
})

t.test('N2 server/discover does not exist before 2026-07-28, so that clients can fall back', async t => {
  const { post } = open(t)
  for (const protocolVersion of [undefined, '2025-03-26', '2025-11-25']) {
    const reply = await post(rpc(1, 'server/discover'), { protocolVersion })
    t.match(reply, { status: 200, body: { error: { code: -32601 } } })
  }
})

t.test('N7 server/discover says what is served', async t => {
  const { post } = open(t)
  const call = { protocolVersion: REVISION, mcpMethod: 'server/discover', mcpName: undefined }
  const { status, body } = await post(stateless('server/discover', {}, 'd'), call)
  t.equal(status, 200)
  const { instructions, ...result } = body.result
  t.match(instructions, /svc_select_safe/)
  const caching = {
    ttlMs: 3_600_000,
    cacheScope: 'private',
    _meta: { [SERVER]: { name: 'svc', version: '1.2.3' } },
  }
  const said = { resultType: 'complete', supportedVersions: [REVISION], capabilities: ALL, ...caching }
  t.strictSame({ ...body, result }, { jsonrpc: '2.0', id: 'd', result: said })
})

t.test('X7 without the header the revision is the session’s, without a session 2025-03-26', async t => {
  const { post } = open(t)
  const list = rpc(1, 'tools/list')
  const outputSchemaOf = (reply: Awaited<ReturnType<typeof post>>) => reply.body.result.tools[0].outputSchema
  t.notOk(outputSchemaOf(await post(list)))
  const session = { id: 's', protocolVersion: '2025-06-18', selectedSafeId: null, showsApps: false }
  t.ok(outputSchemaOf(await post(list, { sessionId: 's', access: accessOf('ann', { session }) })))
  t.ok(outputSchemaOf(await post(list, { protocolVersion: '2025-11-25' })))
})

t.test('X8 ping works, also before initialize', async t => {
  const { post } = open(t)
  t.same((await post(rpc('p', 'ping'))).body, { jsonrpc: '2.0', id: 'p', result: {} })
})

t.test('a message with a method is a request, whatever else it has', async t => {
  const { post } = open(t)
  t.match(await post({ ...rpc(1, 'ping'), result: {} }), { status: 200, body: { id: 1, result: {} } })
  t.match(await post({ jsonrpc: '2.0', id: 1, result: {} }), { status: 202 })
})

t.test('an initialize that is no request opens no session', async t => {
  const { post, events } = open(t)
  t.equal((await post({ jsonrpc: '2.0', method: 'initialize' })).status, 202, 'a notification')
  t.match(await post({ jsonrpc: '2.0', id: {}, method: 'initialize' }), { status: 400, body: { id: null } })
  t.strictSame(events, [])
})

t.test('R4 only the variables of the address of documents are completed', async t => {
  const { post } = open(t)
  const ref = { type: 'ref/resource', uri: 'svc://{safe}/{+path}' }
  const argument = { name: 'safe', value: 'saf' }
  const complete = async (params: object) => (await post(rpc(1, 'completion/complete', params))).body
  t.match(await complete({ ref, argument }), { result: { completion: { values: ['a'], hasMore: false } } })
  for (const params of [
    { ref: { type: 'ref/prompt', name: 'x' }, argument },
    { ref: { ...ref, uri: 'svc://{safe}' }, argument },
    { ref },
    { ref, argument: { ...argument, value: 7 } },
    { ref, argument: { ...argument, name: 'other' } },
  ])
    t.match(await complete(params), { error: { code: -32602 } }, JSON.stringify(params))
})

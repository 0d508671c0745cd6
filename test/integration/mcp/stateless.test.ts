import { request as httpRequest } from 'node:http'
import { setImmediate as turnEnd } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { sendRaw } from '../../socket.js'
import { answerOf, rpc } from '../../unit/mcp/domain.js'
import {
  CAPABILITIES,
  CLIENT,
  META,
  mirrored,
  REVISION,
  SERVER,
  stateless,
  VERSION,
} from '../../unit/mcp/stateless-request.js'
import { refused } from '../../written.js'
import { buildService, fill } from './service.js'

const HOUR_MS = 3_600_000
const initialize = rpc(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})
const tools = mirrored('tools/list')

const { app, ann, bob, harbour, garden, issue, poster } = await buildService(t)
const { send, post, request, initialize: openSession } = poster(await issue(ann))
const call = (name: string, args: Record<string, unknown> = {}, id?: unknown) =>
  post(stateless('tools/call', { name, arguments: args }, id), mirrored('tools/call', name))
/** Sends a request that must be rejected, and checks its status, code, and id. */
const rejects = async (
  t: Test,
  name: string,
  [body, headers]: [body: unknown, headers: Record<string, string>],
  [status, code, id]: [status: number, code: number, id?: unknown],
) => {
  const reply = await refused(t, app, name, () => send(body, headers))
  t.equal(reply.statusCode, status, name)
  const { error, ...rest } = reply.json()
  t.equal(error.code, code, name)
  t.strictSame(rest, { jsonrpc: '2.0', ...(id === undefined ? {} : { id }) }, `${name}: its id`)
  t.ok(error.message.length < 200, 'what was sent is not echoed')
  return error
}

t.test('N1 host, token and origin come first, in this order', async t => {
  const discover = stateless('server/discover')
  const headers = { 'content-type': 'application/json', ...mirrored('server/discover') }
  const post = (more: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/mcp/v1', payload: discover, headers: { ...headers, ...more } })
  t.equal((await post({})).statusCode, 401)
  t.equal((await post({ host: 'evil.example' })).statusCode, 403, 'the host before the token')
  t.equal((await post({ authorization: 'Bearer x', origin: 'https://evil.example' })).statusCode, 401)
  const authorization = `Bearer ${(await issue(ann)).accessToken}`
  t.equal((await post({ authorization, origin: 'https://evil.example' })).statusCode, 403)
  const probes = [discover, rpc(1, 'server/discover'), stateless('initialize'), rpc(1, 'x', { _meta: {} })]
  for (const probe of probes) {
    for (const more of [{}, mirrored('server/discover'), { 'mcp-protocol-version': '2099-01-01' }]) {
      const { statusCode } = await send(probe, more)
      t.ok([200, 400, 404].includes(statusCode), `an authenticated probe gets ${statusCode}`)
    }
  }
})

t.test('N2 each request is answered by the rules of its own revision', async t => {
  const session = { 'mcp-session-id': await openSession('2025-11-25') }
  for (let round = 0; round < 2; round++) {
    const { body } = await post(stateless('tools/list'), { ...tools, ...session })
    t.equal(body.result.resultType, 'complete')
    const plain = (await post(rpc(1, 'tools/list'), session)).body.result
    t.strictSame(Object.keys(plain), ['tools'], 'a request of the session is answered as before')
    t.ok(plain.tools[0].outputSchema, 'by the revision of the session')
    t.notOk((await post(rpc(1, 'tools/list'))).body.result.tools[0].outputSchema, '2025-03-26 without both')
  }
  for (const header of ['2026-07-28', '2099-01-01', '2025-03-26', 'x']) {
    const { status, headers, body } = await post(initialize, { 'mcp-protocol-version': header })
    t.equal(status, 200, `initialize under ${header}`)
    t.equal(body.result.protocolVersion, '2025-06-18')
    t.ok(headers['mcp-session-id'])
  }
  for (const _meta of [{ [CAPABILITIES]: {} }, { progressToken: 1 }, [VERSION], 'x', null]) {
    t.equal((await post(rpc(1, 'ping', { _meta }))).status, 200, 'other keys of _meta do not count')
  }
})

t.test('N3 a modern header without an envelope is -32602; batches are -32600', async t => {
  for (const version of [REVISION, '2099-01-01']) {
    const headers = { ...tools, 'mcp-protocol-version': version }
    for (const params of [undefined, {}, { _meta: {} }, { _meta: { [CAPABILITIES]: {} } }, { _meta: 7 }]) {
      const name = `${version} ${JSON.stringify(params)}`
      const { message } = await rejects(t, name, [rpc(1, 'tools/list', params), headers], [400, -32602, 1])
      t.match(message, VERSION, 'names the missing key')
    }
    await rejects(t, 'params that are no object', [rpc(1, 'tools/list', []), headers], [400, -32602, 1])
    for (const batch of [[], [rpc(1, 'ping')], [stateless('tools/list')], [7]]) {
      await rejects(t, `a batch under ${version}`, [batch, headers], [400, -32600])
    }
  }
  for (const headers of [{}, { 'mcp-protocol-version': '2025-03-26' }] as Record<string, string>[]) {
    await rejects(
      t,
      'enveloped in a batch',
      [[rpc(1, 'ping'), stateless('tools/list', {}, 2)], headers],
      [400, -32600],
    )
  }
})

t.test('N4 protocolVersion and clientCapabilities are required, clientInfo is optional', async t => {
  const without = (key: string) => Object.fromEntries(Object.entries(META).filter(([known]) => known !== key))
  const list = (_meta: unknown) => rpc(1, 'tools/list', { _meta })
  t.equal((await post(list(without(CLIENT)), tools)).status, 200)
  t.equal(
    (await post(list({ ...META, [CAPABILITIES]: { roots: {}, extensions: { 'a/b': {} } } }), tools)).status,
    200,
  )
  await rejects(t, 'no capabilities', [list(without(CAPABILITIES)), tools], [400, -32602, 1])
  for (const [key, values] of [
    [VERSION, [null, 7, {}, [REVISION], true]],
    [CAPABILITIES, [null, 7, 'x', [], false]],
    [CLIENT, [null, 7, 'x', [], {}, { name: 'x' }, { version: '1' }, { name: 7, version: '1' }]],
  ] as const) {
    for (const value of values) {
      const name = `${key}: ${JSON.stringify(value)}`
      const { message } = await rejects(t, name, [list({ ...META, [key]: value }), tools], [400, -32602, 1])
      t.match(message, key, 'names the key')
    }
  }
})

t.test('N5 required headers repeat the body, or the request is -32020', async t => {
  const list = stateless('tools/list')
  const ask = stateless('tools/call', { name: 'svc_list_safes', arguments: {} })
  const headers = mirrored('tools/call', 'svc_list_safes')
  const drop = (from: Record<string, string>, name: string) =>
    Object.fromEntries(Object.entries(from).filter(([known]) => known !== name))
  const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`
  const wrong: [name: string, body: unknown, headers: Record<string, string>][] = [
    ['no headers', list, {}],
    ['no version', list, drop(tools, 'mcp-protocol-version')],
    ['another version', list, { ...tools, 'mcp-protocol-version': '2025-11-25' }],
    ['an unknown version', list, { ...tools, 'mcp-protocol-version': '2099-01-01' }],
    ['an empty version', list, { ...tools, 'mcp-protocol-version': '' }],
    ['no method', list, drop(tools, 'mcp-method')],
    ['another method', list, mirrored('tools/call')],
    ['a method in another case', list, mirrored('TOOLS/LIST')],
    ['an encoded method', list, mirrored(base64('tools/list'))],
    ['no name', ask, drop(headers, 'mcp-name')],
    ['another name', ask, mirrored('tools/call', 'svc')],
    ['a name in another case', ask, mirrored('tools/call', 'SVC_LIST_SAFES')],
    ['another encoded name', ask, mirrored('tools/call', base64('svc'))],
    ['encoded without padding', ask, mirrored('tools/call', base64('svc_list_safes').replace('=?=', '?='))],
    ['characters outside of Base64', ask, mirrored('tools/call', '=?base64?c3Zj!!!?=')],
    [
      'encoded bytes that are no UTF-8',
      stateless('tools/call', { name: '\ufffd' }),
      mirrored('tools/call', '=?base64?/w==?='),
    ],
    ['a marker in another case', ask, mirrored('tools/call', base64('svc_list_safes').toUpperCase())],
    [
      'a name with a character beyond ASCII',
      stateless('tools/call', { name: 'é' }),
      mirrored('tools/call', 'é'),
    ],
  ]
  for (const [name, body, sent] of wrong) await rejects(t, name, [body, sent], [400, -32020, 1])
  const future = rpc(1, 'tools/list', { _meta: { ...META, [VERSION]: '2099-01-01' } })
  await rejects(t, 'before the version is looked at', [future, tools], [400, -32020, 1])

  t.equal((await post(ask, mirrored('tools/call', base64('svc_list_safes')))).status, 200, 'encoded')
  const strange = stateless('tools/call', { name: '=?base64?x' })
  const unknown = await post(strange, mirrored('tools/call', '=?base64?x'))
  t.match(unknown, { status: 200, body: { error: { code: -32602 } } }, 'half a marker is no marker')
  const nameless = await post(stateless('tools/call', { name: 7 }), mirrored('tools/call'))
  t.match(nameless, { status: 200, body: { error: { code: -32602 } } }, 'there is no name to repeat')
})

t.test('N6 a version that is not served is -32022 with those that are', async t => {
  for (const version of ['2099-01-01', '2025-11-25', '2025-03-26', 'v999.0.0', '', '__proto__']) {
    const body = rpc('x', 'tools/list', { _meta: { ...META, [VERSION]: version } })
    const headers = { ...tools, 'mcp-protocol-version': version }
    const error = await rejects(t, version, [body, headers], [400, -32022, 'x'])
    t.strictSame(error.data, { supported: [REVISION], requested: version })
  }
  const { result } = (await post(stateless('server/discover'), mirrored('server/discover'))).body
  t.same(result.supportedVersions, [REVISION])
})

t.test('N7 server/discover says what is served; every other method is 404', async t => {
  const { status, body } = await post(stateless('server/discover', {}, 'd'), mirrored('server/discover'))
  t.equal(status, 200)
  const { instructions, ...result } = body.result
  t.match(instructions, /svc_select_safe/)
  t.strictSame(
    { ...body, result },
    {
      jsonrpc: '2.0',
      id: 'd',
      result: {
        resultType: 'complete',
        supportedVersions: [REVISION],
        capabilities: { tools: {} },
        ttlMs: HOUR_MS,
        cacheScope: 'private',
        _meta: { [SERVER]: result._meta[SERVER] },
      },
    },
  )
  const others = [
    'initialize',
    'ping',
    'logging/setLevel',
    'subscriptions/listen',
    'tasks/get',
    'resources/list',
  ]
  for (const method of [...others, 'prompts/get', 'Tools/list', 'constructor', '']) {
    await rejects(t, method, [stateless(method), mirrored(method)], [404, -32601, 1])
  }
  const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const enveloped = { ...notification, params: { _meta: META } }
  const { id: _id, ...unanswered } = initialize
  for (const [message, headers] of [
    [unanswered, { 'mcp-protocol-version': REVISION }],
    [notification, { 'mcp-protocol-version': REVISION }],
    [enveloped, {}],
    [enveloped, mirrored('notifications/cancelled')],
  ] as const) {
    t.match(await send(message, headers), { statusCode: 202, body: '' })
  }
})

t.test('N8 every result is complete and says which server it comes from', async t => {
  const results = [
    await post(stateless('server/discover'), mirrored('server/discover')),
    await post(stateless('tools/list'), tools),
    await call('svc_list_safes'),
    await call('svc', { query: 'Ada', safe: harbour }),
    await call('svc', { limit: 'many' }),
  ].map(({ body }) => body.result)
  for (const { resultType, _meta } of results) {
    t.equal(resultType, 'complete')
    t.strictSame(Object.keys(_meta), [SERVER])
    t.match(_meta[SERVER], { name: 'svc', version: /^\d+\.\d+\.\d+/ })
  }
  t.equal(results.at(-1).isError, true, 'also of a tool that failed')
  t.ok(results[3].structuredContent, 'data is structured')
  const answer = { requestState: 'x', inputResponses: { a: { action: 'accept' } } }
  const params = { name: 'svc_list_safes', arguments: {}, ...answer }
  const { body } = await post(stateless('tools/call', params), mirrored('tools/call', 'svc_list_safes'))
  t.strictSame(body.result, results[2], 'what would answer a question of ours is ignored')
})

t.test('N9 lists may be kept for an hour by everybody, and do not change with calls', async t => {
  const list = async (client = post) => (await client(stateless('tools/list'), tools)).body.result
  const { tools: listed, ttlMs, cacheScope } = await list()
  t.strictSame({ ttlMs, cacheScope }, { ttlMs: HOUR_MS, cacheScope: 'public' })
  const names = ['svc_list_safes', 'svc_select_safe', 'svc']
  t.match(
    listed,
    names.map(name => ({ name, outputSchema: { type: 'object' } })),
  )
  const bobs = poster(await issue(bob)).post
  t.strictSame((await list(bobs)).tools, listed, 'the same for everybody')
  await call('svc_select_safe', { safe: harbour })
  await call('svc_list_safes')
  t.strictSame(JSON.stringify((await list()).tools), JSON.stringify(listed), 'in the same order')
  const { result } = (await call('svc_list_safes')).body
  t.notOk('ttlMs' in result || 'cacheScope' in result, 'the result of a call is not to be kept')
})

t.test('N10 faults of a call are results, and no code of our own is used', async t => {
  await rejects(
    t,
    'an unknown tool',
    [stateless('tools/call', { name: 'svc_delete' }), mirrored('tools/call', 'svc_delete')],
    [200, -32602, 1],
  )
  t.match((await call('svc', { query: 7 })).body.result, { isError: true })
  t.match((await call('svc', { query: 'x', safe: 'unknown' })).body.result, { isError: true })

  const { message } = await rejects(t, 'no JSON', ['{', tools], [400, -32700])
  t.ok(message)
  for (const body of [
    null,
    7,
    {},
    { jsonrpc: '1.0', id: 1, method: 'x' },
    rpc(null, 'tools/list'),
    rpc(null, 'initialize'),
  ]) {
    await rejects(t, `no message: ${JSON.stringify(body)}`, [body, tools], [400, -32600])
  }
  await rejects(t, 'an id that is none', [stateless('tools/list', {}, 0.5), tools], [400, -32600])
  const wrongType = { ...tools, 'content-type': 'text/plain' }
  await rejects(t, 'another content type', [stateless('tools/list'), wrongType], [415, -32600])
  const { statusCode, body } = await request({ method: 'GET', headers: tools })
  t.equal(statusCode, 405)
  t.match(JSON.parse(body), { id: undefined, error: { code: -32600 } })
  t.notMatch(body, '"id"')
})

t.test('N11 sessions, Last-Event-ID and Accept are ignored', async t => {
  const session = await openSession()
  for (const headers of [
    { 'mcp-session-id': 'unknown' },
    { 'mcp-session-id': session, 'last-event-id': '7' },
    { accept: 'text/event-stream' },
    { accept: 'image/png' },
  ] as Record<string, string>[]) {
    const reply = await send(stateless('tools/list'), { ...tools, ...headers })
    t.equal(reply.statusCode, 200)
    t.match(reply.headers['content-type'], /^application\/json/)
    t.notOk(reply.headers['mcp-session-id'])
  }
  const select = stateless('tools/call', { name: 'svc_select_safe', arguments: { safe: garden } })
  const inSession = { 'mcp-session-id': session }
  const before = (
    await post(rpc(1, 'tools/call', { name: 'svc_select_safe', arguments: { safe: harbour } }), inSession)
  ).body
  t.notOk(before.result.isError)
  await post(select, { ...mirrored('tools/call', 'svc_select_safe'), ...inSession })
  const list = rpc(1, 'tools/call', { name: 'svc_list_safes' })
  const { text } = (await post(list, inSession)).body.result.content[0]
  t.match(text, new RegExp(`${harbour}.*\\(active\\)`), 'the session has kept its selection')
  const own = (await call('svc_list_safes')).body.result.structuredContent.safes
  t.same(
    own.filter((safe: { active: boolean }) => safe.active).map((safe: { id: string }) => safe.id),
    [garden],
  )
  t.equal((await request({ method: 'DELETE', headers: inSession })).statusCode, 204)
})

t.test('N12 selecting sets the selection of the connection and says to name the Safe', async t => {
  await fill(app, ann, harbour)
  const { body } = await call('svc_select_safe', { safe: harbour })
  t.match(body.result.content[0].text, `Pass "safe": "${harbour}" in later calls`)
  const legacy = rpc(1, 'tools/call', { name: 'svc_select_safe', arguments: { safe: garden } })
  t.notMatch((await post(legacy)).body.result.content[0].text, 'Pass "safe"', 'only where no session is')
  const asked = async (args: object) =>
    (await call('svc', { query: 'Ada', ...args })).body.result.structuredContent.safe.id
  t.equal(await asked({}), garden, 'the selection of the connection')
  t.equal(await asked({ safe: harbour }), harbour, 'another conversation selects nothing')
  t.equal(await asked({}), garden)
})

t.test('N13 hanging up cancels a request', async t => {
  const { ask } = app.safes
  const held: { signal: AbortSignal | undefined; release(): void }[] = []
  app.safes.ask = async (_account, safeId, { query }, _onWork, signal) => {
    await new Promise<void>(release => held.push({ signal, release }))
    return answerOf(safeId, query)
  }
  t.teardown(() => {
    app.safes.ask = ask
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const { accessToken } = await issue(ann)
  const open = (body: object, headers: Record<string, string>) => {
    const sent = httpRequest({
      ...{ port, host: '127.0.0.1', path: '/mcp/v1', method: 'POST' },
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json', ...headers },
    })
    const answered = new Promise<number>((resolve, reject) => {
      sent.on('response', ({ statusCode = 0 }) => resolve(statusCode))
      sent.on('error', reject)
    })
    sent.end(JSON.stringify(body))
    return { sent, answered }
  }
  const until = async (holds: () => boolean) => {
    while (!holds()) await turnEnd()
  }
  const params = { name: 'svc', arguments: { query: 'x', safe: harbour } }

  const gone = open(stateless('tools/call', params), mirrored('tools/call', 'svc'))
  await until(() => held.length === 1)
  t.equal(held[0]?.signal?.aborted, false)
  gone.sent.destroy()
  await t.rejects(gone.answered, 'nothing is sent')
  await until(() => held[0]?.signal?.aborted === true)
  held[0]?.release()

  const stays = open(stateless('tools/call', params), mirrored('tools/call', 'svc'))
  await until(() => held.length === 2)
  held[1]?.release()
  t.equal(await stays.answered, 200)
  t.equal(held[1]?.signal?.aborted, false, 'an answered request is not cancelled')

  const legacy = open(rpc(1, 'tools/call', params), {})
  await until(() => held.length === 3)
  t.equal(
    held[2]?.signal,
    undefined,
    'before 2026-07-28 hanging up does not cancel (MCP 2025-03-26 Transports)',
  )
  held[2]?.release()
  t.equal(await legacy.answered, 200)
})

t.test('N5 headers have any case, and spaces and tabs around them do not count (RFC 9110 §5.5)', async t => {
  const { accessToken } = await issue(ann)
  const body = JSON.stringify(stateless('tools/call', { name: 'svc_list_safes', arguments: {} }))
  const headers = (name: string) => [
    `Authorization: Bearer ${accessToken}`,
    'Content-Type: application/json',
    `mcp-PROTOCOL-version:\t ${REVISION} \t`,
    'MCP-METHOD:   tools/call  ',
    `mcp-name: \t${name}\t `,
  ]
  t.equal((await sendRaw(app, 'POST /mcp/v1', headers('svc_list_safes'), body)).status, 200)
  const twice = [...headers('svc_list_safes'), 'Mcp-Method: tools/call']
  t.match(await sendRaw(app, 'POST /mcp/v1', twice, body), { status: 400, body: /-32020/ }, 'two methods')
})

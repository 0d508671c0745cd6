import { request as httpRequest } from 'node:http'
import { setImmediate as turnEnd } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { sendRaw } from '../../socket.js'
import { answerOf, rpc } from '../../unit/mcp/domain.js'
import { META, mirrored, REVISION, SERVER, stateless, VERSION } from '../../unit/mcp/stateless-request.js'
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

t.test('N1 an authenticated probe never gets 401, 403 or 5xx, after host, token and origin', async t => {
  const discover = stateless('server/discover')
  const headers = { 'content-type': 'application/json', ...mirrored('server/discover') }
  const unauthorized = (more: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/mcp/v1', payload: discover, headers: { ...headers, ...more } })
  t.equal((await unauthorized({ origin: 'https://evil.example' })).statusCode, 401)
  t.equal((await unauthorized({ host: 'evil.example' })).statusCode, 403)
  t.equal((await send(discover, { ...headers, origin: 'https://evil.example' })).statusCode, 403)
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
  for (const header of [REVISION, 'x']) {
    const { status, headers, body } = await post(initialize, { 'mcp-protocol-version': header })
    t.equal(status, 200, `initialize under ${header}`)
    t.equal(body.result.protocolVersion, '2025-06-18')
    t.ok(headers['mcp-session-id'])
  }
  for (const _meta of [{ progressToken: 1 }, [VERSION], null])
    t.equal((await post(rpc(1, 'ping', { _meta }))).status, 200, 'other keys of _meta do not count')
})

t.test('N3, N4, N5, N6 a refused request writes nothing and says why (test/unit/mcp/classify)', async t => {
  const select = { name: 'svc_select_safe', arguments: { safe: harbour } }
  const headers = mirrored('tools/call', 'svc_select_safe')
  const enveloped = (_meta: object) => rpc(1, 'tools/call', { ...select, _meta })
  const future = { ...META, [VERSION]: '2099-01-01' }
  const faults: [name: string, body: unknown, headers: Record<string, string>, code: number, id?: unknown][] =
    [
      ['N3 no envelope', rpc(1, 'tools/call', select), headers, -32602, 1],
      ['N3 in a batch', [stateless('tools/call', select)], {}, -32600],
      ['N4 no capabilities', enveloped({ [VERSION]: REVISION }), headers, -32602, 1],
      ['N5 no headers', enveloped(META), {}, -32020, 1],
      ['N5 another name', enveloped(META), mirrored('tools/call', 'svc'), -32020, 1],
      [
        'N6 a later version',
        enveloped(future),
        { ...headers, 'mcp-protocol-version': '2099-01-01' },
        -32022,
        1,
      ],
    ]
  for (const [name, body, sent, code, id] of faults) await rejects(t, name, [body, sent], [400, code, id])
})

t.test('N7 a method that is not served is 404, and a notification is accepted', async t => {
  for (const method of ['initialize', 'ping', 'constructor', ''])
    await rejects(t, method, [stateless(method), mirrored(method)], [404, -32601, 1])
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

t.test('N8 every result is complete and says which server it comes from (test/unit/mcp/stamp)', async t => {
  const params = { name: 'svc_list_safes', arguments: {}, requestState: 'x', inputResponses: { a: {} } }
  const { result } = (await post(stateless('tools/call', params), mirrored('tools/call', 'svc_list_safes')))
    .body
  t.match(result, { resultType: 'complete', _meta: { [SERVER]: { name: 'svc', version: /^\d+\.\d+\.\d+/ } } })
  t.strictSame(result, (await call('svc_list_safes')).body.result, 'what would answer a question is ignored')
  const failed = (await call('svc', { limit: 'many' })).body.result
  t.match(failed, { resultType: 'complete', isError: true }, 'also of a tool that failed')
})

t.test('N9 a client may keep lists for an hour, and they do not change with calls', async t => {
  const list = async (client = post) => (await client(stateless('tools/list'), tools)).body.result
  const { tools: listed, ttlMs, cacheScope } = await list()
  t.strictSame({ ttlMs, cacheScope }, { ttlMs: HOUR_MS, cacheScope: 'private' })
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

  await rejects(t, 'no JSON', ['{', tools], [400, -32700])
  for (const body of [null, {}, rpc(null, 'tools/list')])
    await rejects(t, `no message: ${JSON.stringify(body)}`, [body, tools], [400, -32600])
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
  const { ask } = app.safes.questions
  const held: { signal: AbortSignal | undefined; release(): void }[] = []
  app.safes.questions.ask = async (_account, safeId, { query }, _onWork, signal) => {
    await new Promise<void>(release => held.push({ signal, release }))
    return answerOf(safeId, query)
  }
  t.teardown(() => {
    app.safes.questions.ask = ask
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

  const hungUp = open(stateless('tools/call', params), mirrored('tools/call', 'svc'))
  await until(() => held.length === 1)
  t.equal(held[0]?.signal?.aborted, false)
  hungUp.sent.destroy()
  await t.rejects(hungUp.answered, 'nothing is sent')
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

import t from 'tap'
import { openTestEndpoint, rpc } from './domain.js'

type Refusal = [body: unknown, status: number, code: number, id: unknown]

const { post, asked } = openTestEndpoint(t, { ann: ['a'] })

const call = (name: unknown, args?: unknown) => rpc(1, 'tools/call', { name, arguments: args })
const ask = (id: unknown) => rpc(id, 'tools/call', { name: 'svc', arguments: { query: 'x' } })

const notJson = [
  '',
  '{"jsonrpc":"2.0","id":1,"method":"ping"',
  "{'jsonrpc':'2.0'}",
  '\ufeff{}x',
  '{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
]
const notJsonRpc = [
  'null',
  '"ping"',
  '1',
  '{}',
  '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}',
  '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
  '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
  { id: 1, method: 'ping' },
  { jsonrpc: '1.0', id: 1, method: 'ping' },
  { jsonrpc: 2, id: 1, method: 'ping' },
  ...[null, true, 0.5, 2 ** 53, -(2 ** 53), [], {}].map(id => rpc(id, 'ping')),
]
const unknownMethods = ['', 'Ping', 'ping ', 'tools', 'constructor', '__proto__', 'notifications/initialized']
/** Requests that the SDK would serve, and this service does not offer. */
const notOffered = ['logging/setLevel', 'resources/subscribe', 'roots/list']
const unknownTools = ['svc_delete', 'SVC', 'constructor', '__proto__', '', 'x'.repeat(9000)]

t.test('X1, X4 refuses what is no request that is served, with its status, code and id', async t => {
  const refusals: Refusal[] = [
    ...notJson.map((body): Refusal => [body, 400, -32700, null]),
    ...notJsonRpc.map((body): Refusal => [body, 400, -32600, null]),
    [{ jsonrpc: '2.0', id: 1 }, 400, -32600, 1],
    [{ jsonrpc: '2.0', id: 1, method: null }, 400, -32600, 1],
    ...[null, [], [1], 'x', 7, false].map((params): Refusal => [rpc(1, 'ping', params), 200, -32602, 1]),
    ...[...unknownMethods, ...notOffered].map((method): Refusal => [rpc(1, method), 200, -32601, 1]),
    ...['tasks/list', 'tasks/get', 'tasks/result', 'tasks/cancel', 'sampling/createMessage'].map(
      (method): Refusal => [rpc(1, method, { taskId: '1' }), 200, -32601, 1],
    ),
    [rpc('x', 'tools/call'), 200, -32602, 'x'],
    ...[undefined, 7].map((name): Refusal => [call(name), 200, -32602, 1]),
    ...[[], null, 'x'].map((args): Refusal => [call('svc', args), 200, -32602, 1]),
    ...unknownTools.map((name): Refusal => [call(name, {}), 200, -32602, 1]),
    [rpc(1, 'initialize', {}), 200, -32602, 1],
  ]
  for (const [body, status, code, id] of refusals) {
    const name = (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, 80)
    const reply = await post(body)
    const { jsonrpc, error, ...rest } = reply.body
    t.strictSame([reply.status, jsonrpc, error?.code, rest], [status, '2.0', code, { id }], name)
    t.ok(error.message.length < 200, 'what was sent is not echoed')
  }
  t.equal(asked.length, 0, 'nothing was asked')
})

t.test('X4 keeps ids as they are', async t => {
  for (const id of [
    0,
    -7,
    2 ** 53 - 1,
    1 - 2 ** 53,
    '',
    ' ',
    '7',
    '__proto__',
    '\u202e"\\',
    'é'.repeat(5000),
  ])
    t.strictSame((await post(rpc(id, 'ping'))).body, { jsonrpc: '2.0', id, result: {} })
})

t.test('X4 unknown members, _meta and params.task change nothing', async t => {
  const _meta = { progressToken: {}, 'io.modelcontextprotocol/related-task': { taskId: 7 } }
  const odd = { ...rpc(1, 'ping', { _meta, task: { ttl: 'x' } }), extra: 1, result: {}, error: {} }
  t.same((await post(odd)).body, { jsonrpc: '2.0', id: 1, result: {} })
  const asTask = { name: 'svc_list_safes', arguments: {}, task: { ttl: 1000 }, _meta }
  const { result } = (await post(rpc(1, 'tools/call', asTask))).body
  t.match(result, { content: [{ type: 'text', text: String }] }, 'an answer at once, not a task')
  t.notOk(result.task)
})

t.test('X4 a body of any depth is answered', async t => {
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const ping = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${deep(100_000)}}}`
  t.equal((await post(ping)).status, 200)
  t.match((await post(deep(400_000))).body, [{ id: null, error: { code: -32600 } }])
})

t.test('X3 notifications and responses are taken without an answer', async t => {
  const messages = [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'notifications/nothing', params: { a: 1 } },
    { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
    { jsonrpc: '2.0', method: 'tools/call', params: ask(1).params },
    { jsonrpc: '2.0', id: 7, result: {} },
    { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'x' } },
  ]
  for (const protocolVersion of [undefined, '2025-03-26', '2025-06-18', '2025-11-25'])
    for (const message of messages)
      t.same(await post(message, { protocolVersion }), { status: 202, body: undefined })
  t.same(await post(messages), { status: 202, body: undefined }, 'a batch of them')
  t.equal(asked.length, 0, 'nothing was asked')
})

t.test('X3 answers each request of a batch, and nothing else', async t => {
  const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const batch = [rpc('a', 'ping'), notification, rpc(1, 'nothing'), 7, rpc('1', 'ping'), rpc(2, 'ping', [])]
  const { status, body } = await post(batch)
  t.equal(status, 200)
  t.match(body, [
    { id: 'a', result: {} },
    { id: 1, error: { code: -32601 } },
    { id: null, error: { code: -32600 } },
    { id: '1', result: {} },
    { id: 2, error: { code: -32602 } },
  ])
  t.equal(body.length, 5)
  t.same((await post([rpc(5, 'ping')])).body, [{ jsonrpc: '2.0', id: 5, result: {} }], 'also of one')
})

t.test('X3, X5 refuses a batch as a whole', async t => {
  const start = rpc(2, 'initialize', { protocolVersion: '2025-03-26' })
  const { id: _id, ...startNotification } = start
  const batches: [name: string, batch: unknown[], protocolVersion?: string][] = [
    ['empty', []],
    ['51 messages', Array.from({ length: 51 }, (_, i) => ask(i))],
    ['51 notifications', Array(51).fill({ jsonrpc: '2.0', method: 'notifications/initialized' })],
    ['initialize alone', [start]],
    ['initialize last', [ask(1), start]],
    ['initialize without an id', [ask(1), startNotification]],
    ['equal numbers', [ask(1), rpc(2, 'ping'), ask(1)]],
    ['equal texts', [ask('a'), rpc('a', 'ping')]],
    ['in 2025-06-18', [ask(1)], '2025-06-18'],
    ['in 2025-11-25', [ask(1)], '2025-11-25'],
  ]
  for (const [name, batch, protocolVersion] of batches) {
    const reply = await post(batch, { protocolVersion })
    t.equal(reply.status, 400, name)
    t.match(reply.body, { id: null, error: { code: -32600 } }, name)
  }
  t.equal(asked.length, 0, 'nothing was asked')
  t.equal((await post(Array.from({ length: 50 }, (_, i) => rpc(i, 'ping')))).body.length, 50)
})

import t from 'tap'
import { openTestEndpoint, rpc } from './domain.js'

const { post, asked, endpoint } = await openTestEndpoint({ ann: ['a'] })
t.teardown(() => endpoint.close())

t.test('X4 refuses a body that is not JSON-RPC', async t => {
  const bodies: [name: string, body: unknown, status: number, code: number, id: unknown][] = [
    ['not JSON', '{"jsonrpc":', 400, -32700, null],
    ['nothing', '', 400, -32700, null],
    ['a number', 1, 400, -32600, null],
    ['null', null, 400, -32600, null],
    ['no jsonrpc', { id: 1, method: 'ping' }, 400, -32600, null],
    ['jsonrpc 1.0', { jsonrpc: '1.0', id: 1, method: 'ping' }, 400, -32600, null],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32600, 1],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 7 }, 400, -32600, 1],
    ['id null', rpc(null, 'ping'), 400, -32600, null],
    ['id 1.5', rpc(1.5, 'ping'), 400, -32600, null],
    ['id 2^53', rpc(2 ** 53, 'ping'), 400, -32600, null],
    ['id true', rpc(true, 'ping'), 400, -32600, null],
    ['id {}', rpc({}, 'ping'), 400, -32600, null],
    ['params that are an array', rpc(1, 'ping', []), 200, -32602, 1],
    ['params that are text', rpc('x', 'ping', 'y'), 200, -32602, 'x'],
    ['params null', rpc(1, 'ping', null), 200, -32602, 1],
    ['an unknown method', rpc(1, 'resources/list'), 200, -32601, 1],
    ['a method of the prototype', rpc(1, 'constructor'), 200, -32601, 1],
    ['tools/call without a name', rpc(1, 'tools/call', {}), 200, -32602, 1],
    ['tools/call without params', rpc(1, 'tools/call'), 200, -32602, 1],
    ['arguments that are an array', rpc(1, 'tools/call', { name: 'svc', arguments: [] }), 200, -32602, 1],
    ['an unknown tool', rpc(1, 'tools/call', { name: 'svc_delete' }), 200, -32602, 1],
    ['initialize without a version', rpc(1, 'initialize', {}), 200, -32602, 1],
  ]
  for (const [name, body, status, code, id] of bodies) {
    const reply = await post(body)
    t.equal(reply.status, status, name)
    t.match(reply.body, { jsonrpc: '2.0', id, error: { code } }, name)
    t.equal(asked.length, 0, 'nothing was asked')
  }
})

t.test('X4 keeps ids as they are, whatever they look like', async t => {
  for (const id of [0, -1, 7, Number.MAX_SAFE_INTEGER, '', '7', '__proto__', 'é'.repeat(1000)]) {
    t.same((await post(rpc(id, 'ping'))).body, { jsonrpc: '2.0', id, result: {} })
  }
})

t.test('X4 unknown members, _meta and params.task do not reach the SDK', async t => {
  const meta = { progressToken: {}, 'io.modelcontextprotocol/related-task': { taskId: 7 } }
  const odd = { ...rpc(1, 'ping', { _meta: meta, task: { ttl: 'x' } }), extra: 1 }
  t.same((await post(odd)).body, { jsonrpc: '2.0', id: 1, result: {} })
})

t.test('X3 notifications and responses are taken without an answer', async t => {
  const messages = [
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'tools/call', params: { name: 'svc', arguments: { query: 'x' } } },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
  ]
  for (const message of messages) t.same(await post(message), { status: 202, body: undefined })
  t.same(await post(messages), { status: 202, body: undefined })
  t.equal(asked.length, 0)
})

t.test('X3 answers a batch with a batch', async t => {
  const reply = await post([
    rpc('a', 'ping'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    rpc(1, 'nothing'),
    7,
    rpc('1', 'ping'),
  ])
  t.equal(reply.status, 200)
  t.match(reply.body, [
    { id: 'a', result: {} },
    { id: 1, error: { code: -32601 } },
    { id: null, error: { code: -32600 } },
    { id: '1', result: {} },
  ])
  t.equal(reply.body.length, 4)
})

t.test('X3, X5 refuses a batch as a whole', async t => {
  const ask = (id: number) => rpc(id, 'tools/call', { name: 'svc', arguments: { query: 'x' } })
  const batches: [name: string, batch: unknown[], protocolVersion?: string][] = [
    ['empty', []],
    ['51 messages', Array.from({ length: 51 }, (_, i) => ask(i))],
    ['initialize inside', [ask(1), rpc(2, 'initialize', { protocolVersion: '2025-03-26' })]],
    ['equal ids', [ask(1), ask(1)]],
    ['in 2025-06-18', [ask(1)], '2025-06-18'],
    ['in 2025-11-25', [ask(1)], '2025-11-25'],
  ]
  for (const [name, batch, protocolVersion] of batches) {
    const reply = await post(batch, { protocolVersion })
    t.equal(reply.status, 400, name)
    t.match(reply.body, { id: null, error: { code: -32600 } }, name)
    t.equal(asked.length, 0, 'nothing was asked')
  }
  t.equal((await post(Array.from({ length: 50 }, (_, i) => rpc(i, 'ping')))).body.length, 50)
})

import t from 'tap'
import { constant, failure, jsonOf, type RpcResponse } from '../../../mcp/json-rpc.js'
import { stampOf } from '../../../mcp/revisions/stamp.js'

const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'svc', version: '1.0.0' } }
const answered = (result: Record<string, unknown>): RpcResponse => ({ jsonrpc: '2.0', id: 1, result })

t.test('N8, N9 a result is complete and names its server; a list says how long it is valid', async t => {
  const stamp = stampOf({ name: 'svc', version: '1.0.0' })
  const list = constant({ tools: [] })
  const stamped = stamp('tools/list', answered(list))
  const cached = { ttlMs: 3_600_000, cacheScope: 'private' }
  t.strictSame(stamped, answered({ resultType: 'complete', tools: [], ...cached, _meta }))
  t.strictSame(list, { tools: [] }, 'earlier revisions get it as it was')
  const again = stamp('tools/list', answered(list))
  t.equal('result' in again && again.result, 'result' in stamped && stamped.result, 'it is stamped once')
  t.strictSame(
    stamp('tools/call', answered({ content: [] })),
    answered({ content: [], resultType: 'complete', _meta }),
  )
  const error = failure(1, { code: -32601, message: 'Method not found' })
  t.equal(stamp('tools/call', error), error)
})

t.test('responses and batches of them are serialized, constant results once', async t => {
  const list = constant({ tools: ['a'] })
  const body = '{"jsonrpc":"2.0","id":"x","result":{"tools":["a"]}}'
  t.equal(jsonOf({ jsonrpc: '2.0', id: 'x', result: list }), body)
  list.tools = ['b']
  t.equal(jsonOf({ jsonrpc: '2.0', id: 'x', result: list }), body)
  const error = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No', data: { a: 1 } } }
  t.same(JSON.parse(jsonOf(failure(null, { code: -32600, message: 'No', data: { a: 1 } }))), error)
  t.notOk('data' in failure(1, { code: 1, message: '' }).error)
  t.equal(
    jsonOf([answered({}), answered({ a: 1 })]),
    `[${jsonOf(answered({}))},${jsonOf(answered({ a: 1 }))}]`,
  )
})

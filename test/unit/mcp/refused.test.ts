import t from 'tap'
import { accessOf, openTestEndpoint, rpc } from './domain.js'

t.test('a message with a method is a request, whatever else it has', async t => {
  const { endpoint, post } = openTestEndpoint({ ann: ['a'] })
  t.teardown(() => endpoint.close())
  t.match(await post({ ...rpc(1, 'ping'), result: {} }), { status: 200, body: { id: 1, result: {} } })
  t.match(await post({ jsonrpc: '2.0', id: 1, result: {} }), { status: 202 })
})

t.test('an initialize that is no request opens no session', async t => {
  const { endpoint, post, events } = openTestEndpoint({ ann: ['a'] })
  t.teardown(() => endpoint.close())
  t.equal((await post({ jsonrpc: '2.0', method: 'initialize' })).status, 202, 'a notification')
  t.match(await post({ jsonrpc: '2.0', id: {}, method: 'initialize' }), { status: 400, body: { id: null } })
  t.strictSame(events, [])
})

t.test('a connection for one Safe asks that one only', async t => {
  const { endpoint, tool, asked } = openTestEndpoint({ ann: ['a', 'b'] })
  t.teardown(() => endpoint.close())
  const access = accessOf('ann', { chosenSafeIds: ['a'], onlyChosenSafe: true })
  t.equal((await tool('svc', { query: 'x', safe: 'b' }, { access })).isError, true)
  t.strictSame(asked, [])
  t.notOk((await tool('svc', { query: 'x', safe: 'a' }, { access })).isError)
  t.match(asked, [{ safeId: 'a' }])
  t.equal((await tool('svc_select_safe', { safe: 'b' }, { access })).isError, true)
})

t.test('an ignored argument with a very long name is not repeated', async t => {
  const { endpoint, tool } = openTestEndpoint({ ann: ['a'] })
  t.teardown(() => endpoint.close())
  const { content, isError } = await tool('svc', { query: 'x', [`query${'y'.repeat(5_000)}`]: 1 })
  t.notOk(isError)
  t.ok((content[0]?.text ?? '').length < 1_000)
})

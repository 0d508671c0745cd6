import t from 'tap'
import { rpc } from '../../unit/mcp/domain.js'
import { refused } from '../../written.js'
import { buildService } from './service.js'

const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }

const { app, ann, harbour, issue, poster } = await buildService(t)
const { send } = poster(await issue(ann))
/** A call that writes, which would show in both stores. */
const select = rpc(1, 'tools/call', { name: 'svc_select_safe', arguments: { safe: harbour } })

t.test('X2 whatever Accept says, an answer is application/json', async t => {
  const accepts = [
    undefined,
    '',
    'application/json, text/event-stream',
    'text/event-stream',
    'application/json;q=0',
    'a/b/c;;,',
  ]
  const bodies: [body: unknown, type: string, status: number][] = [
    [rpc(1, 'ping'), 'application/json', 200],
    ['{', 'application/json', 400],
    [rpc(1, 'ping'), 'text/plain', 415],
  ]
  for (const accept of accepts) {
    const headers = accept === undefined ? {} : { accept }
    for (const [body, type, status] of bodies) {
      const reply = await send(body, { 'content-type': type, ...headers })
      t.equal(reply.statusCode, status, `${accept}`)
      t.match(reply.headers['content-type'], /^application\/json\b/, `${accept}`)
      t.equal(JSON.parse(reply.body)[0]?.jsonrpc ?? reply.json().jsonrpc, '2.0')
    }
    const unauthorized = await app.inject({ method: 'POST', url: '/mcp/v1', headers })
    t.match(unauthorized.headers['content-type'], /^application\/json\b/, `401 for ${accept}`)
  }
})

t.test('X3, X4 what is refused or not answered writes nothing (test/unit/mcp/envelope.test.ts)', async t => {
  const bodies: [name: string, body: unknown, status: number, answer?: object][] = [
    ['a notification', notification, 202],
    ['a call without an id', { ...select, id: undefined }, 202],
    ['no JSON', '{', 400, { id: null, error: { code: -32700 } }],
    ['an invalid id', { ...select, id: 0.5 }, 400, { id: null, error: { code: -32600 } }],
    ['a batch with an id twice', [select, select], 400, { id: null, error: { code: -32600 } }],
    ['a batch of 51', Array(51).fill(notification), 400, { id: null, error: { code: -32600 } }],
    ['an unknown tool', rpc(1, 'tools/call', { name: 'x' }), 200, { id: 1, error: { code: -32602 } }],
    ['an unknown method', rpc(1, 'tasks/list'), 200, { id: 1, error: { code: -32601 } }],
  ]
  for (const [name, body, status, answer] of bodies) {
    const reply = await refused(t, app, name, () => send(body))
    t.equal(reply.statusCode, status, name)
    if (answer) t.match(reply.json(), { jsonrpc: '2.0', ...answer }, name)
    else t.match([reply.body, reply.headers['content-type']], ['', undefined], name)
  }
})

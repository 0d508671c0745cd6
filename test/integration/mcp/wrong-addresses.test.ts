import t from 'tap'
import { rpc } from '../../unit/mcp/domain.js'
import { refused } from '../../written.js'
import { BASE, buildService } from './service.js'

const { app, ann, issue } = await buildService(t)
const headers = { 'content-type': 'application/json' }
const payload = rpc(1, 'ping')

t.test('wrong MCP addresses get 404 and a JSON-RPC error that names the right one', async t => {
  for (const url of ['/', '/mcp', '/mcp/', '/sse', '/mcp/v2', '/mcp/v1/too/long']) {
    const reply = await refused(t, app, url, () => app.inject({ method: 'POST', url, headers, payload }))
    t.match(reply, { statusCode: 404, headers: { 'cache-control': 'no-store' } }, url)
    t.equal(reply.headers['access-control-allow-origin'], '*', url)
    t.match(reply.json(), { jsonrpc: '2.0', id: null, error: { code: -32000 } }, url)
    t.ok(reply.json().error.message.includes(`${BASE}/mcp/v1 `), url)
    const stateless = { ...headers, 'mcp-protocol-version': '2026-07-28' }
    const { id, error } = (await app.inject({ method: 'POST', url, headers: stateless, payload })).json()
    t.strictSame([id, error.code], [undefined, -32600], 'N10')
    t.equal((await app.inject({ method: 'OPTIONS', url })).statusCode, 204, 'P8')
  }
  const stream = await app.inject({ url: '/sse', headers: { accept: 'text/event-stream' } })
  t.match(stream, { statusCode: 404, headers: { 'content-type': /^application\/json/ } })
})

t.test('a browser gets a page that names the MCP endpoint', async t => {
  for (const url of ['/mcp', '/mcp/v2', '/sse']) {
    const { statusCode, body } = await app.inject({ url, headers: { accept: 'text/html' } })
    t.equal(statusCode, 404, url)
    t.ok(body.includes(`${BASE}/mcp/v1 `), url)
  }
  t.equal(
    (
      await app.inject({ method: 'POST', url: '/', payload: 'x', headers: { 'content-type': 'text/plain' } })
    ).json().error,
    'not_found',
  )
})

t.test('a client with a token is sent on from /mcp within the origin', async t => {
  const token = await issue(ann)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token.accessToken}` },
    body: JSON.stringify(payload),
  })
  t.ok(response.redirected)
  t.match(await response.json(), { id: 1, result: {} })
})

import t from 'tap'
import { Unavailable } from '../../plugins/unavailable.js'
import { build, dataDir, setUps } from '../helper.js'
import { rpc } from './domain.js'
import { buildService, callsOf } from './service.js'

for (const setUp of setUps) {
  t.test(setUp, async t => {
    const { app, ann, harbour, issue, poster } = await buildService(t, { setUp })

    t.test('X2 needs Authorization and Content-Type only, and always answers application/json', async t => {
      const { post } = poster(await issue(ann))
      for (const accept of [undefined, '*/*', 'text/event-stream', 'text/html', 'application/json']) {
        const reply = await post(rpc(1, 'ping'), accept ? { accept } : {})
        t.equal(reply.status, 200)
        t.match(reply.headers['content-type'], /^application\/json/)
        const refused = await post('{', accept ? { accept } : {})
        t.equal(refused.status, 400)
        t.match(refused.headers['content-type'], /^application\/json/)
      }
    })

    t.test('X3 notifications are 202 without a body', async t => {
      const { post } = poster(await issue(ann))
      const reply = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
      t.match(reply, { status: 202, body: undefined })
    })

    t.test('X5 a wrong Content-Type is 415, a body over 1 MiB is 413', async t => {
      const { post, request } = poster(await issue(ann))
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'x']) {
        const reply = await post(rpc(1, 'ping'), { 'content-type': type })
        t.equal(reply.status, 415, type)
        t.match(reply.body, { jsonrpc: '2.0', id: null, error: { code: -32000 } })
      }
      t.equal((await request({ method: 'POST' })).statusCode, 415, 'none')
      t.equal((await post(rpc(1, 'ping'), { 'content-type': 'application/json; charset=utf-8' })).status, 200)
      const large = rpc(1, 'ping', { x: 'x'.repeat(1024 * 1024) })
      t.match(await post(large), { status: 413, body: { error: { code: -32000 } } })
    })

    t.test('X4 malformed JSON is 400 -32700', async t => {
      const { post } = poster(await issue(ann))
      for (const body of ['{', '', 'x', '[1,']) {
        t.match(await post(body), { status: 400, body: { id: null, error: { code: -32700 } } })
      }
    })

    t.test('X6 a session begins at initialize and ends with DELETE', async t => {
      const { post, request, initialize } = poster(await issue(ann))
      const session = { 'mcp-session-id': await initialize() }
      t.equal((await post(rpc(1, 'ping'), session)).status, 200)
      t.equal((await request({ method: 'DELETE', headers: session })).statusCode, 204)
      t.match(await post(rpc(1, 'ping'), session), { status: 404, body: { id: 1, error: { code: -32001 } } })
      t.equal((await request({ method: 'DELETE', headers: session })).statusCode, 404)
      t.equal((await post(rpc(1, 'ping'), { 'mcp-session-id': 'x\u00ff' })).status, 404)
      t.equal((await post(rpc(1, 'ping'))).status, 200, 'without the header it goes on')
    })

    t.test('X12 GET and other verbs are 405, DELETE may carry an empty JSON body', async t => {
      const { request } = poster(await issue(ann))
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH'] as const) {
        const reply = await request({ method, headers: { accept: 'text/event-stream' } })
        t.equal(reply.statusCode, 405, method)
        t.equal(reply.headers.allow, 'POST, DELETE')
      }
      const headers = { 'content-type': 'application/json' }
      t.equal((await request({ method: 'DELETE', headers })).statusCode, 204)
      t.equal((await request({ method: 'DELETE', headers, payload: '' })).statusCode, 204)
    })

    t.test('DESIGN §4 a store that is away is 503 with Retry-After, in a tool as before it', async t => {
      const { post } = poster(await issue(ann))
      const isAway = async (body: unknown) => {
        const reply = await post(body)
        t.equal(reply.status, 503)
        t.equal(reply.headers['retry-after'], '2')
        t.match(reply.body, { jsonrpc: '2.0', id: null, error: { code: -32000 } })
      }
      const { ask } = app.safes
      app.safes.ask = async () => {
        throw new Unavailable('the database is busy')
      }
      const call = rpc(1, 'tools/call', { name: 'svc', arguments: { query: 'x', safe: harbour } })
      await isAway(call)
      await isAway([rpc(2, 'ping'), call])
      app.safes.ask = ask
      app.redis?.disconnect()
      if (app.redis) await isAway(rpc(1, 'ping'))
    })
  })
}

t.test('calls are counted for the user’s list of connections, at the latest on close', async t => {
  const folder = dataDir(t)
  const first = await buildService(t, { env: { DATA_DIR: folder } })
  const { post } = first.poster(await first.issue(first.ann))
  for (let i = 0; i < 3; i++) await post(rpc(i, 'ping'))
  t.equal(await callsOf(first.app, first.ann), 0, 'not written with each call')
  await first.app.close()
  const next = await build(t, { env: { DATA_DIR: folder } })
  t.equal(await callsOf(next, first.ann), 3)
})

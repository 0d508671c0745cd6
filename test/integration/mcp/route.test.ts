import { METHODS } from 'node:http'
import { Readable } from 'node:stream'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { Unavailable } from '../../../platform/common/unavailable.js'
import { build, sharedStores } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { refused } from '../../written.js'
import { buildService, callsOf } from './service.js'

type Method = NonNullable<InjectOptions['method']>

const MIB = 1024 * 1024

const { app, ann, harbour, issue, poster } = await buildService(t)
const user = poster(await issue(ann))
const pinned = poster(await issue(ann, {}, { safeId: harbour }), `/mcp/v1/${harbour}`)
/** A call that writes, which would show in both stores. */
const select = rpc(1, 'tools/call', { name: 'svc_select_safe', arguments: { safe: harbour } })

t.test('X4 a server fault is -32603 with a reference and nothing else, wherever it is', async t => {
  const secret = 'secret: postgres://user:pw@host'
  const fail = async () => {
    throw Object.assign(new Error(secret), { code: 'SQLITE_CORRUPT', data: secret })
  }
  const ask = rpc(1, 'tools/call', { name: 'svc', arguments: { query: 'x', safe: harbour } })
  const start = rpc(1, 'initialize', {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  })
  type Fault = [name: string, domain: object, method: string, body: unknown, status: number, id: unknown]
  const faults: Fault[] = [
    ['in a tool', app.safes.questions, 'ask', ask, 200, 1],
    ['while a Safe is selected', app.oauth.sessions, 'select', select, 200, 1],
    ['while a session is opened', app.oauth.sessions, 'open', start, 500, null],
    ['while the token is looked at', app.oauth, 'authenticate', rpc(1, 'ping'), 500, null],
  ]
  for (const [name, object, method, body, status, id] of faults) {
    const domain = object as Record<string, unknown>
    const before = domain[method]
    domain[method] = fail
    const reply = await refused(t, app, name, () => user.send(body))
    domain[method] = before
    t.equal(reply.statusCode, status, name)
    const { error, ...rest } = reply.json()
    t.strictSame(rest, { jsonrpc: '2.0', id }, name)
    t.match(
      error,
      { code: -32603, message: /^Something went wrong on our side \(reference [0-9a-f]{8}\)\.$/ },
      name,
    )
    t.same(Object.keys(error), ['code', 'message'])
  }
  t.equal((await user.send(rpc(1, 'ping'))).statusCode, 200, 'it goes on')
})

t.test('X5 only application/json is read, by whatever spelling', async t => {
  for (const type of ['Application/JSON', 'application/json ; charset=UTF-8'])
    t.equal((await user.send(rpc(1, 'ping'), { 'content-type': type })).statusCode, 200, type)
  for (const type of [
    'text/plain',
    'application/json5',
    'application/vnd.api+json',
    'multipart/form-data',
    '',
  ]) {
    const reply = await refused(t, app, type, () => user.send(select, { 'content-type': type }))
    t.equal(reply.statusCode, 415, type)
    t.match(reply.json(), { jsonrpc: '2.0', id: null, error: { code: -32000 } }, type)
  }
  t.equal((await user.request({ method: 'POST', payload: Readable.from(['{}']) })).statusCode, 415, 'none')
})

t.test('X5 a body may have 1 MiB, counted in bytes, with or without Content-Length', async t => {
  const body = (bytes: number, letter: string) => {
    const frame = JSON.stringify(rpc(1, 'tools/call', { ...select.params, x: '' }))
    const letters = letter.repeat(Math.floor((bytes - frame.length) / Buffer.byteLength(letter)))
    const text = frame.replace('"x":""', `"x":"${letters}"`)
    return text + ' '.repeat(bytes - Buffer.byteLength(text))
  }
  for (const letter of ['x', '龘']) {
    for (const bytes of [MIB, MIB + 1]) {
      const whole = body(bytes, letter)
      for (const payload of [whole, () => Readable.from([whole.slice(0, 9), whole.slice(9)])]) {
        const post = () =>
          user.request({
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            payload: typeof payload === 'string' ? payload : payload(),
          })
        const name = `${bytes} bytes of ${letter}`
        if (bytes === MIB) {
          t.equal((await post()).statusCode, 200, name)
          continue
        }
        const reply = await refused(t, app, name, post)
        t.equal(reply.statusCode, 413, name)
        t.match(reply.json(), { jsonrpc: '2.0', id: null, error: { code: -32000 } }, name)
      }
    }
  }
})

t.test('X12 every verb but POST, DELETE and OPTIONS is 401 without a token, 405 with one', async t => {
  const verbs = METHODS.filter(verb => !['POST', 'DELETE', 'OPTIONS', 'CONNECT'].includes(verb)) as Method[]
  t.ok(verbs.length > 25)
  for (const method of verbs) {
    const without = await app.inject({ method, url: `/mcp/v1/${harbour}` })
    t.match(
      without,
      { statusCode: 401, headers: { 'www-authenticate': /^Bearer resource_metadata=/ } },
      method,
    )
    const headers = { accept: 'text/event-stream' }
    const withOne = await refused(t, app, method, () => pinned.request({ method, headers }))
    t.match(withOne, { statusCode: 405, headers: { allow: 'POST, DELETE' } }, method)
  }
  const payload = 'x'.repeat(MIB + 1)
  t.equal((await user.request({ method: 'PUT', payload })).statusCode, 405, 'before its body is looked at')
})

t.test('X12 DELETE may carry an empty JSON body', async t => {
  const headers = { 'content-type': 'application/json' }
  for (const options of [{}, { headers }, { headers, payload: '{}' }])
    t.match(await user.request({ method: 'DELETE', ...options }), { statusCode: 204, body: '' })
})

t.test('DESIGN §4 a store that is unavailable is 503 with Retry-After, in a tool as before it', async t => {
  const { post } = poster(await issue(ann))
  const isUnavailable = async (body: unknown) => {
    const reply = await post(body)
    t.equal(reply.status, 503)
    t.equal(reply.headers['retry-after'], '2')
    t.match(reply.body, { jsonrpc: '2.0', id: null, error: { code: -32000 } })
  }
  const { ask } = app.safes.questions
  app.safes.questions.ask = async () => {
    throw new Unavailable('the database is busy')
  }
  const call = rpc(1, 'tools/call', { name: 'svc', arguments: { query: 'x', safe: harbour } })
  await isUnavailable(call)
  await isUnavailable([rpc(2, 'ping'), call])
  app.safes.questions.ask = ask
  app.redis?.disconnect()
  if (app.redis) await isUnavailable(rpc(1, 'ping'))
})

t.test('calls are counted for the user’s list of connections, at the latest on close', async t => {
  const env = await sharedStores(t)
  const first = await buildService(t, { env })
  const { post } = first.poster(await first.issue(first.ann))
  for (let i = 0; i < 3; i++) await post(rpc(i, 'ping'))
  t.equal(await callsOf(first.app, first.ann), 0, 'not written with each call')
  await first.app.close()
  const next = await build(t, { env })
  t.equal(await callsOf(next, first.ann), 3)
})

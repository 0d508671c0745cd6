import { EventEmitter, once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import t from 'tap'
import { build, sharedStores } from '../../helper.js'
import { until } from '../../until.js'
import { buildService } from '../mcp/service.js'
import { people } from '../safes/open.js'

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** One request; throws without an answer. */
async function send(url: string, token: string, agent: Agent): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = request(url, { method: url.endsWith('/mcp/v1') ? 'POST' : 'GET', agent, headers })
  sent.end(url.endsWith('/mcp/v1') ? PING : undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  for await (const _ of response);
  return response
}

t.test('a service that stops answers every request until its clients have left', async t => {
  let end = () => {}
  const grace = new Promise<void>(resolve => {
    end = resolve
  })
  const { app, ann, issue } = await buildService(t, { stopGrace: () => grace })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const { accessToken } = await issue(ann)
  const statuses = new Set<number | undefined>()
  /** Calls the service until it is told to leave. */
  async function client(answered: () => void): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let isClosing = false; !isClosing; answered()) {
      const { statusCode, headers } = await send(`${url}/mcp/v1`, accessToken, agent)
      statuses.add(statusCode)
      isClosing = headers.connection === 'close'
    }
    agent.destroy()
  }
  const clients: Promise<void>[] = []
  const begun = Array.from({ length: 20 }, () => new Promise<void>(done => clients.push(client(done))))
  await Promise.all(begun)
  const closed = app.close()
  await Promise.all(clients)
  t.strictSame([...statuses], [200])
  const agent = new Agent()
  const late = await send(`${url}/mcp/v1`, accessToken, agent)
  t.match(late, { statusCode: 200, headers: { connection: 'close' } }, 'who comes late is answered')
  const ready = await send(`${url}/readyz`, accessToken, agent)
  t.match(ready, { statusCode: 503, headers: { 'retry-after': '2' } }, 'load balancers send no more requests')
  end()
  await closed
  await t.rejects(send(`${url}/mcp/v1`, accessToken, agent), { code: 'ECONNREFUSED' })
})

t.test('a connection accepted before the stop is answered when no new one is accepted any more', async t => {
  /** The end of each of the two parts of the grace period, once it has begun. */
  const ends: (() => void)[] = []
  const begun = new EventEmitter()
  const stopGrace = () =>
    new Promise<void>(resolve => {
      ends.push(resolve)
      begun.emit('part')
    })
  const app = await build(t, { stopGrace })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const first = once(begun, 'part')
  const closed = app.close()
  await first
  const second = once(begun, 'part')
  ends[0]!()
  await second
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [answer] = await once(socket, 'data')
  t.match(String(answer), /^HTTP\/1\.1 200 .*connection: close/is)
  const late = connect(port, '127.0.0.1')
  t.match(await once(late, 'error'), [{ code: 'ECONNREFUSED' }])
  ends[1]!()
  await closed
})

t.test('a running import or index build does not delay the shutdown', async t => {
  const env = await sharedStores(t)
  const { app, ann: owner, issue } = await buildService(t, { env })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const [full, filling] = [await app.safes.create(owner, 'Full'), await app.safes.create(owner, 'Filling')]
  const bytes = Readable.from([Buffer.from(people(3000))])
  await app.safes.imports.add(owner, full.id, { source: 'people.nt', bytes, commit: true })
  /** It never ends, like the upload of a client that has disappeared. */
  async function* endless() {
    for (let i = 0; ; i += 1_000)
      yield Buffer.from(
        Array.from(
          { length: 1_000 },
          (_, at) => `<http://x/e${i + at}> <http://x/knows> <http://x/e${i + at + 1}> .\n`,
        ).join(''),
      )
  }
  const begun = await app.safes.imports.start(owner, filling.id, {
    source: 'endless.nt',
    bytes: Readable.from(endless()),
    commit: true,
  })
  await until(
    async () => ((await app.safes.imports.find(owner, filling.id, begun.id))?.counts.entities ?? 0) > 0,
  )
  const { accessToken } = await issue(owner, { chosenSafeIds: [full.id] })
  const agent = new Agent({ keepAlive: true })
  await send(`${url}/mcp/v1`, accessToken, agent)
  const asked = app.safes.questions
    .ask(owner, full.id, { query: 'Whom does Person 7 know?' })
    .catch(error => error)
  await app.close()
  t.ok((await asked).facts ?? /closing/.test((await asked).message), 'answered, or told why not')
  agent.destroy()

  const again = await build(t, { env })
  t.match(await again.safes.imports.find(owner, filling.id, begun.id), {
    status: 'failed',
    problem: /interrupted|stopped/,
  })
  t.match(await again.safes.find(owner, filling.id), { counts: { entities: 0, relations: 0 } })
})

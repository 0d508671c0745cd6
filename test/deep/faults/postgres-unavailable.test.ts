import { PassThrough } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { build } from '../../helper.js'
import { buildService } from '../../integration/mcp/service.js'
import { Browser, PASSWORD } from '../../integration/pages/browser.js'
import { people } from '../../integration/safes/open.js'
import { PostgresServer } from '../../postgres-server.js'
import { openProxy } from '../../stallable-proxy.js'
import { rpc } from '../../unit/mcp/domain.js'
import { until } from '../../until.js'

/** A request of each kind: a page that reads, one that writes, a program that registers, a question. */
async function open(t: Test, url: string) {
  const { app, issue, poster } = await buildService(t, { setUp: 'postgres', env: { DATABASE_URL: url } })
  const owner = await app.accounts.add('ann@example.org', PASSWORD)
  const safe = await app.safes.createSample(owner.id)
  const client = poster(await issue(owner.id, { chosenSafeIds: [safe.id] }))
  const browser = new Browser(app)
  await browser.signIn('bob@example.org')
  const send = {
    ready: () => app.inject('/readyz'),
    page: () => browser.get('/safes'),
    register: () =>
      app.inject({
        method: 'POST',
        url: '/oauth/register',
        payload: { redirect_uris: ['http://localhost/cb'] },
      }),
    ask: () =>
      client.send(
        rpc(1, 'tools/call', { name: 'svc', arguments: { query: 'Who leads the Lens Restoration?' } }),
      ),
  }
  return { app, send }
}

type Requests = Awaited<ReturnType<typeof open>>['send']

async function works(t: Test, send: Requests, when: string) {
  t.equal((await send.ready()).statusCode, 200, when)
  t.equal((await send.page()).statusCode, 200)
  t.equal((await send.register()).statusCode, 201)
  t.match((await send.ask()).body, /Lens Restoration/)
}

/** All at once. Each is answered while Postgres still is not: no request waits for it. */
async function isUnavailable(t: Test, send: Requests, when: string) {
  const answers = await Promise.all(
    Object.entries(send).map(async ([name, one]) => [name, await one()] as const),
  )
  for (const [name, { statusCode, headers, body }] of answers) {
    t.equal(statusCode, 503, `${when}: ${name}`)
    t.match(headers, { 'retry-after': String }, name)
    t.notMatch(body, /postgres|node_modules|ECONN/i, name)
  }
}

/** Until connections that were lost have been noticed. */
async function untilReady(app: FastifyInstance) {
  await until(async () => (await app.inject('/readyz')).statusCode === 200)
}

t.test('DESIGN §4 Postgres unavailable: 503 with Retry-After, then recovery without a restart', async t => {
  const server = await PostgresServer.start()
  t.teardown(() => server.remove())
  const { app, send } = await open(t, server.url())
  await works(t, send, 'at first')
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    await server.stop(signal)
    await isUnavailable(t, send, signal)
    await server.resume()
    await untilReady(app)
    await works(t, send, `after ${signal}`)
  }
})

t.test('DESIGN §4 a Postgres that stops responding: 503 without hanging, then recovery', async t => {
  const server = await PostgresServer.start()
  t.teardown(() => server.remove())
  const line = await openProxy(t, server.port)
  const url = new URL(server.url())
  url.port = String(line.port)
  const { app, send } = await open(t, url.href)
  await works(t, send, 'at first')
  line.stall()
  await isUnavailable(t, send, 'stalled')
  line.release()
  await untilReady(app)
  await works(t, send, 'after the stall')
})

t.test('an import interrupted by an outage of Postgres has failed afterwards', async t => {
  const server = await PostgresServer.start()
  t.teardown(() => server.remove())
  const app = await build(t, { setUp: 'postgres', env: { DATABASE_URL: server.url() } })
  const ann = (await app.accounts.add('ann@example.org', PASSWORD)).id
  const { id } = await app.safes.create(ann, 'Safe')
  const bytes = new PassThrough()
  // The first 10,000 things are written together.
  bytes.write(`${people(15_000)}\n`)
  const begun = await app.safes.imports.start(ann, id, { source: 'p.nt', bytes, commit: false })
  const rows = () => app.database.read.selectFrom('entities').select('key').execute()
  await until(async () => (await rows()).length > 0)
  await server.stop('SIGQUIT')
  bytes.end(people(30_000))
  await until(async () => (await app.inject('/readyz')).statusCode === 503)
  await server.resume()
  await untilReady(app)
  const status = async () => (await app.safes.imports.find(ann, id, begun.id))?.status
  await until(async () => (await status()) !== 'staging')
  t.match(await app.safes.imports.find(ann, id, begun.id), { status: 'failed', problem: /interrupted/ })
  await app.safes.idle()
  t.strictSame(await rows(), [])
})

t.test('an unacknowledged write is applied completely or not at all', async t => {
  const server = await PostgresServer.start()
  t.teardown(() => server.remove())
  const app = await build(t, { setUp: 'postgres', env: { DATABASE_URL: server.url() } })
  const owner = await app.accounts.add('ann@example.org', PASSWORD)
  const acknowledged: string[] = []
  let stopped = false
  const writing = (async () => {
    for (let i = 0; !stopped; i++) {
      await app.safes.create(owner.id, `Safe ${i}`).then(
        safe => acknowledged.push(safe.id),
        () => new Promise(done => setTimeout(done, 10)),
      )
    }
  })()
  for (let crash = 0; crash < 3; crash++) {
    const before = acknowledged.length
    await until(() => acknowledged.length >= before + 20)
    await server.stop('SIGQUIT')
    await server.resume()
  }
  stopped = true
  await writing
  await untilReady(app)
  const readable = (await app.safes.readableBy(owner.id, { limit: 100_000 })).map(({ id }) => id)
  t.ok(
    acknowledged.every(id => readable.includes(id)),
    `${acknowledged.length} Safes, none lost`,
  )
  const { length } = await app.database.read.selectFrom('safes').select('id').execute()
  t.equal(length, readable.length, 'no Safe without its owner')
})

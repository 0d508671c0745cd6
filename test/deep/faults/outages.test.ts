import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { build } from '../../helper.js'
import { assistantOf } from '../../integration/oauth/assistant.js'
import { startRedis } from '../../integration/redis/servers.js'
import { addLighthouse } from '../../lighthouse.js'
import { PostgresServer } from '../../postgres-server.js'
import { openProxy, type StallableProxy } from '../../stallable-proxy.js'
import { startProcess } from '../races/service.js'
import { Load } from './load.js'
import { type Tokens, Visitor } from './visitor.js'

/** Requests that a process may still hold after all answers: the last one of each open connection. */
const HELD = 50

/** The number of acknowledged writes depends on the machine: more than a page. */
const ALL = { limit: 100_000 }

const REGISTRATION = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"redirect_uris":["http://localhost/cb"]}',
}

/** Postgres, Redis, and one process of the service, with interruptible lines to both. */
async function start(t: Test) {
  const postgres = await PostgresServer.start()
  t.teardown(() => postgres.remove())
  const redis = await startRedis(t)
  const lines = { postgres: await openProxy(t, postgres.port), redis: await openProxy(t, redis.port) }
  const database = new URL(postgres.url())
  database.port = String(lines.postgres.port)
  const env = { DATABASE_URL: database.href, REDIS_URL: `redis://127.0.0.1:${lines.redis.port}` }
  const app = await build(t, { env })
  const { assistant, id: ann } = await assistantOf(app)
  const sample = await addLighthouse(app, ann)
  const safe = await app.safes.create(ann, 'Safe')
  const asking = await assistant.connect({}, { safe: sample.id })
  const rotating = await Promise.all([1, 2, 3].map(() => assistant.connect()))
  const { child, url } = await startProcess(t, app, { CALLS_PER_SECOND: '0' })
  const visitor = Object.assign(new Visitor(assistant), { url })
  return { app, ann, safe, postgres, lines, asking, rotating, visitor, child }
}

t.test('Postgres and Redis stop or do not answer under load (DESIGN §4)', async t => {
  const { app, ann, safe, postgres, lines, asking, rotating, visitor, child } = await start(t)
  const load = new Load(visitor, safe.id)
  let pairs: Tokens[] = rotating
  const outage = (name: string, fault: () => Promise<void>) =>
    t.test(name, async t => {
      pairs = await load.during(t, asking, pairs, fault)
      t.comment(`${load.refused} times 503, of those ${load.unheard} done, ${JSON.stringify(counts(load))}`)
      t.ok((await heldBy(child)) <= HELD, 'requests that failed are not kept')
    })
  const areRefused = async () => {
    await load.allAreAnswered()
    for (const [path, sent] of [['/readyz'], ['/oauth/register', REGISTRATION]] as const)
      t.equal((await fetch(visitor.url + path, sent)).status, 503, path)
  }
  const crash = (signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL') => async () => {
    await postgres.stop(signal)
    await areRefused()
    await postgres.resume()
  }
  const stall = (some: StallableProxy[]) => async () => {
    for (const line of some) line.stall()
    await areRefused()
    for (const line of some) line.release()
  }
  await outage('Postgres is killed', crash('SIGKILL'))
  await outage('the way to Postgres falls silent', stall([lines.postgres]))
  await outage('the way to Redis falls silent', stall([lines.redis]))
  await outage('both fall silent', stall(Object.values(lines)))
  await outage('Postgres crashes', crash('SIGQUIT'))
  await outage('Postgres is stopped', crash('SIGINT'))
  await outage('both fall silent again', stall(Object.values(lines)))

  t.test('nothing acknowledged is lost', async t => {
    const { safes, imports, connections } = load.acknowledged
    const readable = (await app.safes.readableBy(ann, ALL)).map(({ id }) => `/safes/${id}`)
    t.strictSame(
      safes.filter(path => !readable.includes(path)),
      [],
      `${safes.length} Safes`,
    )
    const { length } = await app.database.read.selectFrom('safes').select('id').execute()
    t.equal(
      length,
      readable.length,
      'what was refused is there whole or not at all: no Safe is without its owner',
    )
    const listed = await app.safes.imports.list(ann, safe.id, ALL)
    for (const id of imports) {
      const found = listed.find(item => item.id === id)
      t.match(found, { status: 'committed', counts: { relations: 50 } })
    }
    const shown = await app.oauth.connections.listFor(ann, ALL)
    for (const tokens of [...connections, ...pairs]) {
      t.ok(await visitor.opens(tokens))
      t.ok(shown.some(({ id }) => id === tokens.access_token.split('_')[2]))
    }
  })
})

const counts = ({ acknowledged }: Load) =>
  Object.entries(acknowledged).map(([name, one]) => [name, typeof one === 'number' ? one : one.length])

/** Number of requests that a process still holds. */
async function heldBy(child: ChildProcess): Promise<number> {
  child.send('requests')
  const [count] = (await once(child, 'message')) as [number]
  return count
}

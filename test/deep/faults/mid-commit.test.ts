// The connection to Postgres falls silent in the middle of a transaction: a write that got 503 is there as a whole or
// not at all.
import type { FastifyInstance } from 'fastify'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { build, redisUrl } from '../../helper.js'
import { assistantOf } from '../../integration/oauth/assistant.js'
import { promised } from '../../integration/redis/patience.js'
import { file, people } from '../../integration/safes/open.js'
import { PostgresServer } from '../../postgres-server.js'
import { openProxy } from '../../stallable-proxy.js'
import { until } from '../../until.js'

interface Silence {
  text: string
  when: 'before' | 'after'
  /** When the server receives its statements: at once, late, or never. */
  done: boolean | 'perhaps'
}

/** As a statement of its own, which ends with a zero. */
const COMMIT: Silence[] = [
  { text: 'commit\0', when: 'before', done: 'perhaps' },
  { text: 'commit\0', when: 'after', done: true },
]

const server = await PostgresServer.start()
t.teardown(() => server.remove())
const direct = new Client({ connectionString: server.url() })
await direct.connect()
t.teardown(() => direct.end())
const line = await openProxy(t, server.port)
const DATABASE_URL = Object.assign(new URL(server.url()), { port: String(line.port) }).href

/** Sends the statement at which the line falls silent; then the line works again, and all pending work has ended. */
async function silenced(t: Test, app: FastifyInstance, silence: Silence, send: () => ReturnType<typeof get>) {
  line.stallAt(silence.text, silence.when)
  const answer = await promised(t, send)
  t.match(answer, { statusCode: 503, headers: { 'retry-after': String } })
  t.ok(line.isStalled(), 'the moment came')
  line.release()
  const UNDER_WAY = "select 1 from pg_stat_activity where application_name = 'svc' and xact_start is not null"
  await until(async () => (await direct.query(UNDER_WAY)).rowCount === 0)
  await until(async () => (await get(app, '/readyz')).statusCode === 200)
}

const get = (app: FastifyInstance, url: string) => app.inject({ url })

/** How many rows there are. */
async function count(table: string, where: string, value: string): Promise<number> {
  return (await direct.query(`select 1 from ${table} where ${where} = $1`, [value])).rowCount ?? 0
}

/** A service that reaches Postgres by the line, with Ann signed in. */
async function open(t: Test, env: Record<string, string>) {
  const app = await build(t, { env: { DATABASE_URL, ...env } })
  const { assistant, id: ann } = await assistantOf(app)
  return { app, assistant, ann }
}

t.test('with Redis', async t => {
  const { app, assistant, ann } = await open(t, { REDIS_URL: await redisUrl() })
  const { browser } = assistant

  t.test('a Safe that is created', async t => {
    for (const silence of [{ text: 'into "memberships"', when: 'before', done: false } as const, ...COMMIT]) {
      const name = crypto.randomUUID()
      await silenced(t, app, silence, () => browser.submit('/safes', '/safes', { name }))
      const [id] = (await direct.query('select id from safes where name = $1', [name])).rows
      if (silence.done !== 'perhaps') t.equal(Boolean(id), silence.done)
      if (id) t.equal(await count('memberships', 'safe_id', id.id), 1, 'with its owner')
      t.equal(
        (await browser.submit('/safes', '/safes', { name })).statusCode,
        303,
        'nothing is left in the way',
      )
    }
  })

  t.test('an import that is committed', async t => {
    for (const silence of COMMIT) {
      const { id: safeId } = await app.safes.create(ann, 'Safe')
      const { id } = await app.safes.imports.add(ann, safeId, file('p.nt', people(20), { commit: false }))
      const page = `/safes/${safeId}/imports/${id}`
      const commit = () => browser.submit(page, `${page}/commit`)
      await silenced(t, app, silence, commit)
      const after = await app.safes.imports.find(ann, safeId, id)
      if (silence.done === true) t.equal(after?.status, 'committed')
      if (after?.status === 'staged') t.equal((await commit()).statusCode, 303)
      t.match(await app.safes.questions.ask(ann, safeId, { query: 'Whom does Person 7 know?' }), {
        facts: [{ object: 'Person 8' }],
      })
      t.equal((await app.safes.membership(ann, safeId))?.version, 1, 'it became visible once')
    }
  })

  t.test('a connection that is approved', async t => {
    for (const silence of [{ text: 'into "connections"', when: 'after', done: false } as const, ...COMMIT]) {
      const page = await assistant.consentPage()
      await silenced(t, app, silence, () => assistant.decide(page, { decision: 'approve' }))
      const shown = await app.oauth.connections.listFor(ann)
      t.ok(
        shown.every(({ ended }) => ended),
        'what was not approved is not shown as if it worked',
      )
    }
  })
})

t.test(
  'alone: a refresh token that is rotated; asked again, its client gets the one pair there is',
  async t => {
    const { assistant, app } = await open(t, {})
    for (const silence of COMMIT) {
      const { access_token, refresh_token } = await assistant.connect()
      await silenced(t, app, silence, () => assistant.refresh(refresh_token))
      const again = await assistant.refresh(refresh_token)
      t.equal(again.statusCode, 200)
      t.match((await assistant.refresh(refresh_token)).json(), { error: 'invalid_grant' }, 'answered once')
      t.ok(await assistant.works(again.json().access_token))
      t.equal(
        await count('access_tokens', 'connection_id', access_token.split('_')[2] ?? ''),
        2,
        'spent once',
      )
    }
  },
)

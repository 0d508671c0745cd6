import { mock } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import t, { type Test } from 'tap'
import { KEEP_ENDED_DAYS, markExpiredConnections } from '../../../domain/oauth/connections/expire.js'
import { ConnectionStore } from '../../../domain/oauth/stores/connection.sql.js'
import { SqlGrantStore } from '../../../domain/oauth/stores/grant.sql.js'
import { sweepEndedConnections } from '../../../domain/oauth/stores/sweep-expired.js'
import { DAY_MS, MINUTE_MS } from '../../../platform/common/durations.js'
import { build, testClock } from '../../helper.js'
import { noActivity } from '../../no-activity.js'
import { rounds } from '../../rounds.js'
import { Browser, hiddenFields, PASSWORD } from '../pages/browser.js'
import { assistantOf } from './assistant.js'

/** In the deep tests more than the maximum number of parameters in one statement. */
const CONNECTIONS = rounds(2_000, 33_000)

/** Adds connections of an account, created one second apart, with their grants in SQL. */
async function addMany(db: Kysely<never>, accountId: string, count: number, from = 1_000_000): Promise<void> {
  const n = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`
  const at = sql`cast(i as bigint) * 1000 + ${sql.lit(from)}`
  const key = sql`substr(cast(10000000000 + i as text), 2)`
  await sql`${n} insert into connections (id, account_id, client_id, client_name, client_verified, redirect_host,
    scope, resource, resource_sent, only_chosen_safe, created_at, calls)
    select ${key}, ${sql.lit(accountId)}, 'client', 'App ' || i, 0, 'app.example', 'vault:read', 'user', 1, 0, ${at}, 0
    from n`.execute(db)
  await sql`${n} insert into grants (connection_id, facts_json, code_expires_at, refresh_generation,
    refresh_expires_at, rotated_at, expires_at)
    select ${key}, '{}', 0, 1, 9000000000000, 0, 9000000000000 from n`.execute(db)
}

async function open(t: Test, count: number) {
  const app = await build(t)
  const browser = new Browser(app)
  await browser.signIn('ann@a.example')
  const ann = (await app.accounts.findByEmail('ann@a.example'))?.id ?? ''
  await app.database.write(trx => addMany(trx as never, ann, count))
  return { app, browser, ann }
}

t.test(`of ${CONNECTIONS} connections each can be found and ended, and all of them`, async t => {
  const { app, browser, ann } = await open(t, CONNECTIONS)
  const { connectionId, accessToken } = await app.oauth.issueTokens(ann, { clientName: 'The one' })
  t.ok(await app.oauth.authenticate(accessToken, null))
  const page = await browser.get('/connections')
  t.equal(page.statusCode, 200)
  t.ok(page.body.length < 120_000, `${page.body.length} bytes`)
  t.match(page.body, /The one/, 'the newest comes first')
  const next = /href="(\/connections\?after=\w+)"/.exec(page.body)?.[1] ?? ''
  const second = await browser.get(next)
  t.equal(second.statusCode, 200)
  t.match(second.body, new RegExp(`App ${CONNECTIONS - 49}`), 'and the page after it goes on')

  const found = await browser.get('/connections?q=app+1337')
  t.match(found.body, /App 1337</)
  t.notMatch(found.body, /App 1336</)
  t.match((await browser.get('/connections?q=nothing+like+this')).body, /No connection matches/)
  const revoke = `/connections/${connectionId}/revoke`
  t.equal((await browser.post(revoke, hiddenFields(page.body, revoke))).statusCode, 303)
  t.equal(await app.oauth.authenticate(accessToken, null), null)

  const { accessToken: other } = await app.oauth.issueTokens(ann, { clientName: 'Another' })
  const all = '/connections/revoke-all'
  t.equal((await browser.submit(all, all)).statusCode, 303)
  t.equal(await app.oauth.authenticate(other, null), null)
  t.same(await app.oauth.connections.listFor(ann, { kind: 'open' }), [])
  const after = await browser.get('/connections')
  t.match(after.body, /No assistant is connected yet/)
  t.match(after.body, /All ended connections/)
  t.equal((await browser.get('/connections?ended=1')).body.match(/You disconnected it/g)?.length, 50)
})

t.test('ended connections are deleted after 90 days', async t => {
  const { app, ann } = await open(t, 1_000)
  const { database } = app
  const connections = new ConnectionStore(database)
  const now = 400 * DAY_MS
  const ids = async () => (await app.oauth.connections.listFor(ann, { limit: 2_000 })).map(({ id }) => id)
  const [newest = '', ...rest] = await ids()
  const ended = rest.slice(0, 500)
  for (let at = 0; at < 500; at += 100)
    await connections.markRevoked(ended.slice(at, at + 100), now - KEEP_ENDED_DAYS * DAY_MS, 'x')
  await connections.markRevoked([newest], now - KEEP_ENDED_DAYS * DAY_MS + 1, 'x')
  await sweepEndedConnections(database, now - KEEP_ENDED_DAYS * DAY_MS)
  t.same(await ids(), [newest, ...rest.slice(500)], 'the one that ended a moment later stays')
})

t.test('what expires counts as ended, and is forgotten 90 days later', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  const clock = testClock(Date.now())
  const app = await build(t, { clock })
  // Before the service stops, because clearing mocked intervals fails when there are several (Node 20).
  t.teardown(() => mock.timers.reset())
  await app.listen({ host: '127.0.0.1', port: 0 })
  /** Runs a sweep and waits until its effect is visible. */
  const sweep = async (until: () => Promise<boolean>) => {
    mock.timers.tick(10 * MINUTE_MS)
    for (let i = 0; i < 1_000 && !(await until()); i++) await pause(5)
  }
  const { assistant, id: ann } = await assistantOf(app)
  const { refresh_token } = await assistant.connect()
  await app.oauth.issueTokens(ann, { clientName: 'an hour' })
  const list = async (kind: 'open' | 'ended') =>
    (await app.oauth.connections.listFor(ann, { kind })).map(({ clientName }) => clientName)

  clock.now += 2 * 60 * MINUTE_MS
  await sweep(async () => (await list('ended')).length > 0)
  t.same([await list('open'), await list('ended')], [['Assistant'], ['an hour']])
  clock.now += 80 * DAY_MS
  t.equal((await assistant.refresh(refresh_token)).statusCode, 200, 'used in time, it goes on')
  // Marked as ended after what is too old was deleted.
  const { id: ben } = await app.accounts.add('ben@a.example', PASSWORD)
  await app.oauth.issueTokens(ben, { clientName: 'an hour' })
  const marked = async () => (await app.oauth.connections.listFor(ben, { kind: 'ended' })).length > 0
  clock.now += 9 * DAY_MS
  await sweep(marked)
  t.same([await list('open'), await list('ended')], [['Assistant'], ['an hour']])
  clock.now += DAY_MS
  await sweep(async () => (await list('ended')).length === 0)
  t.same([await list('open'), await list('ended')], [['Assistant'], []], '90 days after its end')
  clock.now += 81 * DAY_MS
  await sweep(async () => (await list('ended')).length > 0)
  t.same([await list('open'), await list('ended')], [[], ['Assistant']])
  const [ended] = await app.oauth.connections.listFor(ann)
  t.match(ended, { ended: true, revokedAt: clock.now, revokedReason: /expired/ })
  clock.now += 90 * DAY_MS
  await sweep(async () => (await list('ended')).length === 0)
  t.same(await app.oauth.connections.listFor(ann), [])
})

t.test('connections that expired while no service ran are deleted 180 days later at the latest', async t => {
  const { app, ann } = await open(t, 1_000)
  const { database } = app
  const stores = {
    ...noActivity,
    connections: new ConnectionStore(database),
    grants: new SqlGrantStore(database),
  }
  const now = 400 * DAY_MS
  const list = async (kind: 'open' | 'ended') =>
    (await app.oauth.connections.listFor(ann, { kind, limit: 2_000 })).map(({ id }) => id)
  // Recently used; still active; never used and expired.
  const [lately = '', works = '', ...expired] = await list('open')
  await stores.connections.recordUse([{ connectionId: lately, calls: 1, at: now - 100 * DAY_MS }])
  await stores.grants.revokeAll([lately])
  for (let at = 0; at < expired.length; at += 100) await stores.grants.revokeAll(expired.slice(at, at + 100))
  await markExpiredConnections(stores, now)
  t.same([await list('open'), await list('ended')], [[works], [lately]])
})

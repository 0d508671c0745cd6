import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { revocationReasons } from '../../../domain/oauth/connections/connection.js'
import { activityTexts } from '../../../views/texts/activity.js'
import { homeTexts } from '../../../views/texts/home.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { build, testClock } from '../../helper.js'
import { rpc } from '../../unit/mcp/domain.js'
import { fill as fillSafe } from '../mcp/service.js'
import { assistantOf } from '../oauth/assistant.js'
import { fact, jsonl } from './filled.js'
import { signedIn } from './open.js'

const DAY = 24 * 3_600_000

/** Ann, signed in, with a Safe. */
async function open(t: Test, env: Record<string, string> = {}) {
  const clock = testClock(Date.now())
  const app = await build(t, { clock, env })
  const { browser, id } = await signedIn(app, 'ann@a.example')
  const safe = await app.safes.create(id, 'Harbour <b>')
  await fillSafe(app, id, safe.id)
  const page = async (url = '/') => {
    await app.activity.flush()
    return (await browser.get(url)).body
  }
  return { app, clock, browser, id, safe, page }
}

/** Connects an assistant of an account. */
const connect = (app: FastifyInstance, id: string, clientName = 'Claude') =>
  app.oauth.issueTokens(id, { clientName, grant: {} })

const question = (app: FastifyInstance, token: string, query: string, safe: string) =>
  app.inject({
    method: 'POST',
    url: '/mcp/v1',
    headers: { authorization: `Bearer ${token}` },
    payload: rpc(1, 'tools/call', { name: 'svc', arguments: { query, safe } }),
  })

t.test('home shows the first steps until an assistant is connected and a question was asked', async t => {
  const { app, browser, id, safe, page } = await open(t)
  t.match(await page(), homeTexts.start.heading)
  await browser.get(`/safes/${safe.id}?q=Ada`)
  t.match(await page(), homeTexts.start.heading, 'asked, but not connected')
  const { connectionId } = await connect(app, id)
  const body = await page()
  t.notMatch(body, homeTexts.start.heading)
  t.match(body, `<a class="button secondary" href="/start#connect">${homeTexts.connectAnother}</a>`)
  t.match(await page('/start'), homeTexts.start.heading)
  await app.oauth.connections.revoke(id, connectionId)
  t.notMatch(await page(), homeTexts.start.heading, 'an ended connection was one')
})

t.test('the first steps count only the Safes that they show (DESIGN §6)', async t => {
  const { app, id, page } = await open(t)
  for (let i = 0; i < 9; i++) await app.safes.create(id, `Safe ${i}`)
  await app.database.write(trx => trx.updateTable('safes').set({ version: 1, counted_version: -1 }).execute())
  t.match(await page(), '<option value=', 'all can be asked')
  const left = await app.database.read
    .selectFrom('safes')
    .where('counted_version', '=', -1)
    .select('id')
    .execute()
  t.equal(left.length, 5)
})

t.test('a question of an assistant counts, also after it has expired', async t => {
  const { app, id, safe, page, clock } = await open(t)
  const { accessToken } = await connect(app, id)
  t.match(await page(), homeTexts.start.heading, 'connected, but nothing was asked')
  await question(app, accessToken, 'What does Ada work on?', safe.id)
  t.notMatch(await page(), homeTexts.start.heading)
  clock.now += 29 * DAY
  await page()
  clock.now += 2 * DAY
  await connect(app, id)
  t.notMatch(await page(), homeTexts.start.heading)
})

t.test('home lists Safes by their last use, with what happened', async t => {
  const { app, browser, id, safe, page, clock } = await open(t)
  const garden = await app.safes.create(id, 'Garden')
  await fillSafe(app, id, garden.id)
  const { accessToken } = await connect(app, id)
  await browser.get(`/safes/${safe.id}?q=Ada`)
  const tiles = async () => [...(await page()).matchAll(/<strong><bdi>(.*?)<\/bdi>/g)].map(([, name]) => name)
  t.same(await tiles(), ['Garden', 'Harbour &lt;b&gt;'])
  clock.now += 60_000
  await question(app, accessToken, 'What does Ada work on?', safe.id)
  t.same(await tiles(), ['Harbour &lt;b&gt;', 'Garden'])
  clock.now += 4 * 60_000
  const body = await page()
  t.match(
    body.replace(/\s+/g, ' '),
    `<bdi>Claude read</bdi> <a href="/safes/${safe.id}/things/ada"><bdi>Ada</bdi></a>`,
  )
  t.match(body, '4 min ago</time>')
  t.match(body, 'memory.jsonl added (+2)')
  t.match(body, '<a href="/activity">All activity</a>')
})

t.test('home names what waits for a decision, and rejected files until they are dismissed', async t => {
  const { app, browser, id, safe, page, clock } = await open(t)
  await browser.get(`/safes/${safe.id}?q=Ada`)
  await connect(app, id)
  t.notMatch(await page(), homeTexts.decisions)
  const upload = (source: string, bytes = jsonl(fact('Ann', source))) =>
    app.safes.imports.add(id, safe.id, { source, bytes, commit: false })
  const staged = await upload('waits.jsonl')
  const failed = await upload('broken <i>.jsonl', jsonl({ type: 'entity' }))
  t.equal(failed.status, 'failed')
  const bob = await app.accounts.add('bob@a.example', 'correct horse battery')
  await app.safes.members.share(id, safe.id, bob.id, 'reader')
  const body = await page()
  t.match(body, `href="/safes/${safe.id}/imports/${staged.id}"><bdi>waits.jsonl</bdi>`)
  t.match(body, `<span class="tag warn">${importsTexts.states.staged}</span>`)
  const part = async (name: string) =>
    new RegExp(`<h2 id="${name}">.*?</section>`, 's').exec(await page())?.[0] ?? ''
  t.notMatch(await part('decisions'), 'broken', 'a rejected file is no decision')
  const rejected = await part('rejected')
  t.match(rejected, `href="/safes/${safe.id}/imports/${failed.id}"><bdi>broken &lt;i&gt;.jsonl</bdi>`)
  t.match(rejected, 'Harbour &lt;b&gt; · 1 line could not be read')
  const dismissed = await browser.submit('/', `/safes/${safe.id}/imports/${failed.id}/undo`)
  t.match(dismissed, { statusCode: 303, headers: { location: '/' } }, 'dismissed on the home page')
  t.equal(await part('rejected'), '')
  t.match(await part('decisions'), 'waits.jsonl')
  await app.safes.imports.commit(id, safe.id, staged.id)
  t.notMatch(await page(), homeTexts.decisions)
  await upload('old.jsonl', jsonl({ type: 'entity' }))
  t.match(await part('rejected'), 'old.jsonl')
  clock.now += 7 * DAY + 1
  t.equal(await part('rejected'), '', 'rejected long ago')
})

t.test('S2 imports of a Safe that one no longer owns are not named', async t => {
  const { app, browser, id, safe, page } = await open(t)
  await browser.get(`/safes/${safe.id}?q=Ada`)
  await connect(app, id)
  const bob = await app.accounts.add('bob@a.example', 'correct horse battery')
  await app.safes.members.share(id, safe.id, bob.id, 'owner')
  await app.safes.imports.add(id, safe.id, {
    source: 'mine.jsonl',
    bytes: jsonl(fact('A', 'B')),
    commit: false,
  })
  t.match(await page(), homeTexts.decisions)
  await app.safes.members.changeRole(bob.id, safe.id, id, 'reader')
  t.notMatch(await page(), homeTexts.decisions)
})

t.test('home asks to connect an assistant again whose key was used twice, until it is connected', async t => {
  const clock = testClock(Date.now())
  const app = await build(t, { clock })
  const { assistant, id } = await assistantOf(app)
  const safe = await app.safes.create(id, 'Harbour')
  await fillSafe(app, id, safe.id)
  await assistant.browser.get(`/safes/${safe.id}?q=Ada`)
  const { refresh_token } = await assistant.connect()
  await assistant.refresh(refresh_token)
  clock.now += 60_000
  await assistant.refresh(refresh_token)
  const { body } = await assistant.browser.get('/')
  t.match(body, '<a href="/start#connect"><bdi>Connect Assistant again</bdi></a>')
  t.match(body, revocationReasons.refreshReused)
  clock.now += 1000
  await assistant.connect()
  t.notMatch((await assistant.browser.get('/')).body, homeTexts.decisions)
})

t.test('the navigation counts what is new until the activity page is opened', async t => {
  const { app, browser, id, page } = await open(t)
  await page('/activity')
  const badge = async (url = '/safes') => /class="badge">([^<]*)</.exec(await page(url))?.[1]
  t.equal(await badge(), undefined)
  await connect(app, id)
  await app.activity.flush()
  t.equal(await badge(), '1 new')
  t.equal(await badge('/activity?kind=question'), '1 new', 'which is not what is looked for')
  await browser.send({ method: 'HEAD', url: '/activity' })
  t.equal(await badge('/account'), '1 new')
  const seen = await page('/activity')
  t.match(seen, activityTexts.news)
  t.match(seen, 'Claude · Connected')
  t.notMatch(seen, 'class="badge"')
  t.equal(await badge(), undefined)
  t.notMatch(await page('/activity'), activityTexts.news)
  for (let i = 0; i < 101; i++) app.activity.record({ kind: 'import-failed', accountId: id })
  await app.activity.flush()
  t.equal(await badge(), '99+ new')
})

t.test('pages of a Safe say who read a thing, and what happened last', async t => {
  const { app, id, safe, page } = await open(t)
  const thing = `/safes/${safe.id}/things/ada`
  t.match(await page(thing), thingsTexts.thing.unread(thingsTexts.thing.lately(7)))
  const { accessToken, connectionId } = await connect(app, id, 'Claude <i>')
  for (const query of ['What does Ada work on?', 'Ada']) await question(app, accessToken, query, safe.id)
  await question(app, accessToken, 'zebra', safe.id)
  const body = (await page(thing)).replace(/\s+/g, ' ')
  t.match(
    body,
    `<a href="/safes/${safe.id}/activity?kind=question&amp;connection=${connectionId}"><bdi>Claude &lt;i&gt;</bdi></a>, 2×`,
  )
  t.match(body, thingsTexts.thing.lately(7))
  const asked = (await page(`/safes/${safe.id}`)).replace(/\s+/g, ' ')
  t.match(asked, 'Claude &lt;i&gt; found nothing')
  t.match(asked, `<bdi>Claude &lt;i&gt; read</bdi> <a href="${thing}"><bdi>Ada</bdi></a>`)
  t.match(asked, /<time class="muted small" datetime="\d{4}-[^"]*Z">just now<\/time>/)
  t.notMatch(await page(`/safes/${safe.id}?q=Ada`), `<h2 id="recent">`)
})

t.test('nothing is said about reads where no activity is recorded', async t => {
  const { page, safe } = await open(t, { ACTIVITY_DAYS: '0' })
  t.notMatch(await page(`/safes/${safe.id}/things/ada`), /[Rr]ead by/)
})

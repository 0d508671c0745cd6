import { parse } from 'csv-parse/sync'
import t, { type Test } from 'tap'
import { ConnectionStore } from '../../../domain/oauth/stores/connection.sql.js'
import { build } from '../../helper.js'
import { buildService, fill } from '../mcp/service.js'
import { assistantOf } from '../oauth/assistant.js'
import { Browser, PASSWORD } from './browser.js'
import { signedIn } from './open.js'

/** Ann and Bob, signed in, with an assistant each; Bob may read Ann's Safe. */
async function open(t: Test) {
  const { app, issue, poster } = await buildService(t)
  const [ann, bob] = [await signedIn(app, 'anna@safes.example'), await signedIn(app, 'bobby@safes.example')]
  const safe = await app.safes.create(ann.id, 'Lighthouse <b>')
  await fill(app, ann.id, safe.id)
  await app.safes.members.share(ann.id, safe.id, bob.id, 'reader')
  const claude = await issue(ann.id, { chosenSafeIds: [safe.id] }, { clientName: 'Claude <i>' })
  const cursor = await issue(bob.id, { chosenSafeIds: [safe.id] }, { clientName: 'Cursor' })
  const ask = async (connection: typeof claude, query: string) => {
    await poster(connection).tool('svc', { query })
    await app.activity.flush()
  }
  const path = `/safes/${safe.id}/activity`
  return { app, ann, bob, safe, claude, cursor, ask, path }
}

t.test('S2 activity is shown to whom it belongs, and owners see reads of their Safes', async t => {
  const { app, ann, bob, claude, cursor, ask, path, safe } = await open(t)
  await ask(claude, 'What does Ada work on?')
  await ask(cursor, 'Who designed the harbour crane?')
  const [own, owners, readers] = await Promise.all([
    ann.browser.get('/activity'),
    ann.browser.get(path),
    bob.browser.get(path),
  ])
  t.match(own.body, 'What does Ada work on?')
  t.notMatch(own.body, 'harbour crane')
  t.match(owners.body, /What does Ada work on\?/)
  t.match(owners.body, /Who designed the harbour crane\?/)
  t.match(owners.body, 'bobby@safes.example')
  t.match(owners.body, 'Cursor')
  t.notMatch(readers.body, /What does Ada work on|anna@safes\.example|Claude/)
  t.match(readers.body, /Who designed the harbour crane\?/)

  const eve = await signedIn(app, 'eve@safes.example')
  const filter = `connection=${claude.connectionId}&safe=${safe.id}`
  for (const url of ['/activity', `/activity?${filter}`, '/activity.csv', `/activity.csv?${filter}`])
    t.notMatch((await eve.browser.get(url)).body, /Lighthouse|Claude|Cursor|Ada/, url)
  t.equal((await new Browser(app).get('/activity')).statusCode, 303)

  await app.safes.members.unshare(ann.id, safe.id, bob.id)
  await app.activity.flush()
  t.notMatch((await bob.browser.get('/activity')).body, /Lighthouse|harbour crane/)
})

t.test('an entry opens to what was read, with links to the things', async t => {
  const { ann, claude, ask, safe } = await open(t)
  await ask(claude, 'What does Ada work on?')
  const { body } = await ann.browser.get('/activity')
  const [details = ''] = /<details>.*?<\/details>/s.exec(body) ?? []
  t.match(details, `<a href="/safes/${safe.id}/things/ada">Ada</a>`)
  t.match(details, `<a href="/safes/${safe.id}/things/harbour%20project">Harbour project</a>`)
  t.match(details, 'works on')
  t.match(details, `/safes/${safe.id}/documents/memory.jsonl#p-1`)
  t.match(body, `<a href="/activity?connection=${claude.connectionId}">Claude &lt;i&gt;</a>`)
  t.match(body, 'Lighthouse &lt;b&gt;')
  t.match(body, '1 fact, 1 passage')
})

t.test('an answer that is too long to keep says so', async t => {
  const { app, ann, claude, safe } = await open(t)
  const read = { safeId: safe.id, facts: 50, passages: 2, readJson: '[["Ada","knows","Bo"]]' }
  app.activity.record({ kind: 'question', accountId: ann.id, connectionId: claude.connectionId, ...read })
  await app.activity.flush()
  t.match((await ann.browser.get('/activity')).body, '51 more facts and passages are not listed.')
})

t.test('activity is filtered by kind, assistant and Safe, and paged', async t => {
  const { app, ann, claude, ask, safe } = await open(t)
  for (let i = 0; i < 120; i++) {
    app.activity.record({ kind: 'exported', accountId: ann.id, safeId: safe.id, detail: `format${i}` })
  }
  await ask(claude, 'What does Ada work on?')
  const get = async (url: string) => (await ann.browser.get(url)).body
  const count = (body: string) => body.match(/class="entry"/g)?.length ?? 0
  const link = (body: string, label: string) =>
    new RegExp(`href="([^"]*)">${label}`).exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const first = await get('/activity')
  t.equal(count(first), 50)
  const second = await get(link(first, 'Show more'))
  const third = await get(link(second, 'Show more'))
  t.equal(count(second), 50)
  t.equal(link(third, 'Show more'), '')
  t.equal(link(third, 'Back to the beginning'), '/activity')
  const shown = [first, second, third].flatMap(body => body.match(/As format\d+/g) ?? [])
  t.equal(new Set(shown).size, 120)
  t.equal(shown.length, 120)

  const questions = await get('/activity?kind=question&connection=&safe=')
  t.equal(count(questions), 1)
  t.match(questions, /<option value="question" selected>/)
  t.equal(count(await get(`/activity?connection=${claude.connectionId}`)), 2, 'connected, asked')
  t.equal(count(await get('/activity?kind=denied')), 0)
  t.match(await get('/activity?kind=denied'), 'No activity matches.')
  const exports = await get(`/activity?kind=exported&safe=${safe.id}`)
  t.match(link(exports, 'Show more'), new RegExp(`^/activity\\?kind=exported&safe=${safe.id}&after=\\w{22}$`))
  t.equal((await ann.browser.get('/activity?kind=nonsense')).statusCode, 400)
  t.equal((await ann.browser.get("/activity?connection='x")).statusCode, 400)
})

t.test('activity is downloaded as CSV, without formulas', async t => {
  const { app, ann, claude, ask, path } = await open(t)
  for (let i = 0; i < 600; i++) app.activity.record({ kind: 'exported', accountId: ann.id, detail: '=1+1' })
  await ask(claude, '=HYPERLINK("https://evil.example") What does Ada work on?')
  const response = await ann.browser.get('/activity.csv')
  t.match(response.headers['content-type'], 'text/csv')
  t.match(response.headers['content-disposition'], 'attachment')
  const rows: Record<string, string>[] = parse(response.body, { columns: true })
  t.equal(rows.length, 604, 'sign-in, import, connect, 600 exports, question')
  t.match(rows[0], {
    account: 'anna@safes.example',
    what: 'Question',
    assistant: 'Claude <i> (unverified)',
    safe: 'Lighthouse <b>',
    question: '\'=HYPERLINK("https://evil.example") What does Ada work on?',
    facts: '1',
    read: 'Ada works on Harbour project; Ada',
  })
  const cells = rows.flatMap(row => Object.values(row))
  t.strictSame(
    cells.filter(cell => /^[=+\-@]/.test(cell)),
    [],
  )
  const filtered = await ann.browser.get(`${path}.csv?kind=question`)
  t.equal(parse(filtered.body).length, 2, 'a header and one question')
})

t.test('the questions of a connection are kept or not, as its user decides', async t => {
  const { ann, bob, claude, ask } = await open(t)
  const own = `/connections/${claude.connectionId}`
  const action = `${own}/questions`
  t.match((await ann.browser.get(own)).body, 'Stop keeping the questions of Claude &lt;i&gt;')
  t.equal((await ann.browser.submit(own, action)).statusCode, 303)
  const page = await ann.browser.get(own)
  t.match(page.body, 'Keep the questions of Claude &lt;i&gt;')
  t.match(page.body, 'not kept')
  await ask(claude, 'What does Ada work on?')
  const { body } = await ann.browser.get('/activity')
  t.match(body, '1 fact, 1 passage')
  t.notMatch(body, 'What does Ada work on?')
  t.equal((await ann.browser.submit(own, action)).statusCode, 303)
  await ask(claude, 'And Harbour project?')
  t.match((await ann.browser.get('/activity')).body, 'And Harbour project?')
  t.equal((await bob.browser.post(action, { keep: 'no' })).statusCode, 403, 'RULES C1')
})

t.test('a connection shows its calls a day', async t => {
  const { app, ann, claude } = await open(t)
  const own = `/connections/${claude.connectionId}`
  t.notMatch((await ann.browser.get(own)).body, '<rect')
  const use = { connectionId: claude.connectionId, calls: 1234, at: Date.now() }
  await new ConnectionStore(app.database).recordUse([use])
  const { body } = await ann.browser.get(own)
  t.match(body, /<svg viewBox="0 0 298 41" role="img" aria-labelledby="calls-\w+-title calls-\w+-text">/)
  t.match(body, '1,234 calls in the last 30 days; most today (1,234).')
  t.equal(body.match(/<rect/g)?.length, 1)
})

t.test('wrong passwords and refused assistants stand out', async t => {
  const { app, ann } = await open(t)
  await app.accounts.passwords.signIn('anna@safes.example', `not ${PASSWORD}`, '203.0.113.9')
  await app.activity.flush()
  const { body } = await ann.browser.get('/activity')
  t.match(body, '<span class="tag warn">Wrong password</span>')
  t.match(body, 'From 203.0.113.9')
})

t.test('the consent page says that questions are kept, unless nothing is', async t => {
  for (const [days, says] of [
    ['30', true],
    ['0', false],
  ] as const) {
    const app = await build(t, { env: { ACTIVITY_DAYS: days } })
    const { assistant } = await assistantOf(app, 'anna@safes.example')
    const { body } = await assistant.browser.get(await assistant.consentPage())
    t.equal(body.includes('can see its questions under Activity'), says, days)
    const [, , connectionId] = (await assistant.connect()).access_token.split('_')
    const page = await assistant.browser.get(`/connections/${connectionId}`)
    t.equal(page.body.includes('Stop keeping the questions of Assistant'), says)
    t.equal((await assistant.browser.get('/activity')).body.includes('not recorded on this service'), !says)
  }
})

t.test('activity is filtered by days of the zone of the reader, which its browser tells', async t => {
  const { app, ann, safe } = await open(t)
  const at = (time: string, detail: string) => ({
    ...{ id: `${Date.parse(time)}0000x`, account_id: ann.id, kind: 'exported', safe_id: safe.id },
    ...{ connection_id: null, detail, facts: 0, passages: 0, question: null, read_json: null },
  })
  const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const rows = [
    at(`${day(3)}T22:30:00Z`, 'late'),
    at(`${day(3)}T12:00:00Z`, 'noon'),
    at(`${day(5)}T12:00:00Z`, 'first'),
  ]
  await app.database.write(trx => trx.insertInto('activity').values(rows).execute())
  const shown = async (query: string) =>
    [...(await ann.browser.get(`/activity?kind=exported&${query}`)).body.matchAll(/As (\w+)/g)].map(
      ([, name]) => name,
    )
  t.same(await shown(''), ['late', 'noon', 'first'])
  t.same(await shown(`from=${day(4)}&to=`), ['late', 'noon'])
  t.same(await shown(`from=${day(3)}&to=${day(3)}`), ['late', 'noon'], 'both days are included')
  t.same(await shown(`to=${day(4)}`), ['first'])
  const csv = await ann.browser.get(`/activity.csv?kind=exported&to=${day(4)}`)
  t.equal(parse(csv.body).length, 2)
  ann.browser.cookies.set('zone', 'Europe/Moscow')
  t.same(await shown(`from=${day(3)}&to=${day(3)}`), ['noon'], 'half past one on the next day in Moscow')
  t.equal((await ann.browser.get('/activity?from=yesterday')).statusCode, 400)
  t.equal((await ann.browser.get('/activity?from=2026-99-99&to=2026-02-31')).statusCode, 200)
})

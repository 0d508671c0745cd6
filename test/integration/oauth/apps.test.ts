import t, { type Test } from 'tap'
import { connectionsTexts } from '../../../views/texts/connections.js'
import type { FormFields } from '../pages/browser.js'
import { type Assistant, BASE } from './assistant.js'
import { startSignedIn } from './signed-in.js'

const DAY = 86_400_000
const CLAUDE = 'https://claude.ai/api/mcp/auth_callback'
const CHATGPT = 'https://chatgpt.com/connector_platform_oauth_redirect'
const code = (location: unknown) => new URL(String(location)).searchParams.get('code') ?? ''

/** An account whose assistants register each time that they connect, as hosted ones do. */
async function start(t: Test) {
  const service = await startSignedIn(t)
  const { app, assistant, ann } = service
  const safes: string[] = []
  for (const name of ['Attic', 'Barn', 'Cellar']) safes.push((await app.safes.create(ann.id, name)).id)
  /** Registers and opens the consent page. */
  const ask = async (client_name: string, redirect_uri: string) => {
    const registered = await assistant.register({ client_name, redirect_uris: [redirect_uri] })
    assistant.clientId = registered.json().client_id
    const page = await assistant.consentPage({ redirect_uri })
    return { page, body: (await assistant.browser.get(page)).body }
  }
  const connect = async (client_name: string, redirect_uri: string, choice: FormFields = {}) => {
    // One after the other, because the last one counts.
    service.clock.now += 1000
    const { page } = await ask(client_name, redirect_uri)
    const { headers, body } = await assistant.decide(page, { decision: 'approve', ...choice })
    // A private scheme is opened by a link on a page (C5).
    const target = headers.location ?? body.match(/href="(com\.[^"]+)"/)?.[1]?.replaceAll('&amp;', '&')
    const tokens = (await assistant.redeem(code(target), { redirect_uri })).json()
    return { ...tokens, id: String(tokens.access_token).split('_')[2], clientId: assistant.clientId }
  }
  const rows = () => app.oauth.connections.rows(ann.id, { kind: 'open' })
  return { ...service, safes, ask, connect, rows }
}

const works = async (assistant: Assistant, ...tokens: { access_token: string }[]) =>
  Promise.all(tokens.map(({ access_token }) => assistant.works(access_token)))

t.test('C8 an app that the same account approved before gets its earlier choices filled in (UX)', async t => {
  const { app, ann, clock, assistant, safes, ask, connect } = await start(t)
  const [attic = '', barn = '', cellar = ''] = safes
  const ticked = { safe: [attic, barn], only: 'yes', propose: 'yes' }
  const first = await connect('Claude', CLAUDE, ticked)
  await app.oauth.connections.keepQuestions(ann.id, first.id, false)
  const isFilledIn = (body: string) => {
    for (const id of [attic, barn]) t.ok(body.includes(`name="safe" value="${id}" checked`))
    t.notOk(body.includes(`name="safe" value="${cellar}" checked`))
    t.match(body, /name="only" value="yes" checked/)
    t.match(body, /name="propose" value="yes" checked/)
    t.match(body, /You allowed this on/)
  }
  const isEmpty = (name: string, body: string) => {
    t.notMatch(body, /name="(?:safe|propose)" value="\w+" checked/, name)
    t.notMatch(body, /You allowed this on/, name)
  }
  isFilledIn((await ask('Claude', CLAUDE)).body)
  isEmpty('a name alone is another app', (await ask('Claude', 'https://evil.example/callback')).body)
  isEmpty('another app at that address', (await ask('Other', CLAUDE)).body)
  const other = await connect('Claude', CLAUDE, ticked)
  await app.oauth.connections.revoke(ann.id, other.id)
  t.match(
    await app.oauth.connections.find(other.id),
    { keepsQuestions: false },
    'what is kept stays chosen, too',
  )
  clock.now += 89 * DAY
  await assistant.browser.signIn('ann@a.example')
  isFilledIn((await ask('Claude', CLAUDE)).body)
  clock.now += 2 * DAY
  await assistant.browser.signIn('ann@a.example')
  isEmpty('90 days after it ended', (await ask('Claude', CLAUDE)).body)
})

t.test('C8 the Safes of a local program are filled in, whatever its port, and no powers (R6)', async t => {
  const { app, ann, safes, connect, ask } = await start(t)
  const [attic = ''] = safes
  for (const callback of ['http://localhost:3118/callback', 'com.example.notes:/callback']) {
    const first = await connect('Notes', callback, { safe: attic, propose: 'yes' })
    await app.oauth.connections.setPowers(ann.id, first.id, { hasSearch: true })
    const { body } = await ask('Notes', callback.replace('localhost:3118', '127.0.0.1:54545'))
    t.ok(body.includes(`name="safe" value="${attic}" checked`), callback)
    t.match(body, /You allowed this on .*?; your choice of Safes is filled in\./s)
    t.match(body, /name="propose" value="yes">/)
    t.match(body, /name="search" value="yes">/)
    const { body: other } = await ask('Notes', callback.replace('callback', 'other'))
    t.notOk(other.includes(`name="safe" value="${attic}" checked`), 'another path is another app')
  }
})

t.test('C8 a scope beyond reading is not filled in for an unverified app', async t => {
  const { assistant, clock } = await start(t)
  const redirect_uri = 'http://localhost:3118/callback'
  const registered = await assistant.register({ client_name: 'Script', redirect_uris: [redirect_uri] })
  assistant.clientId = registered.json().client_id
  const asked = { redirect_uri, resource: `${BASE}/api/v1`, scope: 'vault:read vault:write' }
  const consent = async () => assistant.consentPage(asked)
  await assistant.decide(await consent(), { decision: 'approve', scope: 'vault:write' })
  clock.now += 1000
  const { body } = await assistant.browser.get(await consent())
  t.match(body, /You allowed this on/)
  t.match(body, /name="scope" value="vault:write">/)
})

t.test('R5 who had “search” and “fetch” is asked about them again, ChatGPT included', async t => {
  const { app, ann, connect, ask } = await start(t)
  const hasSearch = async (id: string) => (await app.oauth.connections.findFor(ann.id, id)).hasSearch
  const first = await connect('ChatGPT', CHATGPT)
  t.ok(await hasSearch(first.id), 'given the first time')
  t.match((await ask('ChatGPT', CHATGPT)).body, /name="search" value="yes" checked/)
  t.notOk(await hasSearch((await connect('ChatGPT', CHATGPT, { search: 'no' })).id), 'taken away')
  t.match((await ask('ChatGPT', CHATGPT)).body, /name="search" value="yes">/)
  const claude = await connect('Claude', CLAUDE)
  t.notMatch((await ask('Claude', CLAUDE)).body, 'name="search"', 'others are not asked')
  await app.oauth.connections.setPowers(ann.id, claude.id, { hasSearch: true })
  t.match((await ask('Claude', CLAUDE)).body, /name="search" value="yes" checked/)
})

t.test('registrations of one app are one row, which ends, changes and shows all of them (UX)', async t => {
  const { app, ann, clock, assistant, safes, connect, rows } = await start(t)
  const [attic = '', barn = ''] = safes
  const { connections } = app.oauth
  const first = await connect('Claude', CLAUDE, { safe: [attic, barn], propose: 'yes' })
  const second = await connect('Claude', CLAUDE)
  const cursor = await connect('Cursor', 'http://localhost:8787/callback')
  clock.now += 1000
  const script = await app.oauth.issueTokens(ann.id, { clientName: 'Claude' })
  t.match(await rows(), [
    { id: script.connectionId, others: 0 },
    { id: cursor.id, others: 0 },
    { id: second.id, others: 1, othersDiffer: true, mayPropose: true },
  ])
  t.equal((await rows()).length, 3)
  t.strictSame(await works(assistant, first, second), [true, true], 'connecting again ends nothing')
  const list = (await assistant.browser.get('/connections')).body
  t.equal(list.match(/<bdi>Claude<\/bdi>/g)?.length, 2)
  t.ok(list.includes(connectionsTexts.others(1)))
  const page = (await assistant.browser.get(`/connections/${second.id}`)).body
  t.ok(page.includes(`href="/connections/${first.id}"`) && page.includes('only Attic, Barn'))

  await connections.setPowers(ann.id, second.id, { mayPropose: false })
  t.match(
    await connections.findFor(ann.id, first.id),
    { mayPropose: false },
    'what is taken is taken from all',
  )
  await connections.narrow(ann.id, second.id, { safeIds: [attic], only: true, scope: ['vault:read'] })
  for (const { id } of [first, second])
    t.match(await connections.findFor(ann.id, id), { chosenSafeIds: [attic] })
  const third = await connect('Claude', CLAUDE, { safe: barn, only: 'yes' })
  await connections.narrow(ann.id, first.id, { safeIds: [attic], only: true, scope: ['vault:read'] })
  t.strictSame(await works(assistant, first, third), [true, false], 'what has no Safe left has ended')

  const { statusCode } = await assistant.browser.submit('/connections', `/connections/${second.id}/revoke`)
  t.equal(statusCode, 303)
  t.strictSame(await works(assistant, first, second, cursor), [false, false, true])
  const ended = await connections.rows(ann.id, { kind: 'ended' })
  t.match(ended, [{ clientName: 'Claude' }], 'and is one row among those that ended')
  t.equal(ended.length, 1)
})

t.test('a list of thousands of connections lets other requests in (DESIGN §6)', async t => {
  const { app, ann, connect } = await start(t)
  const { id } = await connect('Claude', CLAUDE)
  const { read } = app.database
  const row = await read.selectFrom('connections').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
  const added = (id: string, app: string | null, age: number) => ({
    ...row,
    id,
    app,
    created_at: row.created_at - age,
  })
  const others = Array.from({ length: 5_000 }, (_, i) =>
    added(`many${String(i).padStart(18, '0')}`, row.app, -1),
  )
  const apps = [added('first', 'first', -2), added('last', 'last', DAY)]
  for (const slice of [apps, ...Array.from({ length: 50 }, (_, i) => others.slice(i * 100, i * 100 + 100))])
    await app.database.write(trx => trx.insertInto('connections').values(slice).execute())
  let [turns, isReading] = [0, true]
  const count = () => {
    turns++
    if (isReading) setImmediate(count)
  }
  setImmediate(count)
  const listed = await app.oauth.connections.listFor(ann.id, { kind: 'open', newestOfApp: true, limit: 4 })
  isReading = false
  t.strictSame(
    listed.map(({ id }) => id),
    ['first', others.at(-1)?.id, 'last'],
  )
  t.ok(turns >= 5, 'between pages of 1,000')
})

t.test('what works is seen, although a later connection of the same app has expired', async t => {
  const { clock, assistant, connect, rows } = await start(t)
  const daily = await connect('Claude', CLAUDE)
  const { clientId } = assistant
  await connect('Claude', CLAUDE)
  clock.now += 80 * DAY
  assistant.clientId = clientId
  t.equal((await assistant.refresh(daily.refresh_token)).statusCode, 200)
  clock.now += 20 * DAY
  t.match(await rows(), [{ id: daily.id, ended: false, others: 0 }])
})

import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { build, testClock } from '../../helper.js'
import { refused } from '../../written.js'
import { Browser, hiddenFields, PASSWORD, type Response } from './browser.js'
import { fill, multipart } from './filled.js'

const OWN = { origin: 'https://safes.example' }
const ANN = { email: 'ann@example.org', password: PASSWORD }

/** Ann's browser, whose session ended while a page was open. */
async function ended(app: FastifyInstance) {
  const browser = new Browser(app)
  const filled = await fill(app, browser)
  await browser.get('/')
  const tokenOf = async (page: string, action: string) =>
    hiddenFields((await browser.get(page)).body, action)._csrf ?? ''
  const end = () => app.accounts.records.endSessions(filled.ann.id)
  const login = async ({ headers }: Response, fields: Record<string, string> = ANN) =>
    browser.submit(String(headers.location), '/login', fields)
  return { ...filled, browser, tokenOf, end, login }
}

const names = async (app: FastifyInstance, accountId: string) =>
  (await app.safes.readableBy(accountId)).map(({ name }) => name)

t.test('a form whose session ended is shown again, filled in, after signing in (C1, C2)', async t => {
  const app = await build(t)
  const { browser, tokenOf, end, login, ann } = await ended(app)
  const _csrf = await tokenOf('/safes', '/safes')
  await end()
  const fields = { name: 'Boats & <b>sails</b>', _csrf }
  const sent = await refused(t, app, 'signed out', () => browser.post('/safes', fields, OWN))
  t.match(sent, { statusCode: 303, headers: { location: /^\/login\?form=[\w-]{60,}$/ } })
  t.notMatch(sent.headers.location, /Boats|sails/)
  t.match(
    (await browser.get(String(sent.headers.location))).body,
    /role="status">\s*<p>Your session has ended\./,
  )

  const wrong = await login(sent, { ...ANN, password: 'wrong' })
  t.equal(wrong.statusCode, 400)
  t.equal(hiddenFields(wrong.body, '/login').form, String(sent.headers.location).split('form=')[1], 'kept')
  const back = await login(sent)
  t.match(back, { statusCode: 303, headers: { location: /^\/continue\?form=/ } })
  const page = await browser.get(String(back.headers.location))
  t.same(await names(app, ann.id), ['Household'], 'nothing has happened yet')
  t.match(
    page.body,
    /<label for="name">Name<\/label>\s*<input id="name" name="name" type="text" value="Boats &amp; &lt;b&gt;/,
  )
  t.match(page.body, '<button>Create a Safe</button>')
  const confirm = { ...hiddenFields(page.body, '/safes'), name: 'Boats & <b>sails</b>' }
  t.equal((await browser.post('/safes', confirm, OWN)).statusCode, 303)
  t.same(await names(app, ann.id), ['Household', 'Boats & <b>sails</b>'])
})

t.test('a form of an earlier session is shown again, filled in, and does nothing (C1)', async t => {
  const app = await build(t)
  const { browser, tokenOf, ann } = await ended(app)
  const _csrf = await tokenOf('/safes', '/safes')
  await browser.submit('/', '/logout')
  await browser.signIn('ann@example.org')
  const fields = { name: 'Boats', _csrf }
  const stale = await refused(t, app, 'stale', () => browser.post('/safes', fields, OWN))
  t.equal(stale.statusCode, 403)
  t.match(stale.body, /<input id="name" name="name" type="text" value="Boats"/)
  const foreign = await browser.post('/safes', fields)
  t.equal(foreign.statusCode, 403)
  t.notMatch(foreign.body, 'Boats', 'of our own pages only')
  const confirm = { ...hiddenFields(stale.body, '/safes'), name: 'Boats' }
  t.equal((await browser.post('/safes', confirm, OWN)).statusCode, 303)
  t.same(await names(app, ann.id), ['Household', 'Boats'])
})

t.test('a question, or any other page, is opened after signing in', async t => {
  const app = await build(t)
  const { browser, end, login, path } = await ended(app)
  await end()
  const asked = await browser.get(`${path}?q=Whom+does+Ann+know%3F`)
  t.match(await login(asked), { statusCode: 303, headers: { location: `${path}?q=Whom+does+Ann+know%3F` } })
  t.match(
    await browser.get(String(asked.headers.location)),
    { statusCode: 303, headers: { location: `${path}?q=Whom+does+Ann+know%3F` } },
    'also when another tab has signed in',
  )
})

t.test('another site cannot fill in a form for a visitor (C1)', async t => {
  const app = await build(t)
  const { browser, tokenOf, end } = await ended(app)
  const _csrf = await tokenOf('/safes', '/safes')
  await end()
  for (const headers of [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { ...OWN, 'sec-fetch-site': 'same-site' },
  ]) {
    const sent = await browser.post('/safes', { name: 'Evil', _csrf }, headers as Record<string, string>)
    t.match(sent, { statusCode: 303 })
    t.equal(sent.headers.location, '/login', JSON.stringify(headers))
  }
})

t.test('passwords and long forms are not kept', async t => {
  const app = await build(t)
  const { browser, end } = await ended(app)
  await end()
  const secret = await browser.post('/account/password', { current: PASSWORD, next: 'x' }, OWN)
  t.equal(secret.headers.location, '/login')
  const long = await browser.post('/safes', { name: 'x'.repeat(5000) }, OWN)
  t.equal(long.headers.location, '/login')
  t.equal((await browser.get(`/safes?x=${'x'.repeat(5000)}`)).headers.location, '/login')
})

t.test('files whose session ended are not kept, and the way back is', async t => {
  const app = await build(t)
  const { browser, tokenOf, end, login, path } = await ended(app)
  const _csrf = await tokenOf(`${path}/files`, `${path}/import`)
  await end()
  const upload = multipart(`${path}/import`, { _csrf }, ['a.csv', 'A,knows,B'])
  Object.assign(upload.headers, OWN)
  const sent = await refused(t, app, 'files', () => browser.send(upload))
  t.match(
    (await browser.get(String(sent.headers.location))).body,
    /before the files were uploaded\. Sign in, then choose/,
  )
  t.match(await login(sent), { statusCode: 303, headers: { location: `${path}/import` } })
})

t.test('what was typed is shown to nobody else, and for an hour (C1)', async t => {
  const clock = testClock()
  const app = await build(t, { clock })
  const { browser, end, login, ann } = await ended(app)
  await app.accounts.add('bob@example.org', PASSWORD)
  await end()
  const sent = await browser.post('/safes', { name: 'Diary of Ann' }, OWN)
  const address = String(sent.headers.location).replace('/login', '/continue')
  const asBob = await login(sent, { email: 'bob@example.org', password: PASSWORD })
  t.equal(asBob.headers.location, '/', 'another account in the same browser')
  const shown = await browser.get(address)
  t.equal(shown.statusCode, 410)
  t.notMatch(shown.body, /Diary/)
  const eve = new Browser(app)
  await eve.signIn('eve@example.org')
  t.match(await eve.get(address), { statusCode: 410 }, 'another browser')
  await browser.submit('/', '/logout')
  await browser.signIn('ann@example.org')
  t.match((await browser.get(address)).body, /Diary of Ann/)
  clock.now += 3_600_000
  t.equal((await browser.get(address)).statusCode, 410)
  t.equal((await browser.get(`${address.slice(0, -2)}xx`)).statusCode, 410, 'changed')
  t.same(await names(app, ann.id), ['Household'])
})

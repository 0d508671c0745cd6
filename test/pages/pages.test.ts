import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import type { Answer } from '../../graph/answer.js'
import { loadConfig } from '../../plugins/config.js'
import { hashSecret, mac } from '../../plugins/secret.js'
import loginRoutes from '../../routes/login.js'
import pageRoutes from '../../routes/pages/index.js'
import { build, dataDir } from '../helper.js'
import { openFiles } from '../open-files.js'
import { Browser, hiddenFields, PASSWORD } from './browser.js'

const HOSTILE = `<script>alert(1)</script>"'\u202e{{x}}<%= y %>`
const SHOWN = '&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;\u202e{{x}}&lt;%= y %&gt;'

const jsonl = (...lines: object[]) =>
  Readable.from([Buffer.from(lines.map(l => JSON.stringify(l)).join('\n'))])
const fact = (from: string, to: string) => ({ type: 'relation', from, relationType: 'knows', to })

/** Ann's Safe with one committed and one staged import, and one connection. */
async function fill(app: FastifyInstance, browser: Browser, name = 'Household') {
  await browser.signIn('ann@example.org')
  const ann = (await app.accounts.findByEmail('ann@example.org'))!
  const safe = await app.safes.create(ann.id, name)
  const options = { source: 'a.jsonl' }
  const done = { ...options, bytes: jsonl(fact('Ann', 'Bo')), commit: true }
  const committed = await app.safes.import(ann.id, safe.id, done)
  const waiting = { ...options, bytes: jsonl(fact('Ann', 'Cy')), commit: false }
  const staged = await app.safes.import(ann.id, safe.id, waiting)
  const connectionId = 'c'.repeat(22)
  await addConnection(app, connectionId, ann.id)
  const path = `/safes/${safe.id}`
  return {
    ann,
    safe,
    path,
    committed: `${path}/imports/${committed.id}`,
    staged: `${path}/imports/${staged.id}`,
    connectionId,
  }
}

async function addConnection(app: FastifyInstance, id: string, accountId: string, clientName = 'Claude') {
  await app.database.write(trx =>
    trx
      .insertInto('connections')
      .values({
        id,
        account_id: accountId,
        client_id: 'svc_client_x',
        client_name: clientName,
        client_verified: 0,
        redirect_host: 'localhost',
        scope: 'vault:read',
        resource: 'user',
        resource_sent: 1,
        chosen_safe_id: null,
        only_chosen_safe: 0,
        created_at: 1,
        last_used_at: null,
        calls: 0,
        revoked_at: null,
        revoked_reason: null,
      })
      .execute(),
  )
}

/** Everything a form could change. */
async function snapshot(app: FastifyInstance) {
  const tables = [
    'accounts',
    'invitations',
    'safes',
    'memberships',
    'imports',
    'connections',
    'login_sessions',
  ] as const
  const rows = await Promise.all(
    tables.map(table => app.database.read.selectFrom(table).selectAll().execute()),
  )
  return JSON.stringify(rows)
}

type Filled = Awaited<ReturnType<typeof fill>>

/** Every form there is: the page it is on, where it posts to, and what a person would enter. */
const forms = (f: Filled): [page: string, action: string, fields: Record<string, string>][] => [
  ['/safes', '/safes', { name: 'Another' }],
  ['/safes', '/safes/sample', {}],
  [f.path, `${f.path}/rename`, { name: 'Renamed' }],
  [`${f.path}/remove`, `${f.path}/remove`, {}],
  [f.staged, `${f.staged}/commit`, {}],
  [f.staged, `${f.staged}/undo`, {}],
  [f.committed, `${f.committed}/undo`, {}],
  ['/connections', `/connections/${f.connectionId}/revoke`, {}],
  ['/connections', '/connections/revoke-all', {}],
  ['/people', '/people/invite', { email: '' }],
  ['/account', '/account/password', { current: PASSWORD, next: `new ${PASSWORD}` }],
  ['/account', '/account/sign-out-everywhere', {}],
  ['/', '/logout', {}],
]

t.test('C1 every form refuses a missing, wrong or foreign token, and nothing happens', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  const filled = await fill(app, browser)
  const eve = new Browser(app)
  await eve.signIn('eve@example.org')
  const elsewhere = new Browser(app)
  await elsewhere.signIn('ann@example.org')
  await elsewhere.get('/')
  const before = await snapshot(app)
  const right = hiddenFields((await browser.get('/safes')).body, '/safes')._csrf!
  const evesToken = hiddenFields((await eve.get('/safes')).body, '/safes')._csrf!
  const otherLogin = hiddenFields((await elsewhere.get('/safes')).body, '/safes')._csrf!
  for (const [, action, fields] of forms(filled)) {
    const tokens = {
      missing: {},
      empty: { _csrf: '' },
      wrong: { _csrf: `${right}x` },
      foreign: { _csrf: evesToken },
    }
    for (const [what, token] of Object.entries(tokens)) {
      const refused = await browser.post(action, { ...fields, ...token })
      t.equal(refused.statusCode, 403, `${action}: ${what}`)
    }
    t.equal(
      (await browser.post(action, { ...fields, _csrf: otherLogin })).statusCode,
      403,
      `${action}: another session's`,
    )
    if (action !== '/safes') {
      t.equal(
        (await browser.post(action, { ...fields, _csrf: right })).statusCode,
        403,
        `${action}: another form's`,
      )
    }
  }
  t.equal((await browser.post(`${filled.path}/import`, {})).statusCode, 403)
  const upload = await browser.send(multipart(`${filled.path}/import`, { _csrf: evesToken }, 'x.jsonl', '{}'))
  t.equal(upload.statusCode, 403, 'an upload')
  t.equal(await snapshot(app), before)
})

t.test('C1 the table above leaves out no form', async t => {
  const bare = Fastify()
  const posts = new Set<string>()
  bare.addHook('onRoute', ({ method, url }) => {
    if (method === 'POST') posts.add(url.replace(/:\w+/g, 'x'))
  })
  bare.decorate('config', loadConfig({ DATA_DIR: dataDir(t) }))
  await bare.register(loginRoutes)
  await bare.register(pageRoutes)
  const path = '/safes/x'
  const anImport = `${path}/imports/x`
  const table = forms({ path, staged: anImport, committed: anImport, connectionId: 'x' } as Filled)
  const tested = new Set(table.map(([, action]) => action))
  const others = ['/login', '/setup', '/invite', '/safes/x/import']
  t.same([...posts].sort(), [...tested, ...others].sort())
})

t.test('C1 nobody signs in or signs up without a token', async t => {
  const app = await build(t)
  const token = await app.accounts.createSetupToken()
  const browser = new Browser(app)
  const form = hiddenFields((await browser.get(`/setup?token=${token}`)).body, '/setup')
  const fields = { token, email: 'ann@example.org', password: PASSWORD }
  t.equal((await browser.post('/setup', fields)).statusCode, 403)
  t.equal((await new Browser(app).post('/setup', { ...fields, ...form })).statusCode, 403, 'another browser')
  t.ok(await app.accounts.isEmpty())
  await app.accounts.add('ann@example.org', PASSWORD)
  t.equal((await browser.post('/login', fields)).statusCode, 403)
  const invitation = await app.accounts.createInvitation(null)
  t.equal((await browser.post('/invite', { ...fields, token: invitation })).statusCode, 403)
  t.equal(browser.cookies.has('__Host-svc_session'), false)
  t.ok(await app.accounts.findInvitation(invitation))
})

t.test('C1 a form from another site is refused, even with its token', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  await browser.signIn('ann@example.org')
  const fields = { ...hiddenFields((await browser.get('/safes')).body, '/safes'), name: 'Mine' }
  const from = (headers: Record<string, string>) => browser.post('/safes', fields, headers)
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://safes.example' },
    { origin: 'http://localhost:3000', host: 'localhost:3000' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://safes.example' },
  ]) {
    t.equal((await from(headers as Record<string, string>)).statusCode, 403, JSON.stringify(headers))
  }
  const ann = (await app.accounts.findByEmail('ann@example.org'))!
  t.same(await app.safes.readableBy(ann.id), [])
  t.equal((await from({ origin: 'null', 'sec-fetch-site': 'same-origin' })).statusCode, 303)
  t.equal((await from({ origin: 'https://safes.example', 'sec-fetch-site': 'same-origin' })).statusCode, 303)
  t.equal((await app.safes.readableBy(ann.id)).length, 2)
})

t.test('C5 every form works from its page, and answers with 303', async t => {
  for (const index of forms({ path: '', staged: '', committed: '' } as never).keys()) {
    const app = await build(t)
    const browser = new Browser(app)
    const filled = await fill(app, browser)
    await addConnection(app, 'd'.repeat(22), filled.ann.id)
    const [page, action, fields] = forms(filled)[index]!
    const before = await snapshot(app)
    const done = await browser.submit(page, action, fields)
    if (action === '/people/invite') t.match(done.body, /https:\/\/safes\.example\/invite\?token=\w{43}"/)
    else t.equal(done.statusCode, 303, action)
    t.not(await snapshot(app), before, `${action} did something`)
  }
})

t.test('A13 every page has its headers, one h1 and a title; C6 no form-action', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  const { path, staged, committed } = await fill(app, browser)
  const signedIn = [
    '/',
    '/safes',
    path,
    `${path}/remove`,
    `${path}/import`,
    staged,
    committed,
    '/connections',
    '/people',
    '/account',
    '/nowhere',
  ]
  const pages = [
    ...(await Promise.all(signedIn.map(url => browser.get(url)))),
    await new Browser(app).get('/login'),
    await new Browser(app).get('/setup?token=x'),
    await browser.post('/safes', {}),
  ]
  for (const { headers, body, raw } of pages) {
    const csp = String(headers['content-security-policy'])
    const url = String(raw.req.url)
    t.match(csp, /^default-src 'none';.*frame-ancestors 'none'/, url)
    t.notMatch(csp, /form-action/)
    t.match(headers, {
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
      'strict-transport-security': /max-age/,
    })
    t.equal(headers['cross-origin-opener-policy'], undefined)
    t.equal(headers['access-control-allow-origin'], undefined)
    t.equal(body.match(/<h1>/g)?.length, 1, `${url} has one h1`)
    t.match(body, /<html lang="en">/)
    t.match(body, /<title>.+ · svc<\/title>/)
    t.notMatch(body, /(?:src|href)="(?:https?:)?\/\//, 'nothing from elsewhere')
    t.notMatch(body, /undefined|\[object/)
  }
})

t.test('S2 what belongs to somebody else is 404, and stays as it is', async t => {
  const app = await build(t)
  const filled = await fill(app, new Browser(app))
  const { path, staged, committed, connectionId } = filled
  const eve = new Browser(app)
  await eve.signIn('eve@example.org')
  await eve.get('/')
  const before = await snapshot(app)
  const gets = [
    path,
    `${path}?q=Ann`,
    `${path}/remove`,
    `${path}/import`,
    staged,
    committed,
    '/people',
    '/safes/nonsense',
    `${path}/imports/x`,
  ]
  for (const url of gets) {
    const page = await eve.get(url)
    t.equal(page.statusCode, 404, url)
    t.notMatch(page.body, /Household|a\.jsonl/)
  }
  const { body } = await eve.get('/safes')
  t.notMatch(body, /Household/)
  t.notMatch((await eve.get('/connections')).body, /Claude<\/bdi>/)
  const key = (action: string) => csrfFor(app, eve, action)
  for (const [action, fields] of [
    [`${path}/rename`, { name: 'Stolen' }],
    [`${path}/remove`, {}],
    [`${staged}/commit`, {}],
    [`${staged}/undo`, {}],
    [`${committed}/undo`, {}],
    [`/connections/${connectionId}/revoke`, {}],
    ['/people/invite', { email: '' }],
  ] as const) {
    const refused = await eve.post(action, { ...fields, _csrf: await key(action) })
    t.equal(refused.statusCode, 404, action)
  }
  const upload = multipart(`${path}/import`, { _csrf: await key(`${path}/import`) }, 'x.jsonl', '{}')
  t.equal((await eve.send(upload)).statusCode, 404, 'an upload')
  t.equal(await snapshot(app), before)
})

t.test('S3 hostile names show as text', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  const { path, ann, safe } = await fill(app, browser, HOSTILE)
  await addConnection(app, 'h'.repeat(22), ann.id, HOSTILE)
  const bytes = jsonl(fact(HOSTILE, 'Bo'))
  await app.safes.import(ann.id, safe.id, {
    source: `${HOSTILE.replace('/', '')}.jsonl`,
    bytes,
    commit: true,
  })
  const pages = ['/', '/safes', path, `${path}/remove`, `${path}/import`, '/connections']
  for (const url of pages) {
    const { body } = await browser.get(url)
    t.notMatch(body, /<script>/, url)
    t.ok(body.includes('&lt;script'), `${url} shows it`)
    t.notMatch(body, /value="<|<%=/)
  }
  t.ok((await browser.get('/safes')).body.includes(SHOWN))
  const { body } = await browser.submit('/login', '/login', {})
  t.notMatch(body, /<script>/)
})

t.test('S3 a hostile answer shows as text', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  const { path, safe } = await fill(app, browser)
  const one = { id: '1', score: 1 }
  const answer: Answer = {
    safe,
    mode: 'search',
    linked: [{ text: HOSTILE, entity: HOSTILE }],
    facts: [{ ...one, subject: HOSTILE, predicate: HOSTILE, object: HOSTILE, sources: [HOSTILE] }],
    passages: [{ ...one, title: HOSTILE, text: HOSTILE, source: HOSTILE }],
    entities: [HOSTILE],
    total: 7,
    truncated: true,
    next_cursor: HOSTILE,
    hints: [HOSTILE],
  }
  app.safes.ask = async (_account, _safe, question) => {
    t.same(question, { query: HOSTILE, cursor: 'c' })
    return answer
  }
  const { statusCode, body } = await browser.get(
    `${path}?${new URLSearchParams({ q: HOSTILE, cursor: 'c' })}`,
  )
  t.equal(statusCode, 200)
  t.notMatch(body, /<script>|<%=/)
  t.equal(body.split(SHOWN).length - 1, 10, 'the question, and everything in the answer but the cursor')
  t.match(body, /2 of 7 found/)
  const next = body.match(/href="\?([^"]*cursor=[^"]*)"/)![1]!.replaceAll('&amp;', '&')
  t.equal(new URLSearchParams(next).get('cursor'), HOSTILE)
})

t.test('the question box of the home page leads to the Safe', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  const { safe } = await fill(app, browser)
  const asked = await browser.get(`/ask?safe=${safe.id}&q=Who+is+Ann%3F`)
  t.match(asked, { statusCode: 303, headers: { location: `/safes/${safe.id}?q=Who+is+Ann%3F` } })
  t.equal((await browser.get('/ask?safe=//evil.example&q=x')).statusCode, 400)
})

t.test('a form with a file that is refused leaves no file behind; a malformed one is 400', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  const { path } = await fill(app, browser)
  const form = await browser.get(`${path}/import`)
  const { _csrf } = hiddenFields(form.body, `${path}/import`)
  const part = (head: string, text: string) =>
    `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
  const token = part('name="_csrf"', _csrf!)
  const one = part('name="file"; filename="a.jsonl"', '{}')
  const send = (payload: string, type = 'multipart/form-data; boundary=x') =>
    browser.send({ method: 'POST', url: `${path}/import`, payload, headers: { 'content-type': type } })
  const refused: [name: string, response: ReturnType<typeof send>][] = [
    ['two files', send(`${token}${one}${one}--x--\r\n`)],
    ['too many fields', send(`${token}${one}${part('name="a"', '1').repeat(12)}--x--\r\n`)],
    ['a field named __proto__', send(`${token}${one}${part('name="__proto__"', '1')}--x--\r\n`)],
    ['a body that breaks off', send(`${token}${one.slice(0, -8)}`)],
    ['no boundary', send('', 'multipart/form-data')],
    ['an unknown format', send(`${token}${part('name="format"', 'x')}${one}--x--\r\n`)],
  ]
  for (const [name, response] of refused) {
    const { statusCode } = await response
    t.ok(statusCode === 400 || statusCode === 413, `${name}: ${statusCode}`)
  }
  const uploads = join(app.config.dataDir, 'uploads')
  t.same(readdirSync(uploads), [])
  await new Promise(resolve => setTimeout(resolve, 50))
  t.same(openFiles(uploads), [], 'and none open')
})

t.test('a file is read first, then added, then undone', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  const { path } = await fill(app, browser)
  const send = async (name: string, content: string, fields: Record<string, string> = {}) => {
    const { body } = await browser.get(`${path}/import`)
    const token = hiddenFields(body, `${path}/import`)
    return browser.send(multipart(`${path}/import`, { ...token, ...fields }, name, content))
  }
  const settle = async (url: string) => {
    for (;;) {
      const { body } = await browser.get(url)
      if (!body.includes('http-equiv="refresh"')) return body
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  const good = await send('cy.jsonl', JSON.stringify(fact('Cy', 'Di')))
  t.equal(good.statusCode, 303)
  const url = good.headers.location!
  t.match(await settle(url), /Nothing has changed yet.*2 things.*1 relation</s)
  t.notMatch((await browser.get('/safes')).body, /4 things/)
  t.equal((await browser.submit(url, `${url}/commit`)).statusCode, 303)
  t.match((await browser.get(url)).body, /<h1>Added/)
  t.match((await browser.get('/safes')).body, /4 things/)
  t.equal((await browser.submit(url, `${url}/undo`)).statusCode, 303)
  t.match((await browser.get('/safes')).body, /2 things/)

  const bad = await send('bad.jsonl', `${JSON.stringify(fact('A', 'B'))}\nnot json`)
  t.match(await settle(bad.headers.location!), /One line could not be read.*<td>2<\/td>/s)
  const skipped = await send('bad.jsonl', `${JSON.stringify(fact('A', 'B'))}\nnot json`, { skip_bad: 'yes' })
  t.match(await settle(skipped.headers.location!), /<h1>Ready to add.*<td>2<\/td>/s)

  const nameless = await send('', '')
  t.equal(nameless.statusCode, 400)
  t.match(nameless.body, /role="alert">.*choose a file/s)
  const unknown = await send('cy.docx', 'x')
  t.equal(unknown.statusCode, 400)
  t.match(unknown.body, /role="alert">.*does not tell the format/s)
  const csv = await send('people.txt', 'Ann,knows,Bo', { format: 'csv' })
  t.equal(csv.statusCode, 303)
  await settle(csv.headers.location!)
})

t.test('an invitation made on the page works; members see no such page', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  await browser.signIn('ann@example.org')
  const { body } = await browser.submit('/people', '/people/invite', { email: 'bo@example.org' })
  const token = body.match(/invite\?token=(\w{43})/)![1]!
  const bo = new Browser(app)
  const fields = { email: 'bo@example.org', password: PASSWORD }
  t.equal((await bo.submit(`/invite?token=${token}`, '/invite', fields)).statusCode, 303)
  t.equal((await bo.get('/people')).statusCode, 404)
  t.notMatch((await bo.get('/')).body, /href="\/people"/)
  t.equal((await browser.submit('/people', '/people/invite', { email: 'nobody' })).statusCode, 400)
})

t.test('whoever is signed out is sent to sign in', async t => {
  const app = await build(t)
  await app.accounts.add('ann@example.org', PASSWORD)
  for (const url of ['/', '/safes', '/safes/x', '/safes/x/import', '/connections', '/account', '/people']) {
    t.match(await new Browser(app).get(url), { statusCode: 303, headers: { location: '/login' } }, url)
  }
})

/** The token this browser would find on a page that had a form for `action`. */
async function csrfFor(app: FastifyInstance, browser: Browser, action: string): Promise<string> {
  const own = hashSecret(browser.cookies.get('__Host-svc_browser')!)
  const session = hashSecret(browser.cookies.get('__Host-svc_session')!)
  return mac(app.keyFor('csrf'), JSON.stringify([own, session, action])).toString('base64url')
}

function multipart(url: string, fields: Record<string, string>, fileName: string, content: string) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  const payload = `${parts.join('')}${head}${content}\r\n--x--\r\n`
  return {
    method: 'POST' as const,
    url,
    payload,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  }
}

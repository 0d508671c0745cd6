import Fastify from 'fastify'
import t from 'tap'
import { loadConfig } from '../../../plugins/config.js'
import loginRoutes from '../../../routes/login.js'
import pageRoutes from '../../../routes/pages/index.js'
import { build, dataDir } from '../../helper.js'
import { refused, traces } from '../../written.js'
import { Browser, hiddenFields, PASSWORD } from './browser.js'
import { type Filled, fillAll, forms, multipart } from './filled.js'

t.test('C1 every form refuses a missing, wrong or foreign token, and nothing happens', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  const filled = await fillAll(app, browser)
  const eve = new Browser(app)
  await eve.signIn('eve@example.org')
  const elsewhere = new Browser(app)
  await elsewhere.signIn('ann@example.org')
  await elsewhere.get('/')
  const before = await traces(app)
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
  const upload = await browser.send(
    multipart(`${filled.path}/import`, { _csrf: evesToken }, ['x.jsonl', '{}']),
  )
  t.equal(upload.statusCode, 403, 'an upload')
  t.strictSame(await traces(app), before)
})

t.test('C1 nobody signs in or signs up without a token', async t => {
  const app = await build(t)
  const token = await app.accounts.invitations.createSetupToken()
  const browser = new Browser(app)
  const form = hiddenFields((await browser.get(`/setup?token=${token}`)).body, '/setup')
  const fields = { token, email: 'ann@example.org', password: PASSWORD }
  t.equal((await browser.post('/setup', fields)).statusCode, 403)
  t.equal((await new Browser(app).post('/setup', { ...fields, ...form })).statusCode, 403, 'another browser')
  t.ok(await app.accounts.records.isEmpty())
  await app.accounts.add('ann@example.org', PASSWORD)
  t.equal((await browser.post('/login', fields)).statusCode, 403)
  const invitation = await app.accounts.invitations.create(null)
  t.equal((await browser.post('/invite', { ...fields, token: invitation })).statusCode, 403)
  t.equal(browser.cookies.has('__Host-svc_session'), false)
  t.ok(await app.accounts.invitations.find(invitation))
})

t.test('C1 a form from another site is refused, even with its token (test/unit/common/origin)', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  await browser.signIn('ann@example.org')
  const fields = { ...hiddenFields((await browser.get('/safes')).body, '/safes'), name: 'Mine' }
  const from = (origin: string) => browser.post('/safes', fields, { origin })
  const foreign = await refused(t, app, 'foreign', () => from('https://evil.example'))
  t.equal(foreign.statusCode, 403)
  t.equal((await from('https://safes.example')).statusCode, 303)
})

t.test('C1 the table of forms leaves out no form', async t => {
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
  const table = forms({
    path,
    staged: anImport,
    committed: anImport,
    undone: anImport,
    removed: path,
    note: path,
    passage: 'p1.1',
    version: '1',
    connectionId: 'x',
    proposalId: 'x',
    rejectedId: 'x',
    beaId: 'x',
    invitationId: 'x',
    session: 'x',
  } as Filled)
  const tested = new Set(table.map(([, action]) => action))
  const others = [
    ...['/login', '/setup', '/invite', '/invite/join', '/invite/sign-in', '/reset'],
    '/safes/x/import',
    '/safes/x/undo',
    // test/integration/pages/kept-folders.test.ts
    ...['', '/sync', '/stop'].map(form => `/safes/x/folders${form}`),
    // test/integration/pages/sent-files.test.ts
    ...['/safes/x/imports', '/safes/x/uploads'],
    // test/integration/backup/pages.test.ts
    ...['make', 'x/bring', 'x/download', 'x/restore'].map(form => `/system/backups/${form}`),
  ]
  t.same([...posts].sort(), [...tested, ...others].sort())
})

import t from 'tap'
import { build } from '../../helper.js'
import { Browser, hiddenFields, PASSWORD } from './browser.js'

t.test('the set-up link makes the first account and signs in (DESIGN §5.6)', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  t.match((await browser.get('/')).body, /printed a one-time set-up link/)
  t.match(await browser.get('/login'), { statusCode: 303, headers: { location: '/' } })
  const page = `/setup?token=${await app.accounts.invitations.createSetupToken()}`
  t.equal((await browser.get('/setup?token=guessed')).statusCode, 410)
  t.equal((await browser.get('/setup')).statusCode, 410)

  const short = await browser.submit(page, '/setup', { email: 'ann@example.org', password: 'short' })
  t.equal(short.statusCode, 400)
  t.match(short.body, /role="alert">.*at least 12 characters/s)
  t.match(short.body, /value="ann@example.org"/, 'what was typed is still there')
  t.ok(await app.accounts.isEmpty())

  const done = await browser.submit(page, '/setup', { email: 'ann@example.org', password: PASSWORD })
  t.match(done, { statusCode: 303, headers: { location: '/' } })
  t.equal((await browser.get('/')).statusCode, 200)
  t.match(await app.accounts.list(), [{ email: 'ann@example.org', role: 'admin' }])
  t.equal((await new Browser(app).get(page)).statusCode, 410, 'once')
})

t.test('two people with the set-up link make one account', async t => {
  const app = await build(t)
  const page = `/setup?token=${await app.accounts.invitations.createSetupToken()}`
  const open = async (name: string) => {
    const browser = new Browser(app)
    const fields = hiddenFields((await browser.get(page)).body, '/setup')
    return () => browser.post('/setup', { ...fields, email: `${name}@example.org`, password: PASSWORD })
  }
  const [ann, bo] = await Promise.all([open('ann'), open('bo')])
  const statuses = (await Promise.all([ann(), bo()])).map(response => response.statusCode)
  t.same(statuses.sort(), [303, 410])
  t.equal((await app.accounts.list()).length, 1)
})

t.test('an invitation link makes one member', async t => {
  const app = await build(t)
  await app.accounts.add('ann@example.org', PASSWORD)
  const page = `/invite?token=${await app.accounts.invitations.create('bo@example.org')}`
  const browser = new Browser(app)
  t.match((await browser.get(page)).body, /value="bo@example.org"[^>]* readonly/)
  const setup = await browser.get(page.replace('invite', 'setup'))
  t.equal(setup.statusCode, 410, 'it is no set-up link')
  const other = await browser.submit(page, '/invite', { email: 'eve@example.org', password: PASSWORD })
  t.equal(other.statusCode, 400)
  const done = await browser.submit(page, '/invite', { email: 'bo@example.org', password: PASSWORD })
  t.equal(done.statusCode, 303)
  t.equal((await browser.get(page)).statusCode, 410)
  t.match(await app.accounts.list(), [{ role: 'admin' }, { email: 'bo@example.org', role: 'member' }])
})

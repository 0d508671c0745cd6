import t from 'tap'
import { build } from '../../helper.js'
import { Browser, PASSWORD } from './browser.js'

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
  t.ok(await app.accounts.records.isEmpty())

  const done = await browser.submit(page, '/setup', { email: 'ann@example.org', password: PASSWORD })
  t.match(done, { statusCode: 303, headers: { location: '/' } })
  t.equal((await browser.get('/')).statusCode, 200)
  t.match(await app.accounts.records.list(), [{ email: 'ann@example.org', role: 'admin' }])
  t.equal((await new Browser(app).get(page)).statusCode, 410, 'once')
})

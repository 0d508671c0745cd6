import t, { type Test } from 'tap'
import { accountTexts } from '../../../views/texts/account.js'
import { peopleTexts } from '../../../views/texts/people.js'
import { build, testClock } from '../../helper.js'
import { Browser, hiddenFields, PASSWORD } from './browser.js'
import { signedIn } from './open.js'

const HOUR = 3_600_000

async function open(t: Test) {
  const clock = testClock(Date.now())
  const app = await build(t, { clock })
  return {
    app,
    clock,
    admin: await signedIn(app, 'ada@a.example'),
    bob: await signedIn(app, 'bob@a.example'),
  }
}

t.test('administrators see and revoke invitations', async t => {
  const { app, admin, bob } = await open(t)
  const { body } = await admin.browser.submit('/people', '/people/invite', { email: 'new@a.example' })
  const link = /https:\/\/safes\.example(\/invite\?token=\w{43})"/.exec(body)?.[1] ?? ''
  t.ok(body.includes('new@a.example') && body.includes('invited by ada@a.example'))
  t.equal((await admin.browser.submit('/people', '/people/invite', { email: 'nobody' })).statusCode, 400)
  t.notMatch((await bob.browser.get('/')).body, 'href="/people"', 'only administrators are led there')
  const safe = await app.safes.create(bob.id, 'Bob’s secret Safe')
  await app.accounts.invitations.create(null, bob.id, { id: safe.id, role: 'reader' })
  const page = (await admin.browser.get('/people')).body
  t.notMatch(page, 'secret Safe', 'S2 not the Safes of others')
  const actions = [...page.matchAll(/action="(\/people\/invitations\/\w+\/revoke)"/g)].map(
    ([, to]) => to ?? '',
  )
  t.equal(actions.length, 2)
  for (const action of actions) t.equal((await admin.browser.submit('/people', action)).statusCode, 303)
  t.equal((await new Browser(app).get(link)).statusCode, 410)
  t.notMatch((await admin.browser.get('/people')).body, peopleTexts.pending)
})

t.test('roles change; the last administrator keeps the role and is not offered to give it up', async t => {
  const { app, admin, bob } = await open(t)
  const change = (id: string) => {
    const action = `/people/${id}/role`
    const role = id === admin.id ? 'member' : 'admin'
    return admin.browser.post(action, { role, _csrf: admin.browser.tokenFor(action) })
  }
  const offered = async () => (await admin.browser.get('/people')).body.includes(`/people/${admin.id}/role`)
  t.notOk(await offered())
  const refused = await change(admin.id)
  t.equal(refused.statusCode, 409)
  t.ok(refused.body.includes('There must be at least one administrator'))
  t.match(await app.accounts.find(admin.id), { role: 'admin' })
  t.equal((await change(bob.id)).statusCode, 303)
  t.match(await app.accounts.find(bob.id), { role: 'admin' })
  t.ok(await offered(), 'once there is another')
  t.equal((await change(admin.id)).statusCode, 303)
  t.equal((await admin.browser.get('/people')).statusCode, 404, 'at the next request')
})

t.test('a reset link sets a password once and ends all sessions', async t => {
  const { app, admin, bob, clock } = await open(t)
  const reset = async () => {
    const { body } = await admin.browser.submit('/people', `/people/${bob.id}/reset`)
    return /https:\/\/safes\.example(\/reset\?token=\w{43})"/.exec(body)?.[1] ?? ''
  }
  const first = await reset()
  const second = await reset()
  const stored = JSON.stringify(await app.database.read.selectFrom('invitations').selectAll().execute())
  t.notMatch(stored, second.split('=')[1] ?? '', 'S1 only its hash is stored')
  t.equal((await new Browser(app).get(first)).statusCode, 410, 'a new link replaces it')
  const browser = new Browser(app)
  const short = await browser.submit(second, '/reset', { password: 'short' })
  t.equal(short.statusCode, 400)
  t.equal((await bob.browser.get('/account')).statusCode, 200, 'nothing has happened yet')
  const done = await browser.submit(second, '/reset', { password: `new ${PASSWORD}` })
  t.equal(done.statusCode, 303)
  t.equal((await browser.get('/account')).statusCode, 200, 'signed in')
  await app.activity.flush()
  const { entries } = await app.activity.ofAccount(bob.id, { limit: 10 })
  const kinds = entries.map(({ kind }) => kind).filter(kind => kind.includes('reset'))
  t.same(kinds, ['password-reset', 'reset-link', 'reset-link'])
  t.equal((await bob.browser.get('/account')).statusCode, 303, 'every other session has ended')
  t.equal(await app.accounts.passwords.signIn('bob@a.example', PASSWORD, '::1'), null)
  t.ok(await app.accounts.passwords.signIn('bob@a.example', `new ${PASSWORD}`, '::1'))
  const again = await browser.post('/reset', { token: second.split('=')[1] ?? '', password: PASSWORD })
  t.equal(again.statusCode, 403)
  await t.rejects(app.accounts.passwords.reset(second.split('=')[1] ?? '', PASSWORD), { code: 'link_used' })
  const third = await reset()
  clock.now += 24 * HOUR
  t.equal((await new Browser(app).get(third)).statusCode, 410)
  const invitation = await app.accounts.invitations.create(null)
  t.equal((await new Browser(app).get(`/reset?token=${invitation}`)).statusCode, 410, 'no other link')
  t.equal((await new Browser(app).get(`/invite?token=${third.split('=')[1]}`)).statusCode, 410)
  const wrong = await app.accounts.passwords.createResetToken(bob.id)
  await t.rejects(app.accounts.invitations.accept(wrong, 'x@a.example', PASSWORD), { code: 'link_used' })
})

t.test('removing somebody asks and says what goes', async t => {
  const { app, admin, bob } = await open(t)
  await app.safes.create(bob.id, 'Only <b>ob')
  const shared = await app.safes.create(bob.id, 'Shared')
  await app.safes.members.share(bob.id, shared.id, admin.id, 'owner')
  await app.oauth.issueTokens(bob.id, { clientName: 'Claude' })
  const page = `/people/${bob.id}/remove`
  const { body } = await admin.browser.get(page)
  t.ok(body.includes('Only &lt;b&gt;ob') && !body.includes('Shared'))
  t.ok(body.includes('1 connection.'))
  t.equal((await admin.browser.submit(page, page)).statusCode, 303)
  t.equal(await app.accounts.find(bob.id), null)
  t.ok(await app.safes.membership(admin.id, shared.id))
  const own = `/people/${admin.id}/remove`
  const refused = await admin.browser.submit(own, own)
  t.equal(refused.statusCode, 409)
  t.ok(await app.accounts.find(admin.id))
  t.equal((await admin.browser.get('/people/nobody/remove')).statusCode, 404)
})

t.test('the account page lists sessions and ends them', async t => {
  const { app, bob, clock } = await open(t)
  const agent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'
  const elsewhere = new Browser(app)
  const login = hiddenFields((await elsewhere.get('/login')).body, '/login')
  clock.now += 1000
  await elsewhere.post(
    '/login',
    { ...login, email: 'bob@a.example', password: PASSWORD },
    { 'user-agent': agent },
  )
  const third = new Browser(app)
  clock.now += 1000
  await third.signIn('bob@a.example')
  const list = (await bob.browser.get('/account')).body
  t.match(list, /Chrome on Windows\s*<small>127\.0\.0\.1 · signed in/)
  const actions = [...list.matchAll(/action="(\/account\/sessions\/[\w-]{43}\/end)"/g)].map(
    ([, to]) => to ?? '',
  )
  t.equal(actions.length, 2, 'not this one')
  const eve = await signedIn(app, 'eve@a.example')
  const theirs = app.loginSessions.endListed(eve.id, actions[1]?.split('/')[3] ?? '')
  await t.rejects(theirs, { code: 'not_found' })
  t.equal((await bob.browser.submit('/account', actions[1] ?? '')).statusCode, 303)
  t.equal((await elsewhere.get('/account')).statusCode, 303, 'signed out')
  t.equal((await third.get('/account')).statusCode, 200)
  t.equal((await bob.browser.submit('/account', '/account/sessions/end-others')).statusCode, 303)
  t.equal((await third.get('/account')).statusCode, 303)
  const alone = (await bob.browser.get('/account')).body
  t.ok(alone.includes(accountTexts.thisBrowser) && !alone.includes(accountTexts.endOthers))
  clock.now += 5 * HOUR
  await bob.browser.get('/account')
  const [session] = await app.loginSessions.listFor(bob.id, '')
  t.equal(session?.lastSeenAt, clock.now, 'the last use is noted')
})

t.test('an account is deleted with its password only, and not that of the last administrator', async t => {
  const { app, admin, bob } = await open(t)
  const safe = await app.safes.create(bob.id, 'Gone with Bob')
  t.ok((await bob.browser.get('/account/delete')).body.includes('Gone with Bob'))
  const wrong = await bob.browser.submit('/account/delete', '/account/delete', {
    password: 'not the password',
  })
  t.equal(wrong.statusCode, 400)
  t.ok(wrong.body.includes(accountTexts.wrong) && (await app.safes.membership(bob.id, safe.id)))
  const done = await bob.browser.submit('/account/delete', '/account/delete', { password: PASSWORD })
  t.match(done, { statusCode: 303, headers: { location: '/login' } })
  t.equal(await app.accounts.find(bob.id), null)
  t.equal((await bob.browser.get('/safes')).statusCode, 303)
  const page = (await admin.browser.get('/account/delete')).body
  t.ok(page.includes(accountTexts.lastAdmin) && !page.includes('action="/account/delete"'))
  await t.rejects(app.accounts.remove(admin.id), { code: 'last_admin' })
})

t.test('a browser is shown its theme and its language of dates', async t => {
  const { admin } = await open(t)
  const shown = async () => /<html[^>]*>/.exec((await admin.browser.get('/')).body)?.[0]
  t.equal(await shown(), '<html lang="en">')
  const set = (theme: string, dates: string) =>
    admin.browser.submit('/account', '/account/display', { theme, dates })
  t.match(await set('dark', 'browser'), { statusCode: 303, headers: { location: '/account#display' } })
  t.equal(await shown(), '<html lang="en" data-theme="dark" data-dates="browser">')
  t.equal((await set('"><script>', 'browser')).statusCode, 400)
  t.equal(await shown(), '<html lang="en" data-theme="dark" data-dates="browser">')
  await set('system', 'english')
  t.equal(await shown(), '<html lang="en">')
})

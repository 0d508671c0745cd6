// Attacks of somebody whom the OpenID provider no longer admits, and who tries other ways in (ADR 64).
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { Authenticator } from '../../integration/accounts/authenticator.js'
import { addPasskey, newPasskey, signInWithPasskey } from '../../integration/accounts/passkey-browser.js'
import { Browser, PASSWORD } from '../../integration/pages/browser.js'
import { startMailServer } from '../../mail-server.js'
import { refused } from '../../written.js'
import { ANN, signIn, start } from '../openid/openid-browser.js'

const EMAIL = 'ann@example.org'
const STAFF = { ...ANN, groups: ['staff'] }

/** A service for the group `staff`. Ann was a member; her account came from the provider. */
async function open(t: Test) {
  const mailServer = await startMailServer(t)
  const rules = { OIDC_ALLOWED_GROUPS: 'staff', ACTIVITY_DAYS: '0' }
  const { app, provider } = await start(t, { ...rules, ...mailServer.env })
  const browser = new Browser(app)
  await signIn(browser, provider, STAFF)
  const ann = (await app.accounts.findByEmail(EMAIL))!
  const mails = async () => {
    await app.mail?.idle()
    return mailServer.mails.splice(0).filter(({ text }) => text.includes('asked for'))
  }
  return { app, provider, browser, ann, mails }
}

/** Whether the account came from the provider: before, it may have had other ways in. */
const setOrigin = (app: FastifyInstance, provider_only: 0 | 1) =>
  app.database.write(trx =>
    trx.updateTable('accounts').set({ provider_only }).where('email', '=', EMAIL).execute(),
  )

t.test('who has left the group has no other way in', async t => {
  const { app, provider, browser, ann, mails } = await open(t)
  // From a time when the service did not have this rule.
  await setOrigin(app, 0)
  const old = await app.accounts.passwords.createResetToken(ann.id, 1, ann.email)
  await app.accounts.passwords.reset(old, PASSWORD)
  await browser.signIn(EMAIL)
  const passkey = new Authenticator()
  t.equal((await addPasskey(browser, passkey)).statusCode, 303)
  t.equal((await signInWithPasskey(new Browser(app), passkey)).statusCode, 303)
  await setOrigin(app, 1)
  const mailed = await app.accounts.passwords.createResetToken(ann.id, 1, ann.email)
  const owner = (await app.accounts.findByEmail('admin@example.org'))!
  const safe = await app.safes.create(owner.id, 'Harbour')
  const invitation = await app.accounts.invitations.create(EMAIL, owner.id, { id: safe.id, role: 'reader' })
  const invite = `/invite?token=${invitation}`
  const account = { email: EMAIL, password: PASSWORD }
  const outside = new Browser(app)

  const ways: [name: string, attempt: () => ReturnType<Browser['get']>, status: number][] = [
    ['the provider', () => signIn(outside, provider, ANN), 403],
    ['an old password', () => outside.submit('/login', '/login', account), 400],
    ['a passkey', () => signInWithPasskey(outside, passkey), 403],
    ['a reset link', () => outside.submit(`/reset?token=${mailed}`, '/reset', { password: PASSWORD }), 410],
    ['an invitation, with the password', () => outside.submit(invite, '/invite/sign-in', account), 400],
    ['an invitation, as a new account', () => outside.submit(invite, '/invite', account), 409],
    ['an invitation, with the provider', () => signIn(outside, provider, ANN, invite), 403],
  ]
  for (const [name, attempt, status] of ways) {
    t.equal((await refused(t, app, name, attempt)).statusCode, status, name)
    t.equal(outside.cookies.has('__Host-svc_session'), false, name)
  }
  await outside.submit('/forgot', '/forgot', { email: EMAIL })
  const [mail, ...more] = await mails()
  t.same(more, [])
  t.match(mail?.text, /This account has no password, because it signs in with 127\.0\.0\.1/)
  t.notMatch(mail?.text, 'token=', 'no link is mailed')

  t.equal((await signIn(outside, provider, STAFF)).statusCode, 303, 'back in the group')
})

t.test('who is still in the group prepares no way for later', async t => {
  const { app, browser, ann } = await open(t)
  const account = (await browser.get('/account')).body
  t.notMatch(account, '/account/passkeys', 'the page offers no passkey')
  t.notMatch(account, '"/account/password"')
  const passkeys = app.passkeys!
  await t.rejects(passkeys.creationOptions(ann, 'browser'), { code: 'provider_only' })
  await t.rejects(passkeys.add(ann.id, 'x', '{}', ['browser']), { code: 'provider_only' })
  const removal = await refused(t, app, 'the only way stays', () =>
    browser.submit('/account', '/account/providers/remove'),
  )
  t.equal(removal.statusCode, 409)
})

t.test('an administrator gives another way in', async t => {
  const ways: Record<string, (app: FastifyInstance, id: string) => Promise<unknown>> = {
    'with a reset link': async (app, id) =>
      app.accounts.passwords.reset(await app.accounts.passwords.createResetToken(id), PASSWORD),
    'with svc account password': (app, id) => app.accounts.passwords.set(id, PASSWORD),
  }
  for (const [name, give] of Object.entries(ways)) {
    const { app, ann, mails } = await open(t)
    await give(app, ann.id)
    const browser = new Browser(app)
    t.equal((await browser.signIn(EMAIL)).statusCode, 303, name)
    const passkey = new Authenticator()
    t.equal((await newPasskey(browser)).page.statusCode, 200)
    t.equal((await addPasskey(browser, passkey)).statusCode, 303, name)
    t.equal((await signInWithPasskey(new Browser(app), passkey)).statusCode, 303, name)
    await new Browser(app).submit('/forgot', '/forgot', { email: EMAIL })
    t.match((await mails())[0]?.text, 'token=', name)
  }
})

t.test('without rules, an account of the provider has every way in', async t => {
  const mailServer = await startMailServer(t)
  const { app, provider } = await start(t, mailServer.env)
  const admin = (await app.accounts.findByEmail('admin@example.org'))!
  const token = await app.accounts.invitations.create(EMAIL, admin.id)
  await signIn(new Browser(app), provider, ANN, `/invite?token=${token}`)
  const ann = (await app.accounts.findByEmail(EMAIL))!
  await app.accounts.passwords.reset(
    await app.accounts.passwords.createResetToken(ann.id, 1, ann.email),
    PASSWORD,
  )
  t.equal((await new Browser(app).signIn(EMAIL)).statusCode, 303)
})

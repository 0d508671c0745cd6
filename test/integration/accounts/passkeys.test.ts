import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { type BuildOptions, build, testClock } from '../../helper.js'
import { words } from '../../words.js'
import { refused } from '../../written.js'
import { Browser, hiddenFields, PASSWORD } from '../pages/browser.js'
import { Authenticator, type Changes } from './authenticator.js'
import { addPasskey as add, newPasskey, signInWithPasskey as signIn } from './passkey-browser.js'

const message = (page: string) => page.match(/role="alert">\s*<p>(.*?)<\/p>/s)?.[1] ?? page

async function start(t: Test, options: BuildOptions = {}) {
  const clock = testClock(Date.now())
  const app = await build(t, { clock, ...options })
  const browser = new Browser(app)
  await browser.signIn('ann@example.org')
  const ann = (await app.accounts.findByEmail('ann@example.org'))!
  return { app, clock, browser, ann }
}

const kindsOf = async (app: FastifyInstance, accountId: string) => {
  await app.activity.flush()
  const { entries } = await app.activity.ofAccount(accountId, { limit: 20 })
  return entries.map(({ kind, detail }) => `${kind} ${detail ?? ''}`.trim())
}

t.test('a passkey is added, renamed, used and removed', async t => {
  const { app, clock, browser, ann } = await start(t)
  const phone = new Authenticator()
  t.match(await add(browser, phone), { statusCode: 303, headers: { location: '/account' } })
  const [passkey] = await app.passkeys!.listFor(ann.id)
  t.match(passkey, { id: phone.id, name: 'My phone', counter: 0, lastUsedAt: null })
  const path = `/account/passkeys/${phone.id}`
  t.equal((await browser.submit('/account', `${path}/rename`, { name: 'Old phone' })).statusCode, 303)
  t.match((await browser.get('/account')).body, /Old phone[\s\S]*not used yet/)

  const again = new Browser(app)
  t.match(await signIn(again, phone), { statusCode: 303, headers: { location: '/' } })
  t.match((await again.get('/account')).body, /ann@example\.org[\s\S]*last used/)
  t.match(await app.passkeys!.listFor(ann.id), [{ lastUsedAt: clock.now }])
  await again.submit('/', '/logout')
  await signIn(again, phone)

  t.equal((await browser.submit('/account', `${path}/remove`)).statusCode, 303)
  t.equal((await signIn(new Browser(app), phone)).statusCode, 400, 'it does not work any more')
  t.same(await kindsOf(app, ann.id), [
    'passkey-removed',
    'signed-in 127.0.0.1, with the passkey “Old phone”',
    'signed-in-new 127.0.0.1, with the passkey “Old phone”',
    'passkey-added My phone',
    'signed-in-new 127.0.0.1',
  ])
})

t.test('a challenge counts once, in its browser, for five minutes and its purpose', async t => {
  const { app, clock, browser } = await start(t)
  const phone = new Authenticator()
  await add(browser, phone)
  const other = new Browser(app)
  const options = (await other.get('/login/passkey')).json()
  const fields = hiddenFields((await other.get('/login')).body, '/login/passkey')
  const credential = phone.get(options)
  t.equal((await other.post('/login/passkey', { ...fields, credential })).statusCode, 303)

  await other.submit('/', '/logout')
  const form = hiddenFields((await other.get('/login')).body, '/login/passkey')
  const replayed = await refused(t, app, 'replayed', () =>
    other.post('/login/passkey', { ...form, credential }),
  )
  t.equal(replayed.statusCode, 400)

  const eve = new Browser(app)
  const own = hiddenFields((await eve.get('/login')).body, '/login/passkey')
  const foreign = phone.get((await other.get('/login/passkey')).json())
  t.equal(
    (await eve.post('/login/passkey', { ...own, credential: foreign })).statusCode,
    400,
    'of another browser',
  )
  const late = phone.get((await eve.get('/login/passkey')).json())
  clock.now += 5 * 60_000
  t.equal((await eve.post('/login/passkey', { ...own, credential: late })).statusCode, 400, 'too late')

  const { options: creation } = await newPasskey(browser)
  const crossed = phone.get({ challenge: creation.challenge })
  t.equal((await eve.post('/login/passkey', { ...own, credential: crossed })).statusCode, 400)
})

t.test('an answer that is not the one to the challenge is refused', async t => {
  const { app, browser } = await start(t)
  const phone = new Authenticator()
  const wrong: Record<string, Changes> = {
    'another origin': { origin: 'https://safes.example.evil.example' },
    'another relying party': { rpId: 'evil.example' },
    'a made-up challenge': { challenge: 'x'.repeat(120) },
    'a person who was not verified': { unverified: true },
  }
  for (const [name, changes] of Object.entries(wrong)) {
    const answer = await refused(t, app, name, () => add(browser, phone, changes))
    t.equal(answer.statusCode, 400, name)
    t.match(message(answer.body), /could not be used/, name)
  }
  await add(browser, phone, { counter: 7 })
  wrong['a counter that did not rise'] = { counter: 7 }
  wrong['another account'] = { counter: 8, userHandle: 'c29tZWJvZHk' }
  wrong['the signature of another authenticator'] = { counter: 8, forged: true }
  for (const [name, changes] of Object.entries(wrong)) {
    const stranger = new Browser(app)
    const answer = await refused(t, app, name, () => signIn(stranger, phone, { counter: 8, ...changes }))
    t.equal(answer.statusCode, 400, name)
    t.match(message(answer.body), /could not be used/, name)
    t.equal(stranger.cookies.has('__Host-svc_session'), false, name)
  }
  const unknown = await refused(t, app, 'unknown', () => signIn(new Browser(app), new Authenticator()))
  t.equal(unknown.statusCode, 400)
  t.equal((await signIn(new Browser(app), phone, { counter: 8 })).statusCode, 303)
  for (const credential of ['', 'null', '{}', '{"id":"x"}', `{"id":"${phone.id}","response":7}`]) {
    const stranger = new Browser(app)
    const answer = await stranger.submit('/login', '/login/passkey', { credential })
    t.ok([400, 429].includes(answer.statusCode), credential)
  }
  const limited = await signIn(new Browser(app), phone, { counter: 9 })
  t.equal(limited.statusCode, 429, 'failures are throttled like wrong passwords')
})

t.test('only who owns the account adds a passkey, which belongs to one account', async t => {
  const { app, browser } = await start(t)
  const form = await newPasskey(browser)
  t.match(form.page.body, /<input id="name" name="name"/)
  const { page } = await newPasskey(browser, { password: 'wrong' })
  t.equal(page.statusCode, 400)
  t.match(message(page.body), /not your current password/)
  const phone = new Authenticator()
  await add(browser, phone)
  const bob = new Browser(app)
  await bob.signIn('bob@example.org')
  t.equal((await add(bob, phone)).statusCode, 409)
  await add(bob, new Authenticator())
  const annId = (await app.accounts.findByEmail('ann@example.org'))!.id
  const bobId = (await app.accounts.findByEmail('bob@example.org'))!.id
  await t.rejects(app.passkeys!.remove(bobId, phone.id), { code: 'not_found' })
  await t.rejects(app.passkeys!.rename(bobId, phone.id, 'Mine'), { code: 'not_found' })
  t.match(await app.passkeys!.listFor(annId), [{ name: 'My phone' }])

  const { options } = await newPasskey(browser)
  t.same(options.excludeCredentials, [{ id: phone.id, type: 'public-key' }])
  t.match(options, { rp: { id: 'safes.example' }, authenticatorSelection: { userVerification: 'required' } })
  t.equal(Buffer.from(options.user.id, 'base64url').toString(), annId)

  await app.accounts.remove(bobId)
  t.same(await app.passkeys!.listFor(bobId), [], 'they go with the account')
})

t.test('a passkey can take the place of the password, and a reset link brings it back', async t => {
  const { app, clock, browser, ann } = await start(t)
  const phone = new Authenticator()
  t.notMatch((await browser.get('/account')).body, /password\/remove/, 'not without a passkey')
  await t.rejects(app.passkeys!.removePassword(ann.id), /only way to sign in/)
  await add(browser, phone)
  const refusal = await browser.submit('/account', '/account/password/remove', { password: 'wrong' })
  t.equal(refusal.statusCode, 400)
  const removed = await browser.submit('/account', '/account/password/remove', { password: PASSWORD })
  t.equal(removed.statusCode, 303)
  t.equal((await kindsOf(app, ann.id))[0], 'password-removed')
  t.equal(await app.accounts.passwords.signIn('ann@example.org', PASSWORD, '192.0.2.1'), null)
  t.equal((await signIn(new Browser(app), phone)).statusCode, 303)

  const last = await browser.submit('/account', `/account/passkeys/${phone.id}/remove`)
  t.equal(last.statusCode, 409)
  t.match(message(last.body), /only way to sign in/)
  t.equal(
    (await newPasskey(browser, {})).page.statusCode,
    200,
    'a recent sign-in takes the place of the password',
  )
  clock.now += 11 * 60_000
  t.equal((await newPasskey(browser, {})).page.statusCode, 403)

  const token = await app.accounts.passwords.createResetToken(ann.id)
  const reset = await new Browser(app).submit(`/reset?token=${token}`, '/reset', {
    password: `new ${PASSWORD}`,
  })
  t.equal(reset.statusCode, 303)
  t.match(await app.accounts.passwords.signIn('ann@example.org', `new ${PASSWORD}`, '192.0.2.1'), {
    id: ann.id,
  })
  t.equal((await signIn(new Browser(app), phone)).statusCode, 303, 'the passkey stays')
})

t.test('an account has 20 passkeys at most', async t => {
  const { app, browser, ann } = await start(t)
  const key = { account_id: ann.id, name: 'k', public_key: '', counter: 0, created_at: 0 }
  const keys = Array.from({ length: 20 }, (_, i) => ({ ...key, id: `k${i}` }))
  await app.database.write(trx => trx.insertInto('passkeys').values(keys).execute())
  const answer = await refused(t, app, 'one more', () => add(browser, new Authenticator()))
  t.equal(answer.statusCode, 409)
})

t.test('where browsers allow no passkeys, there are none', async t => {
  for (const BASE_URL of words(`
    http://127.0.0.1:3000 http://safes.example https://192.0.2.1 https://[::1]
  `)) {
    const app = await build(t, { env: { BASE_URL } })
    t.equal(app.passkeys, null, BASE_URL)
  }
})

import t from 'tap'
import { build } from '../../helper.js'
import { Assistant } from '../../integration/oauth/assistant.js'
import { Browser, hiddenFields, PASSWORD } from '../../integration/pages/browser.js'
import { refused } from '../../written.js'
import { ANN, leave, message, pathOf, signIn, start } from './openid-browser.js'
import type { Person } from './openid-provider.js'

t.test('the first sign-in makes an account, the second finds it', async t => {
  const { app, provider } = await start(t, { OIDC_ALLOWED_DOMAINS: 'Example.org' })
  const browser = new Browser(app)
  const url = new URL(await leave(browser))
  t.match(Object.fromEntries(url.searchParams), {
    response_type: 'code',
    client_id: 'svc',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    state: /^[\w-]{43}$/,
    nonce: /^[\w-]{43}$/,
    redirect_uri: 'https://safes.example/login/callback',
  })
  t.match(await signIn(browser, provider, ANN), { statusCode: 303, headers: { location: '/' } })
  t.match(await app.accounts.findByEmail('ann@example.org'), { role: 'member', email: 'ann@example.org' })
  t.match((await browser.get('/account')).body, /ann@example\.org/)
  t.notMatch((await browser.get('/account')).body, /name="current"/, 'there is no password to change')

  const again = new Browser(app)
  const moved = { ...ANN, email: 'ann.lee@example.org' }
  t.match(await signIn(again, provider, moved), { statusCode: 303 })
  t.match(
    (await again.get('/account')).body,
    /ann@example\.org/,
    'found by its subject, whatever its address',
  )
  t.equal(await app.accounts.findByEmail('ann.lee@example.org'), null)
  await again.submit('/account', '/logout')
  t.match(await signIn(again, provider, moved), { statusCode: 303 })

  t.equal(
    await app.accounts.passwords.signIn('ann@example.org', '', '192.0.2.1'),
    null,
    'no password is no empty password',
  )
})

t.test('a callback counts once, in the browser and the time of its sign-in', async t => {
  const { app, provider, clock } = await start(t, { OIDC_ALLOWED_DOMAINS: 'example.org' })
  provider.state.person = ANN
  const browser = new Browser(app)
  const callback = pathOf(await provider.visit(await leave(browser)))
  const kept = new Map(browser.cookies)

  const other = new Browser(app)
  await other.get('/login')
  const inOther = await refused(t, app, 'another browser', () => other.get(callback))
  t.equal(inOther.statusCode, 403)
  for (const [name, value] of kept) if (name.includes('provider')) other.cookies.set(name, value)
  t.equal((await refused(t, app, 'with a stolen cookie', () => other.get(callback))).statusCode, 403)
  t.equal(other.cookies.has('__Host-svc_session'), false)

  clock.now += 15 * 60_000
  t.equal((await refused(t, app, 'too late', () => browser.get(callback))).statusCode, 403)
  clock.now -= 15 * 60_000
  browser.cookies.clear()
  for (const [name, value] of kept) browser.cookies.set(name, value)
  t.equal((await browser.get(callback)).statusCode, 303)
  const replayed = new Browser(app)
  for (const [name, value] of kept) replayed.cookies.set(name, value)
  const again = await refused(t, app, 'replayed', () => replayed.get(callback))
  t.equal(again.statusCode, 403)
  t.match(message(again.body), /has expired or was completed before/)
  t.equal(replayed.cookies.has('__Host-svc_session'), false)
})

t.test('only whom the settings name may sign in', async t => {
  const { app, provider } = await start(t, {
    OIDC_ALLOWED_DOMAINS: 'example.org, b.example',
    OIDC_ALLOWED_GROUPS: 'safes,staff',
  })
  const people: [name: string, person: Person, status: number, text: RegExp | null][] = [
    ['domain and group', { ...ANN, groups: ['staff', 'x'] }, 303, null],
    ['no group', { ...ANN, sub: '2', email: 'b@example.org' }, 403, /may not sign in here/],
    ['another group', { ...ANN, sub: '3', email: 'c@b.example', groups: ['Staff'] }, 403, /may not sign in/],
    [
      'another domain',
      { ...ANN, sub: '4', email: 'd@x.example.org', groups: ['staff'] },
      403,
      /may not sign in/,
    ],
    [
      'two addresses in one',
      { ...ANN, sub: '5', email: 'e@b.example@evil.example', groups: ['staff'] },
      403,
      /not sign/,
    ],
    ['not verified', { sub: '6', email: 'f@example.org', groups: ['staff'] }, 403, /has not verified/],
    [
      'verified as a text',
      { sub: '7', email: 'g@example.org', email_verified: 'true' as never, groups: ['staff'] },
      403,
      /not verified/,
    ],
  ]
  for (const [name, person, status, text] of people) {
    const browser = new Browser(app)
    const answer = await signIn(browser, provider, person)
    t.equal(answer.statusCode, status, name)
    if (text) t.match(message(answer.body), text, name)
    if (text) t.equal(await app.accounts.findByEmail(person.email ?? ''), null, name)
    t.equal(browser.cookies.has('__Host-svc_session'), status === 303, name)
  }
  const left = await signIn(new Browser(app), provider, { ...ANN, groups: [] })
  t.equal(left.statusCode, 403, 'who leaves the group can no longer sign in')
})

t.test('without rules, only accounts and invited people can sign in', async t => {
  const { app, provider } = await start(t)
  const stranger = await refused(t, app, 'a stranger', () => signIn(new Browser(app), provider, ANN))
  t.equal(stranger.statusCode, 403)
  t.match(message(stranger.body), /no account for ann@example\.org/)

  const owner = (await app.accounts.findByEmail('admin@example.org'))!
  const safe = await app.safes.create(owner.id, 'Harbour')
  const open = await app.accounts.invitations.create(null, owner.id, { id: safe.id, role: 'reader' })
  const uninvited = await refused(t, app, 'an open link', () =>
    signIn(new Browser(app), provider, ANN, `/invite?token=${open}`),
  )
  t.equal(uninvited.statusCode, 403)
  const reader = { id: safe.id, role: 'reader' } as const
  const token = await app.accounts.invitations.create('ann@example.org', owner.id, reader)
  const ann = new Browser(app)
  const joined = await signIn(ann, provider, ANN, `/invite?token=${token}`)
  t.match(joined, { statusCode: 303, headers: { location: `/safes/${safe.id}` } })
  t.equal((await ann.get(`/safes/${safe.id}`)).statusCode, 200)
  t.match(await signIn(new Browser(app), provider, ANN), { statusCode: 303 })
  t.equal((await new Browser(app).get(`/invite?token=${token}`)).statusCode, 410, 'the invitation is used')

  const reserved = await app.accounts.invitations.create('bo@example.org', owner.id)
  const other = { ...ANN, sub: 'cy-1', email: 'cy@example.org' }
  const refusal = await signIn(new Browser(app), provider, other, `/invite?token=${reserved}`)
  t.equal(refusal.statusCode, 400)
  t.match(refusal.body, /This invitation is for bo@example\.org/)

  const second = await app.accounts.invitations.create(null, owner.id, { id: safe.id, role: 'owner' })
  t.match(await signIn(ann, provider, ANN, `/login`).catch(() => null), null, 'signed in: no button')
  const again = new Browser(app)
  t.match(await signIn(again, provider, ANN, `/invite?token=${second}`), {
    headers: { location: `/safes/${safe.id}` },
  })
  t.equal((await app.accounts.records.list()).length, 2, 'an account that exists joins')
})

t.test('an account is linked by a verified address, and to one subject', async t => {
  const { app, provider } = await start(t)
  const ann = await app.accounts.add('ann@example.org', PASSWORD)
  const unverified = { sub: 'evil', email: 'ann@example.org', email_verified: false }
  const first = await refused(t, app, 'unverified', () => signIn(new Browser(app), provider, unverified))
  t.equal(first.statusCode, 403)
  const browser = new Browser(app)
  t.equal((await signIn(browser, provider, ANN)).statusCode, 303)
  const usurper = { ...ANN, sub: 'ann-2' }
  const second = await refused(t, app, 'another subject', () => signIn(new Browser(app), provider, usurper))
  t.equal(second.statusCode, 409)
  t.match(message(second.body), /Somebody else signs in as ann@example\.org/)
  t.match(
    await app.accounts.passwords.signIn('ann@example.org', PASSWORD, '192.0.2.1'),
    { id: ann.id },
    'the password stays',
  )
  const page = (await browser.get('/account')).body
  t.match(page, /Signing out here does not sign you out there/)
  const fields = hiddenFields(page, '/account/providers/remove')
  t.equal((await browser.post('/account/providers/remove', fields)).statusCode, 303)
  t.equal((await browser.post('/account/providers/remove', fields)).statusCode, 409)
  t.equal(
    (await signIn(new Browser(app), provider, usurper)).statusCode,
    303,
    'then another subject can be linked',
  )
})

t.test('the only way to sign in stays, and such an account is deleted by who has just signed in', async t => {
  const { app, provider, clock } = await start(t, { OIDC_ALLOWED_DOMAINS: 'example.org' })
  const browser = new Browser(app)
  await signIn(browser, provider, ANN)
  const removal = await refused(t, app, 'the last way', () =>
    browser.submit('/account', '/account/providers/remove'),
  )
  t.equal(removal.statusCode, 409)
  t.match(message(removal.body), /only way to sign in/)
  clock.now += 11 * 60_000
  const late = await refused(t, app, 'later', () => browser.submit('/account/delete', '/account/delete'))
  t.equal(late.statusCode, 403)
  t.match(message(late.body), /sign out, sign in again/)
  await browser.submit('/account', '/logout')
  await signIn(browser, provider, ANN)
  t.equal((await browser.submit('/account/delete', '/account/delete')).statusCode, 303)
  t.equal(await app.accounts.findByEmail('ann@example.org'), null)
  t.equal((await signIn(browser, provider, ANN)).statusCode, 303, 'its identity went with it')
})

t.test('an answer that is not the one to this sign-in is refused', async t => {
  const { app, provider } = await start(t, { OIDC_ALLOWED_DOMAINS: 'example.org' })
  provider.state.person = ANN
  const changed = (url: string, name: string, value: string) => {
    const at = new URL(url)
    at.searchParams.set(name, value)
    return at.href
  }
  const attempts: Record<string, (browser: Browser) => Promise<string>> = {
    'a wrong nonce': async browser => provider.visit(changed(await leave(browser), 'nonce', 'x'.repeat(43))),
    'another verifier': async browser =>
      provider.visit(changed(await leave(browser), 'code_challenge', 'x'.repeat(43))),
    'another issuer (RFC 9207)': async browser =>
      changed(await provider.visit(await leave(browser)), 'iss', 'https://evil.example'),
    'another state': async browser =>
      changed(await provider.visit(await leave(browser)), 'state', 'x'.repeat(43)),
    'the code of another sign-in': async browser => {
      const other = await provider.visit(await leave(new Browser(app)))
      const own = await provider.visit(await leave(browser))
      return changed(own, 'code', new URL(other).searchParams.get('code') ?? '')
    },
    'no code': async browser => {
      const own = new URL(await provider.visit(await leave(browser)))
      own.searchParams.delete('code')
      return own.href
    },
  }
  for (const [name, attempt] of Object.entries(attempts)) {
    const browser = new Browser(app)
    const callback = pathOf(await attempt(browser))
    const answer = await refused(t, app, name, () => browser.get(callback))
    t.equal(answer.statusCode, 403, name)
    t.match(message(answer.body), /could not be completed|has expired/, name)
    t.equal(browser.cookies.has('__Host-svc_session'), false, name)
  }
  t.equal(await app.accounts.findByEmail('ann@example.org'), null)

  provider.state.denies = true
  const browser = new Browser(app)
  const denied = await browser.get(pathOf(await provider.visit(await leave(browser))))
  t.equal(denied.statusCode, 403)
  t.match(message(denied.body), /You did not sign in at 127\.0\.0\.1/)

  const tired = await browser.get(pathOf(await provider.visit(await leave(browser))))
  t.equal(tired.statusCode, 403)
  for (let i = 0; i < 4; i++) await browser.get(pathOf(await provider.visit(await leave(browser))))
  const limited = await browser.get(pathOf(await provider.visit(await leave(browser))))
  t.equal(limited.statusCode, 429, 'failures are throttled like wrong passwords')
  t.ok(limited.headers['retry-after'])
})

t.test('an assistant is connected through the provider', async t => {
  const { app, provider } = await start(t, { OIDC_ALLOWED_DOMAINS: 'example.org' })
  provider.state.person = ANN
  const assistant = await Assistant.registered(app)
  const consent = await assistant.consentPage()
  const { headers } = await assistant.browser.get(consent)
  const login = String(headers.location)
  t.match(login, /^\/login\?request=/)
  provider.state.denies = true
  const refusal = await assistant.browser.get(
    pathOf(await provider.visit(await leave(assistant.browser, login))),
  )
  t.match(hiddenFields(refusal.body, '/login').request, /[\w-]{100}/, 'the request is kept for another try')
  provider.state.denies = false
  const back = await signIn(assistant.browser, provider, ANN, login)
  t.match(back, { statusCode: 303, headers: { location: consent } })
  const decided = await assistant.decide(consent, { decision: 'approve' })
  const code = new URL(String(decided.headers.location)).searchParams.get('code') ?? ''
  const { access_token } = (await assistant.redeem(code)).json()
  t.ok(await assistant.works(access_token))
})

t.test('without the provider, passwords work, and the page says what is wrong', async t => {
  const { app, provider } = await start(t)
  await provider.stop()
  const browser = new Browser(app)
  const answer = await refused(t, app, 'unreachable', () => browser.submit('/login', '/login/provider'))
  t.equal(answer.statusCode, 503)
  t.match(message(answer.body), /does not answer at the moment/)
  t.match(await browser.signIn('admin@example.org'), { statusCode: 303, headers: { location: '/' } })
})

t.test('without OIDC_ISSUER there is no button and no route', async t => {
  const app = await build(t)
  await app.accounts.add('ann@example.org', PASSWORD)
  const browser = new Browser(app)
  t.notMatch((await browser.get('/login')).body, /login\/provider/)
  t.equal((await browser.get('/login/callback?state=x&code=y')).statusCode, 404)
  t.equal((await browser.post('/login/provider', {})).statusCode, 404)
})

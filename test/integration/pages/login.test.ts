import t from 'tap'
import { Passwords } from '../../../domain/accounts/password.js'
import { build } from '../../helper.js'
import { refused } from '../../written.js'
import { Browser, hiddenFields, PASSWORD } from './browser.js'

t.test('C9 signing in and out', async t => {
  const app = await build(t)
  await app.accounts.add('ann@example.org', PASSWORD)
  const browser = new Browser(app)

  const wrong = await browser.submit('/login', '/login', { email: 'ann@example.org', password: 'wrong' })
  const unknown = await browser.submit('/login', '/login', { email: 'bo@example.org', password: 'wrong' })
  t.equal(wrong.statusCode, 400)
  t.equal(unknown.statusCode, 400)
  const message = (page: string) => page.match(/role="alert">(.*?)<\/div>/s)?.[1]
  t.match(message(wrong.body), /Incorrect e-mail or password/)
  t.equal(message(wrong.body), message(unknown.body), 'one message for wrong e-mail and wrong password')
  t.equal(browser.cookies.has('__Host-svc_session'), false)

  const right = await browser.signIn('ann@example.org')
  t.match(right, { statusCode: 303, headers: { location: '/' } })
  const cookie = right.cookies.find(({ name }) => name === '__Host-svc_session')
  t.match(cookie, { httpOnly: true, sameSite: 'Lax', path: '/', secure: true, domain: undefined })
  t.equal((await browser.get('/')).statusCode, 200)
  t.match(await browser.get('/login'), { statusCode: 303, headers: { location: '/' } })

  const out = await browser.submit('/', '/logout')
  t.match(out, { statusCode: 303, headers: { location: '/login' } })
  t.match(await browser.get('/'), { statusCode: 303, headers: { location: '/login' } })
  browser.cookies.set('__Host-svc_session', cookie!.value)
  t.equal((await browser.get('/')).statusCode, 303, 'the session ended in the store, too')
})

t.test('C9 the session id changes at every login, and the one before ends', async t => {
  const app = await build(t)
  await app.accounts.add('ann@example.org', PASSWORD)
  const fields = { email: 'ann@example.org', password: PASSWORD }
  const handedOut = new Browser(app)
  handedOut.cookies.set('__Host-svc_session', 'A'.repeat(43))
  t.equal((await handedOut.submit('/login', '/login', fields)).statusCode, 303)
  t.match(handedOut.cookies.get('__Host-svc_session'), /^(?!A{43})\w{43}$/, 'nobody can hand out a session')

  const browser = new Browser(app)
  await browser.signIn('ann@example.org')
  const before = browser.cookies.get('__Host-svc_session')!
  const next = { current: PASSWORD, next: `new ${PASSWORD}` }
  t.equal((await browser.submit('/account', '/account/password', next)).statusCode, 303)
  t.not(browser.cookies.get('__Host-svc_session'), before)
  t.equal((await browser.get('/account')).statusCode, 200)
  const old = new Browser(app)
  old.cookies.set('__Host-svc_session', before)
  t.match(await old.get('/account'), { statusCode: 303, headers: { location: '/login' } })
})

t.test('C9 an address that failed ten times gets a page with 429 and Retry-After', async t => {
  const app = await build(t)
  await app.accounts.add('ann@example.org', PASSWORD)
  const browser = new Browser(app)
  const form = hiddenFields((await browser.get('/login')).body, '/login')
  const guess = (i: number) =>
    browser.post('/login', { ...form, email: `guess-${i}@example.org`, password: 'wrong' })
  const statuses: number[] = []
  // The maximum that one address may have in progress.
  for (let i = 0; i < 12; i += 4)
    for (const { statusCode } of await Promise.all([0, 1, 2, 3].map(j => guess(i + j))))
      statuses.push(statusCode)
  t.same(statuses.filter(status => status === 429).length, 2)
  const right = { ...form, email: 'ann@example.org', password: PASSWORD }
  const late = await refused(t, app, 'the right one, too late', () => browser.post('/login', right))
  t.equal(late.statusCode, 429)
  t.match(late.headers['retry-after'], /^(?:[1-9]|[1-5]\d|60)$/)
  t.match(late.body, /role="alert">.*Too many wrong passwords/s)
  t.equal(browser.cookies.has('__Host-svc_session'), false)
})

t.test('C9 a browser that has signed in before comes before strangers, as that account only', async t => {
  const app = await build(t)
  await app.accounts.add('bob@example.org', PASSWORD)
  const browser = new Browser(app)
  const { cookies } = await browser.signIn('ann@example.org')
  const device = cookies.find(({ name }) => name === '__Host-svc_device')
  t.match(device, { httpOnly: true, secure: true, sameSite: 'Lax', path: '/', maxAge: 400 * 86_400 })
  await browser.submit('/', '/logout')
  const { verify } = Passwords.prototype
  const senders: unknown[] = []
  Passwords.prototype.verify = function (password, phc, sender) {
    senders.push(sender)
    return verify.call(this, password, phc, sender)
  }
  t.teardown(() => {
    Passwords.prototype.verify = verify
  })
  const ann = await app.accounts.findByEmail('ann@example.org')
  await browser.submit('/login', '/login', { email: 'Ann@example.org', password: 'wrong' })
  await browser.submit('/login', '/login', { email: 'bob@example.org', password: 'wrong' })
  browser.cookies.set('__Host-svc_device', `${device?.value.slice(0, -1)}!`)
  await browser.submit('/login', '/login', { email: 'ann@example.org', password: 'wrong' })
  const stranger = { key: '127.0.0.1', isKnown: false }
  t.strictSame(senders, [{ key: ann?.id, isKnown: true }, stranger, stranger])
  t.match(await browser.get('/account'), { statusCode: 303 }, 'and it is no way in')
})

t.test('C9 cookies need no https on localhost', async t => {
  const app = await build(t, { env: { BASE_URL: 'http://localhost:3000' } })
  const browser = new Browser(app)
  const { cookies } = await browser.signIn('ann@example.org')
  const cookie = cookies.find(({ name }) => name === 'svc_session')
  t.match(cookie, { httpOnly: true, sameSite: 'Lax', path: '/' })
  t.notOk(cookie!.secure)
})

t.test('C9 login returns to an authorization request by its id, never to a URL', async t => {
  const app = await build(t)
  await app.accounts.add('ann@example.org', PASSWORD)
  const id = 'R'.repeat(43)
  const browser = new Browser(app)
  const fields = { email: 'ann@example.org', password: PASSWORD }
  const back = await browser.submit(`/login?request=${id}`, '/login', fields)
  t.match(back, { statusCode: 303, headers: { location: `/oauth/consent/${id}` } })
  t.match(await browser.get(`/login?request=${id}`), { headers: { location: `/oauth/consent/${id}` } })
  for (const bad of ['https://evil.example', '//evil.example', '../people', 'a/b']) {
    const refused = await browser.get(`/login?request=${encodeURIComponent(bad)}`)
    t.equal(refused.statusCode, 400, bad)
    t.equal(refused.headers.location, undefined)
  }
  const { body } = await browser.get('/')
  const out = await browser.post(`/logout?request=${id}`, hiddenFields(body, '/logout'))
  t.match(
    out,
    { statusCode: 303, headers: { location: `/login?request=${id}` } },
    'switching accounts comes back',
  )
})

t.test('MCP and OAuth requests never read cookies', async t => {
  const app = await build(t)
  const browser = new Browser(app)
  await browser.signIn('ann@example.org')
  app.loginSessions.find = async () => t.fail('a session was loaded') as never
  for (const url of [
    '/healthz',
    '/.well-known/oauth-authorization-server',
    '/assets/style.css',
    '/oauth/token',
  ]) {
    const response = await browser.get(url)
    t.equal(response.headers['set-cookie'], undefined, url)
  }
})

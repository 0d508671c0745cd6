import type { AddressInfo } from 'node:net'
import t from 'tap'
import { random } from '../../../platform/common/secrets.js'
import { build } from '../../helper.js'
import { refused, writesNothing } from '../../written.js'
import { Browser, hiddenFields, PASSWORD, type Response } from '../pages/browser.js'
import { Assistant, assistantOf, BASE } from './assistant.js'

const approve = { decision: 'approve' }
t.test('nothing is stored for who asks at /oauth/authorize, signed in or not', async t => {
  const app = await build(t)
  const assistant = await Assistant.registered(app)
  const flow = async () => {
    const page = await assistant.consentPage({ state: 's'.repeat(4000) })
    t.notMatch(page, /s{8}|%73%73/, 'nothing of it shows in the address')
    return page
  }
  await writesNothing(t, app, 'a stranger', async () => {
    for (let i = 0; i < 20; i++) await flow()
    const page = await flow()
    await assistant.browser.get(page)
    await assistant.browser.get(page.replace('/oauth/consent/', '/login?request='))
  })
  await assistant.browser.signIn('ann@a.example')
  await writesNothing(t, app, 'an account', async () => {
    for (let i = 0; i < 20; i++) t.equal((await assistant.browser.get(await flow())).statusCode, 200)
  })
})

t.test('C2 two flows that start at the same moment in a browser without cookies', async t => {
  const app = await build(t)
  await app.accounts.add('ann@a.example', PASSWORD)
  const [one, other] = [await Assistant.registered(app), await Assistant.registered(app)]
  const browser = new Browser(app)
  Object.assign(one, { browser })
  Object.assign(other, { browser })
  // All responses are created before the browser has a cookie; then it stores the cookie of each.
  const assistants = [one, other, one]
  const answers = await Promise.all(assistants.map(assistant => assistant.authorize()))
  const pages = answers.map(({ headers }) => String(headers.location))
  const login = (page: string) => page.replace('/oauth/consent/', '/login?request=')
  const forms: Record<string, string>[] = []
  for (const page of pages) forms.push(hiddenFields((await browser.get(login(page))).body, '/login'))
  const fields = { email: 'ann@a.example', password: PASSWORD }
  const signedIn: Response[] = []
  // The sign-in page in a second tab works after the first tab signed in, and the first tab can still
  // submit.
  signedIn.push(await browser.post('/login', { ...forms[0], ...fields }))
  const first = hiddenFields((await browser.get(pages[0] ?? '')).body, pages[0] ?? '')
  for (const form of forms.slice(1)) signedIn.push(await browser.post('/login', { ...form, ...fields }))
  for (const [i, { statusCode, headers }] of signedIn.entries()) {
    t.equal(statusCode, 303)
    t.equal(headers.location, pages[i])
  }
  t.equal((await browser.post(pages[0] ?? '', { ...first, ...approve })).statusCode, 303)
  for (const [i, assistant] of assistants.entries()) {
    if (i === 0) continue
    const { statusCode, headers } = await assistant.decide(pages[i] ?? '', approve)
    t.equal(statusCode, 303)
    const code = new URL(String(headers.location)).searchParams.get('code') ?? ''
    t.equal((await assistant.redeem(code)).statusCode, 200)
  }
  // One cookie for each page that found none, one for the session, one for the device.
  t.ok(browser.cookies.size <= 5)
})

t.test('C2 who signs in as somebody else in a second tab is somebody else in both', async t => {
  const app = await build(t)
  const assistant = await Assistant.registered(app)
  const { browser } = assistant
  await app.accounts.add('bob@a.example', PASSWORD)
  const form = hiddenFields((await browser.get('/login?request=')).body, '/login')
  t.strictSame(form, {}, 'an empty id is none')
  const second = hiddenFields((await browser.get('/setup')).body, '/setup')
  t.strictSame(second, {})
  const login = hiddenFields((await browser.get('/login')).body, '/login')
  await browser.signIn('ann@a.example')
  const page = await assistant.consentPage()
  const fields = hiddenFields((await browser.get(page)).body, page)
  await browser.post('/login', { ...login, email: 'bob@a.example', password: PASSWORD })
  const response = await refused(t, app, "Ann's page", () => browser.post(page, { ...fields, ...approve }))
  t.equal(response.statusCode, 403)
})

t.test('A11 a query of 8 KiB goes all the way on real sockets, also as the referrer', async t => {
  const app = await build(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const { assistant } = await assistantOf(app)
  const rest = assistant.authorizeUrl({ state: '' }).split('?')[1]?.length ?? 0
  const state = random(8192)
    .toString('base64url')
    .slice(0, 8192 - rest)
  const cookie = [...assistant.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const visit = (path: string, body?: URLSearchParams) => {
    const headers = { cookie, referer: `${BASE}${path}` }
    const more = body ? { method: 'POST', body } : {}
    return fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', headers, ...more })
  }
  const asked = await visit(assistant.authorizeUrl({ state }))
  t.equal(asked.status, 302)
  const page = asked.headers.get('location') ?? ''
  const shown = await visit(page)
  t.equal(shown.status, 200)
  const fields = { ...hiddenFields(await shown.text(), page), ...approve }
  const decided = await visit(page, new URLSearchParams(fields))
  t.equal(new URL(decided.headers.get('location') ?? '').searchParams.get('state'), state)
})

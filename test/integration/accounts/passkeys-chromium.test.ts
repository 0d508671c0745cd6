// The script of the pages with Chromium's virtual authenticator.
import { createHash } from 'node:crypto'
import t from 'tap'
import { openBrowser, openCallback } from '../../e2e/browser.js'
import { freePort } from '../../free-port.js'
import { build } from '../../helper.js'
import { PASSWORD } from '../pages/browser.js'

const EMAIL = 'ann@example.org'

t.test('a passkey is created on the account page and connects an assistant', async t => {
  const port = await freePort()
  const baseURL = `http://localhost:${port}`
  const app = await build(t, { env: { BASE_URL: baseURL } })
  await app.listen({ port, host: 'localhost' })
  const { id } = await app.accounts.add(EMAIL, PASSWORD)
  const context = await openBrowser(t, { baseURL })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const
  const abilities = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, ...abilities },
  })

  await page.goto('/login')
  await page.fill('#email', EMAIL)
  await page.fill('#password', PASSWORD)
  await page.click('main form button')
  await page.waitForURL('/')
  await page.goto('/account')
  await page.fill('#passkey-password', PASSWORD)
  await page.click('text="Add a passkey"')
  await page.fill('#name', 'My laptop')
  await page.click('text="Create the passkey"')
  await page.waitForURL('/account')
  t.match(await app.passkeys?.listFor(id), [{ name: 'My laptop' }])
  await page.fill('#removed-password', PASSWORD)
  await page.click('button:text("Remove the password")')
  await page.waitForURL('/account')
  t.equal(await app.accounts.passwords.has(id), false)
  await page.click('[data-menu] > summary')
  await page.click('text="Sign out"')
  await page.waitForURL('/login')

  const callback = await openCallback(t)
  const registered = await fetch(`${baseURL}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [callback.uri], client_name: 'Assistant' }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const code_challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url')
  const query = { response_type: 'code', client_id, redirect_uri: callback.uri, state: 's' }
  const challenge = { code_challenge, code_challenge_method: 'S256' }
  await page.goto(`/oauth/authorize?${new URLSearchParams({ ...query, ...challenge })}`)
  await page.click('text="Sign in with a passkey"')
  await page.waitForURL(/\/oauth\/consent\//)
  await page.click('button[name=decision][value=approve]')
  const { searchParams } = await callback.received
  t.match(searchParams.get('code'), /^svc_ac_/)

  await context.clearCookies({ name: 'svc_session' })
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.goto('/login')
  await page.click('text="Sign in with a passkey"')
  await page.waitForSelector('form [role=alert]:has-text("Signing in with a passkey did not work")')
  t.match(page.url(), /\/login$/, 'who is not verified stays there')
})

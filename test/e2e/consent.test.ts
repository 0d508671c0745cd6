import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { decide, openBrowser } from './browser.js'
import { listen, setUpThroughThePage } from './service.js'
import { serve } from './web-server.js'

// RFC 7636 Appendix B
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** A browser whose user is signed in already. */
async function openSignedIn(t: Test) {
  const service = await listen(t)
  const context = await openBrowser(t)
  await setUpThroughThePage(service.app, await context.newPage())
  return { ...service, context }
}

const { baseUrl, context } = await openSignedIn(t)

for (const decision of ['approve', 'deny'] as const) {
  t.test(
    `C6 a callback on another origin may lead on to a custom scheme (${decision}, Chromium)`,
    async t => {
      const page = await context.newPage()
      const callback = await openRelay(t)
      const client = await register(baseUrl, callback.uri)
      const violations: string[] = []
      page.on('console', message => {
        if (/Content Security Policy/i.test(message.text())) violations.push(message.text())
      })
      const left = page.waitForRequest(request => request.url().startsWith(callback.uri))

      // Chromium stays on the page when it passes a custom scheme to the system.
      await decide(page, authorizationUrl(baseUrl, client, callback.uri), decision).catch(() => {})
      await left
      const received = new URL(await callback.received)
      t.equal(received.searchParams.has('code'), decision === 'approve')
      t.equal(received.searchParams.get('error'), decision === 'deny' ? 'access_denied' : null)
      t.equal(received.searchParams.get('iss'), baseUrl)
      t.same(violations, [], 'no policy of ours stood in the way')
    },
  )
}

t.test('C5 an app with its own scheme is opened by itself, and its page stays (Chromium)', async t => {
  const page = await context.newPage()
  const redirectUri = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const client = await register(baseUrl, redirectUri)
  const session = await context.newCDPSession(page)
  await session.send('Page.enable')
  const opened = new Promise<{ url: string; reason: string }>(resolve => {
    session.on('Page.frameRequestedNavigation', event => {
      if (event.url.startsWith('cursor:')) resolve(event)
    })
  })
  await decide(page, authorizationUrl(baseUrl, client, redirectUri))
  const { url, reason } = await opened
  t.equal(reason, 'metaTagRefresh')
  t.match(url, /^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=\w+&iss=/)
  t.equal(await page.locator('h1').textContent(), 'Connected. You can return to Some app')
  t.equal(await page.getByRole('link', { name: 'Return to Some app' }).getAttribute('href'), url)
})

/** A web callback of a hosted app: it sends the browser on to the app's own scheme. */
async function openRelay(t: Test): Promise<{ uri: string; received: Promise<string> }> {
  let receive: (url: string) => void = () => {}
  const received = new Promise<string>(resolve => {
    receive = resolve
  })
  const origin = await serve(t, (request, response) => {
    const url = new URL(request.url ?? '/', origin)
    if (url.pathname === '/callback') receive(url.href)
    response.writeHead(302, { location: `some-app.example://done${url.search}` }).end()
  })
  return { uri: `${origin}/callback`, received }
}

async function register(baseUrl: string, redirectUri: string): Promise<string> {
  const response = await fetch(`${baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Some app', redirect_uris: [redirectUri] }),
  })
  return ((await response.json()) as { client_id: string }).client_id
}

function authorizationUrl(baseUrl: string, clientId: string, redirectUri: string): URL {
  const url = new URL(`${baseUrl}/oauth/authorize`)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  return url
}

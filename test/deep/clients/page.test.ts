import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { decide } from '../../e2e/browser.js'
import { listenWithSafes } from '../../e2e/service.js'
import { serve } from '../../e2e/web-server.js'

// RFC 7636 Appendix B
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

t.test(`M3, P8, T1 an assistant that is a web page, like MCP Inspector, goes the whole way`, async t => {
  const { baseUrl, page: owner, safe } = await listenWithSafes(t)
  const { origin, page } = await openPage(t, owner)
  const { get, post, rpc, remove } = requestsOf(page, baseUrl)

  const challenge = { 'www-authenticate': /resource_metadata="/ }
  t.match(await rpc('ping'), { status: 401, headers: challenge })
  const resource = `${baseUrl}/mcp/v1`
  t.match(await get('/.well-known/oauth-protected-resource/mcp/v1'), { status: 200, body: { resource } })
  t.match(await get('/.well-known/oauth-authorization-server'), {
    status: 200,
    body: { issuer: baseUrl },
  })
  t.match(await get('/.well-known/openid-configuration'), { status: 404 }, 'read, and passed over')

  const redirect_uri = `${origin}/oauth/callback`
  const registered = await post('/oauth/register', JSON.stringify({ redirect_uris: [redirect_uri] }))
  const { client_id } = registered.body
  const asked = { response_type: 'code', client_id, redirect_uri, resource, scope: 'vault:read' }
  const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
  const query = new URLSearchParams({ ...asked, ...pkce })
  await decide(owner, new URL(`${baseUrl}/oauth/authorize?${query}`))
  await owner.waitForURL(/\/oauth\/callback/)
  const code = new URL(owner.url()).searchParams.get('code')!
  const grant = { grant_type: 'authorization_code', code, redirect_uri, client_id }
  const tokens = await post('/oauth/token', new URLSearchParams({ ...grant, code_verifier: VERIFIER }))
  t.match(tokens, { status: 200, body: { token_type: 'Bearer' } })

  const bearer = { authorization: `Bearer ${tokens.body.access_token}` }
  const clientInfo = { name: 'page', version: '1' }
  const opened = await rpc(
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    bearer,
  )
  const session = { ...bearer, 'mcp-session-id': opened.headers['mcp-session-id'] ?? '' }
  const select = { name: 'svc_select_safe', arguments: { safe: safe.id } }
  const selected = await rpc('tools/call', select, session)
  t.match(selected, { status: 200, body: { result: { structuredContent: { safe: { id: safe.id } } } } })
  t.match(await get('/mcp/v1', session), { status: 405 })
  t.match(await remove('/mcp/v1', session), { status: 204 })

  const revoked = new URLSearchParams({ token: tokens.body.refresh_token, client_id })
  t.match(await post('/oauth/revoke', revoked), { status: 200 })
  const invalid = { 'www-authenticate': /error="invalid_token"/ }
  t.match(await rpc('ping', {}, bearer), { status: 401, headers: invalid })
})

type Headers = Record<string, string>

/** Requests by a script of the page: the browser decides what may be sent and what the script may read. */
function requestsOf(page: Page, baseUrl: string) {
  const send = (method: string, path: string, headers: Headers, body?: string) =>
    page.evaluate(
      async ([url, init]) => {
        const response = await fetch(url, init)
        const text = await response.text()
        const headers: Headers = Object.fromEntries(response.headers)
        return { status: response.status, headers, body: text ? JSON.parse(text) : null }
      },
      [
        baseUrl + path,
        { method, headers: { 'mcp-protocol-version': '2025-11-25', ...headers }, ...(body && { body }) },
      ] as const,
    )
  const post = (path: string, body: string | URLSearchParams, headers: Headers = {}) => {
    const type = typeof body === 'string' ? 'application/json' : 'application/x-www-form-urlencoded'
    return send('POST', path, { 'content-type': type, ...headers }, String(body))
  }
  return {
    get: (path: string, headers: Headers = {}) => send('GET', path, headers),
    remove: (path: string, headers: Headers) => send('DELETE', path, headers),
    post,
    rpc: (method: string, params: object = {}, headers: Headers = {}) =>
      post('/mcp/v1', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers),
  }
}

/** A web page on an origin of its own, in the owner's browser. */
async function openPage(t: Test, owner: Page): Promise<{ origin: string; page: Page }> {
  const origin = await serve(t, (_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>Inspector</title>')
  })
  const page = await owner.context().browser()!.newPage()
  await page.goto(origin)
  return { origin, page }
}

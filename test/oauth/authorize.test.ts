import t from 'tap'
import { sqlClientStore } from '../../plugins/oauth/client-sql-store.js'
import { build } from '../helper.js'
import { Assistant, BASE, CALLBACK, type Fields } from './assistant.js'

const CONSENT = /^\/oauth\/consent\/[0-9A-Za-z]{43}$/
const PAGE_HEADERS = {
  'content-type': /^text\/html/,
  'cache-control': 'no-store',
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

t.test('/oauth/authorize', async t => {
  const app = await build(t)
  const assistant = await Assistant.registered(app)
  const kept = async () =>
    (await app.database.read.selectFrom('authorization_requests').selectAll().execute()).length

  t.test('SPEC §4.2 a good request leads to the consent page; M6 the alias, too', async t => {
    for (const path of ['/oauth/authorize', '/authorize']) {
      const response = await assistant.browser.get(assistant.authorizeUrl({}, path))
      t.equal(response.statusCode, 302)
      t.match(response.headers, { location: CONSENT, 'cache-control': 'no-store' })
    }
    t.equal(await kept(), 2)
  })

  t.test('A11 what is unknown is ignored', async t => {
    t.match((await assistant.authorize({ prompt: 'none', nonce: 'x' })).headers.location, CONSENT)
  })

  t.test('A1, A2 without a good client and redirect URI there is a page and no redirect', async t => {
    const before = await kept()
    const cases: [string, Fields][] = [
      ['A1 client_id missing', { client_id: undefined }],
      ['A1 client_id empty', { client_id: '' }],
      ['A1 client_id repeated', { client_id: [assistant.clientId, assistant.clientId] }],
      ['A1 client_id unknown', { client_id: `svc_client_${'0'.repeat(22)}_${'0'.repeat(22)}` }],
      ['A1 client_id with NUL', { client_id: 'a\0' }],
      ['A2 redirect_uri missing', { redirect_uri: undefined }],
      ['A2 redirect_uri repeated', { redirect_uri: [CALLBACK, CALLBACK] }],
      ['A2 unregistered', { redirect_uri: 'https://evil.example/cb' }],
      ['A2 fragment', { redirect_uri: `${CALLBACK}#x` }],
      ['A2 user name', { redirect_uri: 'https://u@assistant.example/cb' }],
      ['A2 control character', { redirect_uri: `${CALLBACK}\n` }],
      ['A2 dangerous scheme', { redirect_uri: 'javascript:alert(1)' }],
      ['A3 extra slash', { redirect_uri: `${CALLBACK}/` }],
      ['A3 extra query', { redirect_uri: `${CALLBACK}?x=1` }],
      ['A3 look-alike', { redirect_uri: 'https://claude.ai.evil.com/api/mcp/auth_callback' }],
    ]
    for (const [name, changes] of cases) {
      for (const accept of ['text/html', '*/*']) {
        const url = assistant.authorizeUrl(changes)
        const response = await assistant.browser.send({ url, headers: { accept } })
        t.equal(response.statusCode, 400, name)
        t.equal(response.headers.location, undefined, name)
        t.match(response.headers, PAGE_HEADERS, name)
      }
    }
    t.equal(await kept(), before)
    t.match((await assistant.authorize({ client_id: 'x' })).body, /Claude.*Cursor/s, 'A1 says what to do')
  })

  t.test('A5 to A11 every other fault goes back to the client', async t => {
    const before = await kept()
    const cases: [string, Fields, string][] = [
      ['A6 response_type missing', { response_type: undefined }, 'invalid_request'],
      ['A6 response_type token', { response_type: 'token' }, 'unsupported_response_type'],
      ['A7 code_challenge missing', { code_challenge: undefined }, 'invalid_request'],
      ['A7 code_challenge short', { code_challenge: 'x'.repeat(42) }, 'invalid_request'],
      ['A7 code_challenge no base64url', { code_challenge: `${'x'.repeat(42)}=` }, 'invalid_request'],
      ['A7 method missing', { code_challenge_method: undefined }, 'invalid_request'],
      ['A7 method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['A7 method s256', { code_challenge_method: 's256' }, 'invalid_request'],
      ['A8 repeated scope', { scope: ['vault:read', 'vault:read'] }, 'invalid_request'],
      ['A8 repeated resource', { resource: [BASE, BASE] }, 'invalid_target'],
      ['A9 bad characters', { scope: 'vault:read"' }, 'invalid_scope'],
      ['A9 nothing known', { scope: 'openid' }, 'invalid_scope'],
      ['A10 relative', { resource: '/mcp/v1' }, 'invalid_target'],
      ['A10 fragment', { resource: `${BASE}/mcp/v1#x` }, 'invalid_target'],
      ['A10 foreign', { resource: 'https://evil.example/mcp/v1' }, 'invalid_target'],
      ['A10 unknown path', { resource: `${BASE}/mcp/v10` }, 'invalid_target'],
      ['A11 request', { request: 'x' }, 'request_not_supported'],
      ['A11 request_uri', { request_uri: 'https://x.example' }, 'request_uri_not_supported'],
      ['NUL', { scope: 'vault:read\0' }, 'invalid_request'],
    ]
    for (const [name, changes, error] of cases) {
      const response = await assistant.authorize(changes)
      t.equal(response.statusCode, 302, name)
      const location = new URL(String(response.headers.location))
      t.equal(`${location.origin}${location.pathname}`, CALLBACK, name)
      const answer = location.searchParams
      t.strictSame([...answer.keys()], ['error', 'error_description', 'state', 'iss'], name)
      t.equal(answer.get('error'), error, name)
      t.equal(answer.get('state'), 'a state/+&', name)
      t.equal(answer.get('iss'), BASE, name)
    }
    t.equal(await kept(), before)
  })

  t.test('A5 state goes back byte for byte; A8 a repeated one does not', async t => {
    const url = `${assistant.authorizeUrl({ state: undefined, response_type: 'token' })}`
    const answer = async (query: string) => (await assistant.browser.get(url + query)).headers.location
    const states = ['', 'a+b%20c', '%7B%22x%22%3A1%7D', '~-._!*()', '%FF%zz', 'x=y', 'a%00b']
    for (const state of states) t.match(await answer(`&state=${state}`), `&state=${state}&iss=`, state)
    t.match(await answer('&%73tate=x'), '&state=x&iss=')
    t.notMatch(await answer(''), 'state=')
    t.notMatch(await answer('&state=a&state=b'), 'state=')
    t.match(await answer('&state=a&state=b'), 'error=invalid_request')
  })

  t.test('A11 an over-long query is a page', async t => {
    const response = await assistant.authorize({ x: 'x'.repeat(8 * 1024) })
    t.equal(response.statusCode, 414)
    t.equal(response.headers.location, undefined)
  })

  t.test('A12 HEAD changes nothing, other methods are 405', async t => {
    const before = await kept()
    const url = assistant.authorizeUrl()
    t.equal((await assistant.browser.send({ method: 'HEAD', url })).statusCode, 200)
    t.equal(await kept(), before)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'] as const) {
      const response = await assistant.browser.send({ method, url })
      t.equal(response.statusCode, 405)
      t.equal(response.headers.allow, 'GET, HEAD')
    }
    t.equal(await kept(), before)
  })

  t.test('A4 known callbacks and loopback are open to every registered client', async t => {
    const known = [
      'https://claude.ai/api/mcp/auth_callback',
      'https://chatgpt.com/connector/oauth/abc',
      'http://127.0.0.1:5000/any/path',
    ]
    for (const redirect_uri of known) {
      t.match((await assistant.authorize({ redirect_uri })).headers.location, CONSENT, redirect_uri)
    }
  })

  t.test(
    'DESIGN §5.5 a forgotten client comes back with a known callback, and is stored on approval',
    async t => {
      const forgotten = await Assistant.registered(app)
      await forgotten.browser.signIn('ann@a.example')
      const store = sqlClientStore(app.database)
      await store.removeUnused(Date.now() + 1)
      t.equal((await forgotten.authorize()).statusCode, 400, 'not with another callback')
      t.equal(
        (await forgotten.authorize({ redirect_uri: 'http://localhost/cb' })).statusCode,
        400,
        'not loopback',
      )
      const redirect_uri = 'https://claude.ai/api/mcp/auth_callback'
      const forged = `svc_client_${'A'.repeat(22)}_${'A'.repeat(22)}`
      t.equal(
        (await forgotten.authorize({ redirect_uri, client_id: forged })).statusCode,
        400,
        'not a forged id',
      )
      const page = await forgotten.consentPage({ redirect_uri })
      t.match(page, CONSENT)
      t.equal(await store.find(forgotten.clientId), null, 'not by the request alone')
      const { headers } = await forgotten.decide(page, { decision: 'approve' })
      const code = new URL(String(headers.location)).searchParams.get('code') ?? ''
      t.equal((await forgotten.redeem(code, { redirect_uri })).statusCode, 200)
      t.match(await store.find(forgotten.clientId), { redirectUris: [redirect_uri] })
    },
  )
})

import t from 'tap'
import { ClientStore } from '../../../domain/oauth/stores/client.sql.js'
import { build } from '../../helper.js'
import { sendRaw } from '../../socket.js'
import { refused, stored, writesNothing } from '../../written.js'
import { Assistant, assistantOf, CALLBACK, type Fields } from './assistant.js'

const CONSENT = /^\/oauth\/consent\/[\w-]{200,}$/
const PAGE_HEADERS = {
  'content-type': /^text\/html/,
  'cache-control': 'no-store',
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}
const OWN_QUERY = 'https://assistant.example/q?x=%41+b&y'

/**
 * Requests that end on an error page, because no redirect is safe: a title and the changes to a valid
 * request.
 */
const toPage: [name: string, changes: (id: string) => Fields][] = [
  ['A1 client_id missing', () => ({ client_id: undefined })],
  ['A1 client_id repeated', id => ({ client_id: [id, id] })],
  ['A1 client_id unknown', id => ({ client_id: `${id}x` })],
  ['A1 client_id with NUL', () => ({ client_id: 'a\0' })],
  ['A1 comes before all other faults', () => ({ client_id: 'x', redirect_uri: CALLBACK, response_type: '' })],
  ['A2 redirect_uri missing', () => ({ redirect_uri: undefined })],
  ['A2 redirect_uri repeated', () => ({ redirect_uri: [CALLBACK, 'https://evil.example/'] })],
  ['A2 redirect_uri with NUL', () => ({ redirect_uri: `${CALLBACK}\0` })],
  ['A2 comes before all other faults', () => ({ redirect_uri: 'https://evil.example/', response_type: '' })],
  ['A3 own query left out', () => ({ redirect_uri: 'https://assistant.example/q' })],
  ['A4 another path of a known host', () => ({ redirect_uri: 'https://claude.ai/share/x' })],
]

t.test('the authorization endpoint', async t => {
  const app = await build(t)
  const assistant = await Assistant.registered(app, [CALLBACK, OWN_QUERY])
  const id = assistant.clientId
  await app.listen({ port: 0, host: '127.0.0.1' })

  t.test('M6 a good request leads to the consent page, by either path (SPEC §4.2)', async t => {
    for (const path of ['/oauth/authorize', '/authorize']) {
      const before = await stored(app)
      const response = await assistant.browser.get(assistant.authorizeUrl({}, path))
      t.equal(response.statusCode, 302)
      t.match(response.headers, { location: CONSENT, 'cache-control': 'no-store' })
      t.strictSame(await stored(app), before, 'nothing is stored before a decision')
    }
  })

  t.test('A1, A2, A3, A4 without a good client and redirect URI: a page, and no redirect', async t => {
    for (const [name, changes] of toPage) {
      for (const accept of ['text/html', '*/*']) {
        const url = assistant.authorizeUrl(changes(id))
        const send = () => assistant.browser.send({ url, headers: { accept } })
        const response = await refused(t, app, name, send)
        t.match(response, { statusCode: 400, headers: { ...PAGE_HEADERS, location: undefined } }, name)
      }
    }
  })

  t.test(
    'A2 a client that registered one redirect_uri need not send it (RFC 6749 §3.1.2.3, OAuth 2.1 §4.1.1)',
    async t => {
      const other = await Assistant.registered(app, ['http://localhost:3118/callback'])
      for (const redirect_uri of [undefined, '']) {
        t.match(await other.consentPage({ redirect_uri }), CONSENT)
        const { headers } = await other.authorize({ redirect_uri, response_type: 'token' })
        t.match(headers.location, /^http:\/\/localhost:3118\/callback\?error=unsupported_response_type/)
      }
    },
  )

  t.test('A1 the page says what to do in each assistant', async t => {
    const { body } = await assistant.authorize({ client_id: 'x' })
    for (const name of ['Claude', 'ChatGPT', 'Cursor', 'VS Code']) t.ok(body.includes(name), name)
    t.match(body, /remove this connector.*add it again/)
  })

  t.test('A11 a query over 8 KiB is a page', async t => {
    const url = assistant.authorizeUrl({ x: '' })
    const query = url.length - url.indexOf('?') - 1
    t.match((await assistant.browser.get(url + 'x'.repeat(8192 - query))).headers.location, CONSENT)
    const long = await refused(t, app, '8 KiB', () => assistant.browser.get(url + 'x'.repeat(8193 - query)))
    t.equal(long.statusCode, 414)
    t.match(long.headers, PAGE_HEADERS)
    t.equal(long.headers.location, undefined)
    t.equal((await sendRaw(app, `GET ${url}${'x'.repeat(40_000)}`)).status, 431, "over Node's own limit")
  })

  t.test('A12 HEAD has no side effect, on good and on bad requests', async t => {
    for (const changes of [{}, { client_id: 'x' }, { response_type: 'x' }] as Fields[]) {
      await writesNothing(t, app, JSON.stringify(changes), async () => {
        const url = assistant.authorizeUrl(changes)
        t.equal((await assistant.browser.send({ method: 'HEAD', url })).body, '')
      })
    }
  })

  t.test('DESIGN §5.5 a forgotten client with a known callback is stored again on approval', async t => {
    const { assistant: forgotten } = await assistantOf(app)
    const store = new ClientStore(app.database)
    await store.removeUnused(Date.now() + 1)
    const redirect_uri = 'https://claude.ai/api/mcp/auth_callback'
    const forged = { redirect_uri, client_id: `svc_client_${'A'.repeat(22)}_${'A'.repeat(22)}` }
    for (const changes of [{}, { redirect_uri: 'http://localhost/cb' }, forged])
      t.equal((await forgotten.authorize(changes)).statusCode, 400, JSON.stringify(changes))
    const page = await forgotten.consentPage({ redirect_uri })
    t.match(page, CONSENT)
    t.equal(await store.find(forgotten.clientId), null, 'not by the request alone')
    const { headers } = await forgotten.decide(page, { decision: 'approve' })
    const code = new URL(String(headers.location)).searchParams.get('code') ?? ''
    t.equal((await forgotten.redeem(code, { redirect_uri })).statusCode, 200)
    t.match(await store.find(forgotten.clientId), { redirectUris: [redirect_uri] })
  })
})

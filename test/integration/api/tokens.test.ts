import t from 'tap'
import { rpc } from '../../unit/mcp/domain.js'
import { refused } from '../../written.js'
import { assistantOf } from '../oauth/assistant.js'
import { API, BASE, buildApi } from './service.js'

const METADATA = `${BASE}/.well-known/oauth-protected-resource/api/v1`
const BOTH = { resource: `${BASE}${API}`, scope: 'vault:read vault:write' }

t.test('P1 the API has a metadata document of its own (RFC 9728 §3.1)', async t => {
  const { app } = await buildApi(t)
  for (const url of [METADATA, `${METADATA}/`]) {
    const reply = await app.inject(url.slice(BASE.length))
    t.strictSame(reply.json(), {
      resource: `${BASE}${API}`,
      authorization_servers: [BASE],
      bearer_methods_supported: ['header'],
      scopes_supported: ['vault:read', 'vault:write'],
      resource_name: 'Safes (HTTP API)',
    })
    t.equal(reply.headers['access-control-allow-origin'], '*')
  }
})

t.test('P3 without a token 401 names the metadata of the API, and no error (RFC 9728 §5.1)', async t => {
  const { app, harbour } = await buildApi(t)
  for (const url of ['/safes', `/safes/${harbour}/export`, '/nothing']) {
    const reply = await refused(t, app, url, () => app.inject(`${API}${url}`))
    t.equal(reply.statusCode, 401, url)
    t.equal(
      reply.headers['www-authenticate'],
      `Bearer resource_metadata="${METADATA}", scope="vault:read"`,
      url,
    )
    t.equal(reply.headers['cache-control'], 'no-store', url)
    t.match(reply.headers['content-type'], /^application\/problem\+json/, url)
    t.match(reply.json(), { type: 'about:blank', title: 'Unauthorized', status: 401, code: 'unauthorized' })
  }
})

t.test('P4, P5 a token is for the API or for MCP, and 401 names which (RFC 8707 §2.2)', async t => {
  const { app, ann, harbour, issue, program, poster } = await buildApi(t)
  const { accessToken, get } = await program(ann)
  t.equal((await get('/safes')).statusCode, 200)
  for (const url of ['/mcp/v1', `/mcp/v1/${harbour}`]) {
    const { send } = poster({ accessToken }, url)
    const reply = await refused(t, app, url, () => send(rpc(1, 'tools/list')))
    t.equal(reply.statusCode, 401, url)
    t.match(reply.headers['www-authenticate'], /error="invalid_token"/)
    const metadata = `${BASE}/.well-known/oauth-protected-resource${url}`
    t.match(reply.headers['www-authenticate'], `resource_metadata="${metadata}"`)
  }
  const scope = ['vault:read', 'vault:write']
  for (const [name, issued] of [
    ['user-scoped', await issue(ann, { scope })],
    ['pinned', await issue(ann, { scope }, { safeId: harbour })],
  ] as const) {
    const headers = { authorization: `Bearer ${issued.accessToken}` }
    for (const url of ['/safes', `/safes/${harbour}/export`]) {
      const reply = await refused(t, app, name, () => app.inject({ url: `${API}${url}`, headers }))
      t.equal(reply.statusCode, 401, `${name} ${url}`)
      t.match(reply.headers['www-authenticate'], /error="invalid_token"/)
    }
  }
  const old = await issue(ann, { scope, resourceSent: false, chosenSafeIds: [harbour] })
  const headers = { authorization: `Bearer ${old.accessToken}` }
  const reply = await refused(t, app, 'old client', () => app.inject({ url: `${API}/safes`, headers }))
  t.equal(reply.statusCode, 403, 'a client without resource is told where its token works')
})

t.test('the token endpoint keeps the resource; another one is invalid_target', async t => {
  const { app } = await buildApi(t)
  const { assistant } = await assistantOf(app, 'cy@a.example')
  const code = await assistant.code(BOTH)
  const other = await refused(t, app, 'code', () => assistant.redeem(code, { resource: `${BASE}/mcp/v1` }))
  t.equal(other.statusCode, 400)
  t.equal(other.json().error, 'invalid_target')
  const pair = (await assistant.redeem(code, { resource: `${BASE}${API}/` })).json()
  const refresh = () => assistant.refresh(pair.refresh_token, { resource: `${BASE}/mcp/v1` })
  t.equal((await refused(t, app, 'refresh', refresh)).json().error, 'invalid_target')
  const next = (await assistant.refresh(pair.refresh_token)).json()
  const headers = { authorization: `Bearer ${next.access_token}` }
  t.equal((await app.inject({ url: `${API}/safes`, headers })).statusCode, 200, 'refreshed for the API')
  const mcp = await assistant.connect()
  const wrong = () => assistant.refresh(mcp.refresh_token, BOTH)
  t.equal((await refused(t, app, 'the other way', wrong)).json().error, 'invalid_target')
})

t.test('C7 vault:write for the API reads as filling, is not ticked, and may be refused', async t => {
  const { app } = await buildApi(t)
  const { assistant, id: cy } = await assistantOf(app, 'cy@a.example')
  const { id: home } = await app.safes.create(cy, 'Home')
  const page = await assistant.browser.get(await assistant.consentPage(BOTH))
  t.match(page.body, 'add and replace files in the Safes you choose')
  t.match(page.body, 'It asks to read and fill your Safes, as a program, through the HTTP API of')
  t.notMatch(page.body, 'name="propose"')
  t.match(page.body, '<input type="checkbox" name="scope" value="vault:write">')
  t.match(page.body, `name="safe" value="${home}">`, 'no Safe is ticked, which would be a limit')
  t.notMatch(page.body, 'and Safes that you create later')
  const mcp = await assistant.browser.get(await assistant.consentPage({ scope: BOTH.scope }))
  t.match(mcp.body, 'It asks to read and change your Safes on', 'other words for assistants')
  t.match(mcp.body, 'and Safes that you create later')

  const refusal = await assistant.connect(BOTH)
  t.equal(refusal.scope, 'vault:read')
  const headers = { authorization: `Bearer ${refusal.access_token}` }
  const fillings = [
    ['POST', `/safes/${home}/imports`],
    ['DELETE', `/safes/${home}/imports/1`],
    ['POST', `/safes/${home}/uploads`],
    ['POST', `/safes/${home}/sync-runs?name=x`],
  ] as const
  for (const [method, url] of fillings) {
    const tus = { ...headers, 'tus-resumable': '1.0.0' }
    const reply = await refused(t, app, url, () => app.inject({ method, url: `${API}${url}`, headers: tus }))
    t.equal(reply.statusCode, 403, url)
    const challenge = String(reply.headers['www-authenticate'])
    t.match(challenge, 'error="insufficient_scope"', 'RFC 6750 §3.1')
    t.match(challenge, 'scope="vault:read vault:write"')
    t.equal(reply.json().code, 'insufficient_scope')
  }
  const granted = await assistant.connect(BOTH, { scope: 'vault:write' })
  t.equal(granted.scope, 'vault:read vault:write')
})

t.test('one ticked Safe limits a token for the API, which starts nowhere', async t => {
  const { app } = await buildApi(t)
  const { assistant, id: cy } = await assistantOf(app, 'cy@a.example')
  const { id: home } = await app.safes.create(cy, 'Home')
  await app.safes.create(cy, 'Work')
  const { access_token } = await assistant.connect(BOTH, { safe: home })
  const headers = { authorization: `Bearer ${access_token}` }
  const reply = await app.inject({ url: `${API}/safes`, headers })
  t.same(
    reply.json().safes.map(({ id }: { id: string }) => id),
    [home],
  )
})

t.test('P9 a foreign origin is 403; preflights describe uploads', async t => {
  const { app, ann, program, harbour } = await buildApi(t)
  const { send } = await program(ann)
  t.equal((await send('/safes', { headers: { origin: 'https://evil.example' } })).statusCode, 403)
  const own = await send('/safes', { headers: { origin: BASE } })
  t.equal(own.statusCode, 200)
  t.equal(own.headers['access-control-allow-origin'], '*')
  const preflight = await app.inject({ method: 'OPTIONS', url: `${API}/safes/${harbour}/uploads` })
  t.equal(preflight.statusCode, 204)
  t.equal(preflight.headers['tus-version'], '1.0.0')
  t.equal(preflight.headers['tus-max-size'], String(512 * 1024 * 1024))
})

import t from 'tap'
import { sqlClientStore } from '../../plugins/oauth/client-sql-store.js'
import { build, setUps } from '../helper.js'
import { Assistant, CALLBACK } from './assistant.js'

const CLIENT_ID = /^svc_client_[0-9A-Za-z]{22}_[0-9A-Za-z]{22}$/

t.test('G1 a registration is answered with every effective value (RFC 7591 §3.2.1)', async t => {
  const app = await build(t)
  const assistant = new Assistant(app)
  const response = await assistant.register({
    redirect_uris: [CALLBACK],
    client_name: 'Assistant',
    logo_uri: 'x',
  })
  t.equal(response.statusCode, 201)
  t.match(response.headers, { 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
  const { client_id, client_id_issued_at, ...rest } = response.json()
  t.match(client_id, CLIENT_ID)
  t.ok(Number.isInteger(client_id_issued_at))
  t.strictSame(rest, {
    client_name: 'Assistant',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
  t.match(await app.oauth.clients.find(client_id), { name: 'Assistant', redirectUris: [CALLBACK] })
})

t.test('G2, G5 what is refused is refused in JSON, and nothing is stored', async t => {
  const app = await build(t)
  const assistant = new Assistant(app)
  const uris = (redirect_uris: unknown) => ({ redirect_uris })
  const cases: [string, unknown, number, string][] = [
    ['missing', {}, 400, 'invalid_redirect_uri'],
    ['not an array', uris(CALLBACK), 400, 'invalid_redirect_uri'],
    ['empty', uris([]), 400, 'invalid_redirect_uri'],
    ['over 10', uris(Array.from({ length: 11 }, (_, i) => `${CALLBACK}${i}`)), 400, 'invalid_redirect_uri'],
    ['a bad one among good ones', uris([CALLBACK, 'javascript:alert(1)']), 400, 'invalid_redirect_uri'],
    ['http off loopback', uris(['http://a.example/cb']), 400, 'invalid_redirect_uri'],
    ['no object', '[]', 400, 'invalid_client_metadata'],
    ['null', 'null', 400, 'invalid_client_metadata'],
    ['grant_types no list', { ...uris([CALLBACK]), grant_types: 'x' }, 400, 'invalid_client_metadata'],
    ['not JSON', '{', 400, 'invalid_request'],
    ['empty body', '', 400, 'invalid_request'],
    ['over 64 KiB', { ...uris([CALLBACK]), x: 'x'.repeat(64 * 1024) }, 413, 'invalid_request'],
  ]
  for (const [name, body, status, error] of cases) {
    const response = await assistant.register(body)
    t.equal(response.statusCode, status, name)
    t.match(response.json(), { error, error_description: String }, name)
    t.match(response.headers, { 'cache-control': 'no-store', 'access-control-allow-origin': '*' }, name)
  }
  const rows = await app.database.read.selectFrom('clients').selectAll().execute()
  t.equal(rows.length, 0)
  t.equal((await app.inject({ method: 'GET', url: '/oauth/register' })).statusCode, 405)
})

t.test('G3 what real clients register together is accepted; M6 the alias works', async t => {
  const app = await build(t)
  const sets = [
    [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ],
    [
      'https://vscode.dev/redirect',
      'https://insiders.vscode.dev/redirect',
      'http://127.0.0.1/',
      'http://127.0.0.1:33418/',
    ],
  ]
  for (const redirect_uris of sets) {
    const payload = { redirect_uris }
    const response = await app.inject({ method: 'POST', url: '/register', payload })
    t.equal(response.statusCode, 201)
    t.strictSame(response.json().redirect_uris, redirect_uris)
  }
})

t.test('G4, G5 substituted, defaulted and cleaned values', async t => {
  const assistant = new Assistant(await build(t))
  const register = async (members: object, uri = CALLBACK) =>
    (await assistant.register({ redirect_uris: [uri], ...members })).json()
  t.match(await register({ token_endpoint_auth_method: 'client_secret_basic' }), {
    token_endpoint_auth_method: 'none',
  })
  const grant_types = ['refresh_token', 'implicit', 'authorization_code']
  t.strictSame((await register({ grant_types })).grant_types, ['authorization_code', 'refresh_token'])
  t.strictSame((await register({ grant_types: ['implicit'] })).grant_types, ['authorization_code'])
  const names: [unknown, string][] = [
    [' Claude \u202e\u200f\0 Code\n', 'Claude Code'],
    ['x'.repeat(200), 'x'.repeat(100)],
    ['\u202e ', 'assistant.example'],
    [7, 'assistant.example'],
    ['<b>{{x}}</b>', '<b>{{x}}</b>'],
  ]
  for (const [sent, kept] of names) t.equal((await register({ client_name: sent })).client_name, kept)
  t.equal((await register({}, 'http://localhost:1/cb')).client_name, 'App on this computer')
})

for (const setUp of setUps) {
  t.test(`G6 registrations are limited per address (${setUp})`, async t => {
    const app = await build(t, { setUp })
    const register = (url = '/oauth/register', remoteAddress = '192.0.2.1') =>
      app.inject({ method: 'POST', url, remoteAddress, payload: { redirect_uris: [CALLBACK] } })
    const statuses = new Set<number>()
    for (let i = 0; i < 300; i++) statuses.add((await register(i % 2 ? '/register' : undefined)).statusCode)
    t.strictSame([...statuses], [201], '300 an hour are fine')
    const refused = await register()
    t.equal(refused.statusCode, 429)
    t.ok(Number(refused.headers['retry-after']) > 0)
    t.match(refused.json(), { error: 'too_many_requests', error_description: String })
    t.equal((await register('/oauth/register', '192.0.2.2')).statusCode, 201, 'another address')
    if (app.redis) {
      app.redis.disconnect()
      const away = await register('/oauth/register', '192.0.2.3')
      t.equal(away.statusCode, 503, 'DESIGN §4 Redis away')
      t.ok(away.headers['retry-after'])
    }
  })
}

t.test('G6 registrations that nobody used go after 7 days, used ones stay', async t => {
  const app = await build(t)
  const assistant = await Assistant.registered(app)
  const unused = await Assistant.registered(app)
  await assistant.browser.signIn('ann@a.example')
  await assistant.connect()
  const store = sqlClientStore(app.database)
  await store.removeUnused(Date.now() - 60_000)
  t.ok(await store.find(unused.clientId), 'not before')
  await store.removeUnused(Date.now() + 1)
  t.equal(await store.find(unused.clientId), null)
  t.ok(await store.find(assistant.clientId))
})

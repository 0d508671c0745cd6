import t, { type Test } from 'tap'
import { build, type SetUp, setUps, testClock } from '../helper.js'
import { Assistant, BASE, CALLBACK, type Fields } from './assistant.js'

const CODE = /^svc_ac_[0-9A-Za-z]{22}_[0-9A-Za-z]{43}$/
const ACCESS = /^svc_at_[0-9A-Za-z]{22}_[0-9A-Za-z]{43}$/
const REFRESH = /^svc_rt_[0-9A-Za-z]{22}_\d+_[0-9A-Za-z]{43}_[0-9A-Za-z]{22}$/

async function start(t: Test, setUp: SetUp, env: Record<string, string> = {}) {
  const clock = testClock(Date.now())
  const app = await build(t, { setUp, clock, env })
  const assistant = await Assistant.registered(app)
  await assistant.browser.signIn('ann@a.example')
  const ann = await app.accounts.findByEmail('ann@a.example')
  const connections = () => app.oauth.connections.listFor(ann!.id)
  return { app, clock, assistant, connections }
}

for (const setUp of setUps) {
  t.test(setUp, async t => {
    const { app, clock, assistant, connections } = await start(t, setUp)
    const other = await Assistant.registered(app)

    t.test('T1 a code becomes a pair of tokens (RFC 6749 §5.1)', async t => {
      const code = await assistant.code()
      t.match(code, CODE)
      const response = await assistant.redeem(code)
      t.equal(response.statusCode, 200)
      t.match(response.headers, {
        'content-type': /^application\/json/,
        'cache-control': 'no-store',
        pragma: 'no-cache',
        'access-control-allow-origin': '*',
      })
      const body = response.json()
      t.strictSame(Object.keys(body).sort(), [
        'access_token',
        'expires_in',
        'refresh_token',
        'scope',
        'token_type',
      ])
      t.match(body, {
        access_token: ACCESS,
        refresh_token: REFRESH,
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'vault:read',
      })
      t.match(await app.oauth.authenticate(body.access_token, null), {
        resource: 'user',
        resourceSent: false,
      })
    })

    t.test('T2, T3, T5, T6, T7 a malformed request is refused in JSON', async t => {
      const code = await assistant.code()
      const cases: [string, Fields, number, string][] = [
        ['T5 no grant_type', { grant_type: undefined }, 400, 'invalid_request'],
        ['T5 unknown grant_type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
        ['T6 no client_id', { client_id: undefined }, 400, 'invalid_request'],
        ['T6 unknown client_id', { client_id: 'nobody' }, 401, 'invalid_client'],
        ['T6 NUL', { client_id: 'a\0' }, 400, 'invalid_request'],
        ['T7 no code', { code: undefined }, 400, 'invalid_request'],
        ['T7 no redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request'],
        ['T7 no code_verifier', { code_verifier: undefined }, 400, 'invalid_request'],
        ['T4 repeated', { code: [code, code] }, 400, 'invalid_request'],
        ['T13 repeated resource', { resource: [`${BASE}/mcp/v1`, BASE] }, 400, 'invalid_target'],
        ['T13 resource with a query', { resource: `${BASE}/mcp/v1?x=1` }, 400, 'invalid_target'],
        ['T13 another endpoint', { resource: `${BASE}/mcp/v1/abc` }, 400, 'invalid_target'],
        ['T8 malformed code', { code: `${code}x` }, 400, 'invalid_grant'],
        [
          'T8 unknown code',
          { code: code.slice(0, -2) + (code.endsWith('00') ? '11' : '00') },
          400,
          'invalid_grant',
        ],
        ['T8 other redirect', { redirect_uri: `${CALLBACK}/` }, 400, 'invalid_grant'],
        ['T8 wrong verifier', { code_verifier: 'w'.repeat(43) }, 400, 'invalid_grant'],
        ['T8 other client', { client_id: other.clientId }, 400, 'invalid_grant'],
        ['T9 42 characters (RFC 7636 §4.1)', { code_verifier: 'v'.repeat(42) }, 400, 'invalid_grant'],
        ['T9 129 characters (RFC 7636 §4.1)', { code_verifier: 'v'.repeat(129) }, 400, 'invalid_grant'],
        ['T9 a space', { code_verifier: `${'v'.repeat(42)} ` }, 400, 'invalid_grant'],
      ]
      for (const [name, changes, status, error] of cases) {
        const response = await assistant.redeem(code, changes)
        t.equal(response.statusCode, status, name)
        t.equal(response.json().error, error, name)
        t.match(response.headers, { 'cache-control': 'no-store', 'access-control-allow-origin': '*' }, name)
        t.type(response.json().error_description, 'string', name)
      }
      const response = await assistant.redeem(code, { resource: `${BASE}/mcp/v1/` })
      t.equal(response.statusCode, 200, 'T10 none of them used the code up')
    })

    t.test('T3 only forms of at most 16 KiB, only by POST', async t => {
      const post = (type: string, payload: string) =>
        app.inject({ method: 'POST', url: '/oauth/token', payload, headers: { 'content-type': type } })
      t.match((await post('application/json', '{"grant_type":"x"}')).json(), { error: 'invalid_request' })
      t.equal((await post('application/json', '{}')).statusCode, 400)
      t.equal((await post('text/plain', 'grant_type=x')).statusCode, 400)
      const utf8 = 'application/x-www-form-urlencoded; charset=utf-8'
      t.match((await post(utf8, 'grant_type=x')).json(), { error: 'unsupported_grant_type' })
      const large = await post('application/x-www-form-urlencoded', `code=${'x'.repeat(16 * 1024)}`)
      t.equal(large.statusCode, 413)
      t.match(large.json(), { error: 'invalid_request' })
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const response = await app.inject({ method, url: '/oauth/token' })
        t.equal(response.statusCode, 405)
        t.equal(response.headers.allow, 'POST')
      }
      t.equal((await app.inject({ method: 'POST', url: '/oauth/token' })).statusCode, 400)
    })

    t.test(
      'T4 query parameters are ignored; T6 Basic is answered with Basic; M6 the alias works',
      async t => {
        const query = await assistant.form('/oauth/token?grant_type=refresh_token', {})
        t.match(query.json(), { error: 'invalid_request' })
        const basic = await assistant.form(
          '/token',
          { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'nobody' },
          { authorization: 'Basic bm9ib2R5Og==' },
        )
        t.equal(basic.statusCode, 401)
        t.match(basic.headers['www-authenticate'], /^Basic/)
      },
    )

    t.test('T8 a code ends after 10 minutes', async t => {
      const code = await assistant.code()
      clock.now += 600_000
      t.match((await assistant.redeem(code)).json(), { error: 'invalid_grant' })
    })

    t.test('T11 of 20 parallel redemptions exactly one succeeds, and its tokens work', async t => {
      const code = await assistant.code()
      const responses = await Promise.all(Array.from({ length: 20 }, () => assistant.redeem(code)))
      const won = responses.filter(r => r.statusCode === 200)
      t.equal(won.length, 1)
      t.ok(await assistant.works(won[0]!.json().access_token))
      t.equal((await assistant.refresh(won[0]!.json().refresh_token)).statusCode, 200)
    })

    t.test('T12 a code used again is refused, and 10 s later ends its connection', async t => {
      const code = await assistant.code()
      const { access_token } = (await assistant.redeem(code)).json()
      t.match((await assistant.redeem(code)).json(), { error: 'invalid_grant' })
      clock.now += 10_000
      t.match((await other.redeem(code)).json(), { error: 'invalid_grant' })
      t.ok(await assistant.works(access_token), 'nobody else can end it')
      t.match((await assistant.redeem(code)).json(), { error: 'invalid_grant' })
      t.notOk(await assistant.works(access_token))
      t.ok((await connections()).some(c => /sign-in code was used a second time/.test(c.revokedReason ?? '')))
    })

    t.test('T16 a refresh brings a new pair and revokes the used token (SPEC §3)', async t => {
      const first = await assistant.connect()
      const response = await assistant.refresh(first.refresh_token)
      t.equal(response.statusCode, 200)
      const second = response.json()
      t.match(second, { access_token: ACCESS, refresh_token: REFRESH, expires_in: 3600, scope: 'vault:read' })
      t.not(second.refresh_token, first.refresh_token)
      t.ok(await assistant.works(second.access_token))
      t.match((await assistant.refresh(first.refresh_token)).json(), { error: 'invalid_grant' })
      t.ok(await assistant.works(second.access_token), 'a race ends nothing')
      clock.now += 10_000
      t.match((await assistant.refresh(first.refresh_token)).json(), { error: 'invalid_grant' })
      t.notOk(await assistant.works(second.access_token), 'a reuse ends the connection')
      t.match((await assistant.refresh(second.refresh_token)).json(), { error: 'invalid_grant' })
      t.ok(
        (await connections()).some(c => /old key/.test(c.revokedReason ?? '')),
        'and its user sees why',
      )
    })

    t.test('T16 of 20 parallel refreshes exactly one succeeds, and its tokens work', async t => {
      const { refresh_token } = await assistant.connect()
      const responses = await Promise.all(Array.from({ length: 20 }, () => assistant.refresh(refresh_token)))
      const won = responses.filter(r => r.statusCode === 200)
      t.equal(won.length, 1)
      t.ok(await assistant.works(won[0]!.json().access_token))
      t.equal((await assistant.refresh(won[0]!.json().refresh_token)).statusCode, 200)
    })

    t.test('T13, T14, T15, T17 a refresh that does not fit is refused and uses nothing up', async t => {
      const { refresh_token, access_token } = await assistant.connect({ resource: `${BASE}/mcp/v1` })
      const forged = `${refresh_token.slice(0, -22)}${'0'.repeat(22)}`
      const cases: [string, Fields, string][] = [
        ['T15 no refresh_token', { refresh_token: undefined }, 'invalid_request'],
        ['T15 no client_id', { client_id: undefined }, 'invalid_request'],
        ['T15 another client', { client_id: other.clientId }, 'invalid_grant'],
        ['T15 no token of ours', { refresh_token: 'x' }, 'invalid_grant'],
        ['DESIGN §5.4 a forged token', { refresh_token: forged }, 'invalid_grant'],
        ['T14 a wider scope', { scope: 'vault:read vault:write' }, 'invalid_scope'],
        ['T13 another endpoint', { resource: `${BASE}/mcp/v1/abc` }, 'invalid_target'],
        ['T13 a former BASE_URL', { resource: 'https://old.example/mcp/v1' }, 'invalid_grant'],
      ]
      const texts = new Set<string>()
      for (const [name, changes, error] of cases) {
        const response = await assistant.refresh(refresh_token, changes)
        t.equal(response.statusCode, 400, name)
        t.equal(response.json().error, error, name)
        if (name.startsWith('T15') && error === 'invalid_grant') texts.add(response.json().error_description)
      }
      t.equal(texts.size, 1, 'T17')
      t.ok(await assistant.works(access_token))
      const good = { resource: `${BASE}/mcp/v1`, scope: 'vault:read' }
      t.equal((await assistant.refresh(refresh_token, good)).statusCode, 200)
    })

    t.test('T14 a refresh may narrow the scope', async t => {
      const first = await assistant.connect({ scope: 'vault:read vault:write' }, { scope: 'vault:write' })
      t.equal(first.scope, 'vault:read vault:write')
      const narrow = (await assistant.refresh(first.refresh_token, { scope: 'vault:read' })).json()
      t.equal(narrow.scope, 'vault:read')
      t.match(await app.oauth.authenticate(narrow.access_token, null), { tokenScope: ['vault:read'] })
      t.equal((await assistant.refresh(narrow.refresh_token)).json().scope, 'vault:read vault:write')
    })

    t.test('V1, V2 a client revokes its own tokens only (RFC 7009 §2.1)', async t => {
      const first = await assistant.connect()
      for (const token of [first.access_token, first.refresh_token]) {
        t.equal((await other.revoke(token)).statusCode, 200, 'V1 another client')
      }
      t.ok(await assistant.works(first.access_token))
      const second = (await assistant.refresh(first.refresh_token)).json()
      const hint = { token_type_hint: 'refresh_token' }
      const response = await assistant.revoke(second.access_token, hint)
      t.equal(response.statusCode, 200)
      t.match(response.headers, { 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
      t.notOk(await assistant.works(second.access_token))
      t.ok(await assistant.works(first.access_token), 'V2 only that one')
      t.equal((await assistant.revoke(second.refresh_token)).statusCode, 200)
      t.notOk(await assistant.works(first.access_token), 'V2 a refresh token ends the connection')
      t.match((await assistant.refresh(second.refresh_token)).json(), { error: 'invalid_grant' })
      t.equal((await assistant.revoke('unknown')).statusCode, 200)
      t.equal((await assistant.revoke('', {})).statusCode, 400)
      t.equal((await assistant.revoke('x', { client_id: undefined })).statusCode, 400)
      t.equal((await assistant.revoke('x', { client_id: 'nobody' })).statusCode, 401)
      t.equal((await assistant.revoke('x', { token: ['x', 'y'] })).statusCode, 400)
      t.equal((await app.inject({ method: 'GET', url: '/oauth/revoke' })).statusCode, 405)
    })

    t.test('V3 after a revocation that races a refresh nothing of the connection works', async t => {
      const { refresh_token } = await assistant.connect()
      const [refreshed] = await Promise.all([
        assistant.refresh(refresh_token),
        assistant.revoke(refresh_token),
      ])
      if (refreshed.statusCode === 200) t.notOk(await assistant.works(refreshed.json().access_token))
      t.match((await assistant.refresh(refresh_token)).json(), { error: 'invalid_grant' })
    })

    t.test('SPEC §8 a refresh token lives 90 days from the last rotation', async t => {
      const { refresh_token } = await assistant.connect()
      clock.now += 89 * 86_400_000
      const next = (await assistant.refresh(refresh_token)).json()
      clock.now += 89 * 86_400_000
      const last = (await assistant.refresh(next.refresh_token)).json()
      t.ok(await assistant.works(last.access_token))
      clock.now += 90 * 86_400_000
      t.match((await assistant.refresh(last.refresh_token)).json(), { error: 'invalid_grant' })
    })
  })

  t.test(`${setUp} with REFRESH_REUSE_GRACE_SECONDS`, async t => {
    const { clock, assistant } = await start(t, setUp, { REFRESH_REUSE_GRACE_SECONDS: '60' })
    const { refresh_token } = await assistant.connect()
    const first = (await assistant.refresh(refresh_token)).json()
    clock.now += 30_000
    const again = (await assistant.refresh(refresh_token)).json()
    t.strictSame(again, { ...first, expires_in: 3570 }, 'a repeat inside the window gets the same pair')
    clock.now += 30_000
    t.match((await assistant.refresh(refresh_token)).json(), { error: 'invalid_grant' })
    t.notOk(await assistant.works(first.access_token), 'later it is a reuse')
  })
}

t.test('DESIGN §4 while Redis is away the answer is 503 in JSON, not a guess', async t => {
  const { app, assistant } = await start(t, 'redis')
  const { refresh_token } = await assistant.connect()
  app.redis?.disconnect()
  for (const response of [await assistant.refresh(refresh_token), await assistant.revoke(refresh_token)]) {
    t.equal(response.statusCode, 503)
    t.ok(Number(response.headers['retry-after']) > 0)
    t.match(response.json(), { error: 'temporarily_unavailable', error_description: String })
  }
  t.equal((await assistant.authorize()).statusCode, 503)
})

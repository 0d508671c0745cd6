import t from 'tap'
import { BASE, encode, type Fields } from './assistant.js'
import { startSignedIn } from './signed-in.js'

const FORM = 'application/x-www-form-urlencoded'
const BASIC = { authorization: 'Basic bm9ib2R5Og==' }

t.test('the token endpoint', async t => {
  const { app, assistant, other, refuses } = await startSignedIn(t)
  const code = await assistant.code()
  const { refresh_token } = await assistant.connect()
  const grants = { code: assistant.redemption(code), refresh: assistant.refreshing(refresh_token) }
  const post = (fields: Fields, headers = {}) => assistant.form('/oauth/token', fields, headers)

  t.test('T1, M6 both grants have the same five members, at either address (RFC 6749 §5.1)', async t => {
    const first = await assistant.redeem(await assistant.code())
    const second = await assistant.form('/token', assistant.refreshing(first.json().refresh_token))
    for (const response of [first, second]) {
      t.equal(response.statusCode, 200)
      t.match(response.headers, {
        'content-type': /^application\/json/,
        'cache-control': 'no-store',
        pragma: 'no-cache',
        'access-control-allow-origin': '*',
      })
      const { access_token, refresh_token, ...rest } = response.json()
      t.match(access_token, /^svc_at_[0-9A-Za-z]{22}_[0-9A-Za-z]{43}$/)
      t.match(refresh_token, /^svc_rt_[0-9A-Za-z]{22}_\d+_[0-9A-Za-z]{43}_[0-9A-Za-z]{22}$/)
      t.strictSame(rest, { token_type: 'Bearer', expires_in: 3600, scope: 'vault:read' })
      t.match(await app.oauth.authenticate(access_token, null), { resource: 'user' })
    }
  })

  t.test('T3 only form bodies are accepted', async t => {
    const body = encode(grants.code)
    const types = ['application/json', 'text/plain', 'multipart/form-data; boundary=x', `${FORM}x`, 'x', '']
    for (const type of types) {
      const headers = type ? { 'content-type': type } : {}
      const send = () => app.inject({ method: 'POST', url: '/oauth/token', payload: body, headers })
      await refuses(t, `T3 ${type || 'no type'}`, send, 400, 'invalid_request')
    }
    const json = { method: 'POST', url: '/oauth/token', payload: { grant_type: 'x' } } as const
    t.match((await app.inject(json)).json(), { error_description: /form-encoded.*x-www-form-urlencoded/ })
    const empty = () => app.inject({ method: 'POST', url: '/oauth/token' })
    await refuses(t, 'T3 no body', empty, 400, 'invalid_request')
    for (const type of [`${FORM}; charset=utf-8`, `${FORM};charset=UTF-8`, FORM.toUpperCase()]) {
      const response = await post({ grant_type: 'x' }, { 'content-type': type })
      t.match(response.json(), { error: 'unsupported_grant_type' }, type)
    }
  })

  t.test('T3 a body may have 16 KiB', async t => {
    const bytes = 16 * 1024
    const start = 'grant_type=x&padding='
    const send = (size: number) => post({ grant_type: 'x', padding: 'x'.repeat(size - start.length) })
    await refuses(t, 'T3 a byte too many', () => send(bytes + 1), 413, 'invalid_request')
    t.match((await send(bytes)).json(), { error: 'unsupported_grant_type' }, 'and no byte less')
  })

  t.test('T4 a parameter that is repeated, ours or not, empty or not', async t => {
    for (const form of Object.values(grants)) {
      const repeated = [...Object.entries(form), ['scope', 'vault:read'], ['x', 'y']] as [string, string][]
      for (const [name, value] of repeated) {
        for (const second of [value, '', 'other']) {
          const send = () => post({ ...form, [name]: [value, second] })
          await refuses(t, `T4 ${name}=${second && '…'}`, send, 400, 'invalid_request')
        }
      }
    }
  })

  t.test('T4 the query is ignored', async t => {
    for (const form of Object.values(grants)) {
      const send = () => assistant.form(`/oauth/token?${encode(form)}`, {})
      await refuses(t, 'T4 all in the query', send, 400, 'invalid_request')
    }
  })

  t.test('T5 an unknown or missing grant_type is refused', async t => {
    for (const missing of [undefined, '']) {
      const send = () => post({ ...grants.code, grant_type: missing })
      await refuses(t, 'T5 missing', send, 400, 'invalid_request')
    }
    const unknown = ['password', 'client_credentials', 'Refresh_Token', 'refresh_token ', '__proto__', 'get']
    for (const grant_type of unknown) {
      const send = () => post({ ...grants.refresh, grant_type })
      await refuses(t, `T5 ${grant_type}`, send, 400, 'unsupported_grant_type')
    }
  })

  t.test('T6 an unknown or missing client_id is refused', async t => {
    for (const form of Object.values(grants)) {
      for (const missing of [undefined, '', 'a\0']) {
        const send = () => post({ ...form, client_id: missing })
        await refuses(t, `T6 client_id ${missing}`, send, 400, 'invalid_request')
      }
      const forged = `${assistant.clientId.slice(0, -1)}${assistant.clientId.endsWith('0') ? '1' : '0'}`
      for (const client_id of ['unknown', 'cli', forged, 'é', `${assistant.clientId} `, 'x'.repeat(3000)]) {
        const send = () => post({ ...form, client_id })
        const response = await refuses(t, `T6 ${client_id}`, send, 401, 'invalid_client')
        t.equal(response.headers['www-authenticate'], undefined, 'nothing was tried')
      }
      for (const authorization of [BASIC.authorization, 'Bearer x']) {
        const send = () => post({ ...form, client_id: 'unknown' }, { authorization })
        const { headers } = await refuses(t, `T6 ${authorization}`, send, 401, 'invalid_client')
        t.equal('www-authenticate' in headers, authorization === BASIC.authorization, 'RFC 6749 §5.2')
      }
      const bare = () => post({ grant_type: form.grant_type, client_id: 'unknown' })
      await refuses(t, 'T6 nothing but an unknown client', bare, 401, 'invalid_client')
    }
  })

  t.test('T2, T7, T15 a field that is missing or empty', async t => {
    for (const form of Object.values(grants)) {
      for (const name of Object.keys(form).filter(name => name !== 'redirect_uri')) {
        for (const missing of [undefined, '']) {
          const send = () => post({ ...form, [name]: missing })
          await refuses(t, `T7 ${name}`, send, 400, 'invalid_request')
        }
      }
    }
  })

  t.test('T10, T15 after all of that the code and the refresh token are still good', async t => {
    t.match((await other.redeem(code)).json(), { error: 'invalid_grant' })
    t.equal((await post(grants.code, BASIC)).statusCode, 200)
    t.equal((await post({ ...grants.refresh, resource: `${BASE}/mcp/v1` })).statusCode, 200)
  })
})

t.test('DESIGN §4 without Redis the answer is 503 in JSON', async t => {
  const { app, assistant } = await startSignedIn(t, { setUp: 'redis' })
  const { refresh_token } = await assistant.connect()
  const code = await assistant.code()
  app.redis?.disconnect()
  const send = [
    () => assistant.redeem(code),
    () => assistant.refresh(refresh_token),
    () => assistant.revoke(refresh_token),
  ]
  for (const response of await Promise.all(send.map(one => one()))) {
    t.equal(response.statusCode, 503)
    t.ok(Number(response.headers['retry-after']) > 0)
    t.match(response.headers, { 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
    t.match(response.json(), { error: 'temporarily_unavailable', error_description: String })
  }
  t.equal((await assistant.authorize()).statusCode, 503)
})

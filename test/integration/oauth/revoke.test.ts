import t from 'tap'
import { writesNothing } from '../../written.js'
import { encode, type Fields } from './assistant.js'
import { startSignedIn } from './signed-in.js'

t.test('the revocation endpoint', async t => {
  const { app, clock, assistant, other, shown, refuses } = await startSignedIn(t)

  t.test('V1, V2 an access token ends alone, whatever the hint (RFC 7009 §2.1)', async t => {
    for (const token_type_hint of [undefined, '', 'access_token', 'refresh_token', 'nonsense']) {
      const first = await assistant.connect()
      const second = (await assistant.refresh(first.refresh_token)).json()
      const response = await assistant.revoke(second.access_token, { token_type_hint })
      t.equal(response.statusCode, 200, `${token_type_hint}`)
      t.match(response.headers, { 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
      t.notOk(await assistant.works(second.access_token))
      t.ok(await assistant.works(first.access_token), 'V2 only that one')
      t.equal((await shown(first.access_token))?.revokedAt, null)
      t.equal((await assistant.refresh(second.refresh_token)).statusCode, 200)
    }
  })

  t.test('V1, V2 a refresh token ends its connection and all its access tokens', async t => {
    for (const token_type_hint of [undefined, 'refresh_token', 'access_token', 'nonsense']) {
      const first = await assistant.connect()
      const second = (await assistant.refresh(first.refresh_token)).json()
      const bystander = await assistant.connect()
      const response = await assistant.revoke(second.refresh_token, { token_type_hint })
      t.equal(response.statusCode, 200, `${token_type_hint}`)
      for (const { access_token, refresh_token } of [first, second]) {
        t.notOk(await assistant.works(access_token))
        await refuses(t, 'V2 over', () => assistant.refresh(refresh_token), 400, 'invalid_grant')
      }
      t.match(await shown(first.access_token), { revokedAt: clock.now, revokedReason: /signed out/ })
      t.ok(await assistant.works(bystander.access_token))
    }
  })

  t.test('V2 a used refresh token ends it too: the answer to its refresh may not have arrived', async t => {
    const first = await assistant.connect()
    const second = (await assistant.refresh(first.refresh_token)).json()
    t.equal((await assistant.revoke(first.refresh_token)).statusCode, 200)
    t.notOk(await assistant.works(second.access_token))
  })

  t.test('V1 any other value is answered with 200 and has no effect', async t => {
    const { access_token, refresh_token } = await assistant.connect()
    const code = await assistant.code()
    const over = await assistant.connect()
    await assistant.revoke(over.refresh_token)
    const forged = `${refresh_token.slice(0, -22)}${'0'.repeat(22)}`
    const cases: [string, string, Fields?][] = [
      ["another client's access token", access_token, { client_id: other.clientId }],
      ["another client's refresh token", refresh_token, { client_id: other.clientId }],
      ['unknown', 'unknown'],
      ['of no connection', `svc_at_${'0'.repeat(22)}_${'0'.repeat(43)}`],
      ['a guessed access token', access_token.slice(0, -43) + '0'.repeat(43)],
      ['a forged refresh token', forged],
      ['a code', code],
      ['ended before', over.access_token],
      ['ended before', over.refresh_token],
    ]
    const answers = new Set<string>()
    for (const [name, token, changes] of cases) {
      const response = await writesNothing(t, app, name, () => assistant.revoke(token, changes))
      t.equal(response.statusCode, 200, name)
      answers.add(response.body)
    }
    t.strictSame([...answers], [''], 'and all get the same answer')
    t.ok(await assistant.works(access_token))
    t.equal((await assistant.refresh(refresh_token)).statusCode, 200)
    t.equal((await assistant.redeem(code)).statusCode, 200)
  })

  t.test('V1, V2 a malformed request is refused as at the token endpoint', async t => {
    const { access_token, refresh_token } = await assistant.connect()
    const form = { token: refresh_token, client_id: assistant.clientId }
    const cases: [string, Fields, number, string][] = [
      ['V1 no token', { ...form, token: undefined }, 400, 'invalid_request'],
      ['V1 no client_id', { ...form, client_id: undefined }, 400, 'invalid_request'],
      ['V1 unknown client', { ...form, client_id: 'unknown' }, 401, 'invalid_client'],
      ['T4 token repeated', { ...form, token: [refresh_token, 'x'] }, 400, 'invalid_request'],
      ['T4 an unused parameter repeated', { ...form, token_type_hint: ['', ''] }, 400, 'invalid_request'],
      ['T3 over 16 KiB', { ...form, x: 'x'.repeat(16 * 1024) }, 413, 'invalid_request'],
    ]
    for (const [name, fields, status, error] of cases)
      await refuses(t, name, () => assistant.form('/oauth/revoke', fields), status, error)
    const type = { 'content-type': 'application/json' }
    await refuses(t, 'T3', () => assistant.form('/oauth/revoke', form, type), 400, 'invalid_request')
    const query = () => assistant.form(`/oauth/revoke?${encode(form)}`, {})
    await refuses(t, 'T4 all in the query', query, 400, 'invalid_request')
    t.ok(await assistant.works(access_token), 'none of them ended anything')
  })
})

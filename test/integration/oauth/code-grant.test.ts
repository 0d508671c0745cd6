import { createHash } from 'node:crypto'
import t from 'tap'
import { writesNothing } from '../../written.js'
import { BASE, CALLBACK, type Fields } from './assistant.js'
import { startSignedIn } from './signed-in.js'

const challengeFor = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
const lastChanged = (token: string) => token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')

t.test('the grant type authorization_code', async t => {
  const { app, clock, assistant, other, ann, shown, refuses } = await startSignedIn(t)
  const safe = (await app.safes.create(ann.id, 'Home')).id
  const elsewhere = (await app.safes.create(ann.id, 'Work')).id

  t.test('A15, T8, T10, T17 a code that does not match is refused in one text and stays good', async t => {
    const code = await assistant.code()
    const misfits: [string, Fields][] = [
      ['T8 unknown, of no connection', { code: `svc_ac_${'0'.repeat(22)}_${'0'.repeat(43)}` }],
      ['T8 unknown, of this connection', { code: lastChanged(code) }],
      ['T8 malformed', { code: `${code}x` }],
      ['T8 no code but a name of a key', { code: '{x}:facts' }],
      ["T8 another client's", { client_id: other.clientId }],
      ['T8 another redirect URI', { redirect_uri: 'https://assistant.example/other' }],
      ['T8 the redirect URI with a slash', { redirect_uri: `${CALLBACK}/` }],
      ['T8 a wrong verifier', { code_verifier: 'w'.repeat(43) }],
      ['T9 too short', { code_verifier: 'v' }],
      ['T8 the challenge itself', { code_verifier: challengeFor('v'.repeat(43)) }],
    ]
    const answers = new Set<string>()
    for (const [name, changes] of misfits) {
      const send = () => assistant.redeem(code, changes)
      answers.add((await refuses(t, name, send, 400, 'invalid_grant')).body)
    }
    clock.now += 600_000
    answers.add((await refuses(t, 'T8 expired', () => assistant.redeem(code), 400, 'invalid_grant')).body)
    clock.now -= 1
    const { access_token } = (await assistant.redeem(code)).json()
    t.ok(await assistant.works(access_token), 'T10 good to the last millisecond of its 10 minutes')
    answers.add((await refuses(t, 'T12 used', () => assistant.redeem(code), 400, 'invalid_grant')).body)
    t.equal(answers.size, 1, 'T17')
  })

  t.test(
    'T7 a code is redeemed without redirect_uri; one that is sent must be its own (changed by OAuth 2.1 §10.2)',
    async t => {
      for (const redirect_uri of [undefined, '', CALLBACK]) {
        const response = await assistant.redeem(await assistant.code(), { redirect_uri })
        t.equal(response.statusCode, 200, `${redirect_uri}`)
      }
      const code = await assistant.code()
      const send = () => assistant.redeem(code, { redirect_uri: `${CALLBACK}/` })
      await refuses(t, 'T7', send, 400, 'invalid_grant')
    },
  )

  t.test('T9 a malformed verifier is refused even with its own challenge (RFC 7636 §4.1)', async t => {
    const code_verifier = 'v'.repeat(42)
    const code = await assistant.code({ code_challenge: challengeFor(code_verifier) })
    await refuses(t, 'T9', () => assistant.redeem(code, { code_verifier }), 400, 'invalid_grant')
  })

  t.test('T12 a used code ends its connection from 10 s on, by its own client with the verifier', async t => {
    const code = await assistant.code()
    const first = (await assistant.redeem(code)).json()
    clock.now += 9_999
    await refuses(t, 'a repeat', () => assistant.redeem(code), 400, 'invalid_grant')
    clock.now += 1
    await writesNothing(t, app, 'T12 another client', () => other.redeem(code))
    t.ok(await assistant.works(first.access_token), 'others cannot end it')
    const second = (await assistant.refresh(first.refresh_token)).json()
    const answer = await assistant.redeem(code)
    t.equal(answer.statusCode, 400)
    t.match(answer.json(), { error: 'invalid_grant' })
    for (const { access_token, refresh_token } of [first, second]) {
      t.notOk(await assistant.works(access_token))
      t.match((await assistant.refresh(refresh_token)).json(), { error: 'invalid_grant' })
    }
    t.match(await shown(code), { revokedAt: clock.now, revokedReason: /code was used twice/ })
  })

  t.test('A15, T13 the resource of a code is inherited, repeated or refused (RFC 8707 §2.2)', async t => {
    const user = `${BASE}/mcp/v1`
    const pinned = `${user}/${safe}`
    const other = `${user}/${elsewhere}`
    const cases: [asked: string | undefined, fitting: string | undefined, others: (string | string[])[]][] = [
      [undefined, user, [pinned]],
      [user, undefined, [pinned, 'https://old.example/mcp/v1']],
      [pinned, pinned, [user, other, [pinned, pinned]]],
    ]
    for (const [asked, fitting, others] of cases) {
      const code = await assistant.code({ resource: asked })
      for (const resource of others) {
        const send = () => assistant.redeem(code, { resource })
        await refuses(t, `T13 ${resource}`, send, 400, 'invalid_target')
      }
      const { access_token } = (await assistant.redeem(code, { resource: fitting })).json()
      t.match(await app.oauth.authenticate(access_token, null), {
        resource: asked === pinned ? `safe:${safe}` : 'user',
        resourceSent: asked !== undefined,
      })
    }
  })

  t.test('A9, A15 a code carries account, Safe and the granted scope, whatever is sent with it', async t => {
    const both = 'vault:read vault:write'
    const code = await assistant.code({ scope: `${both} openid` }, { safe, scope: 'vault:write' })
    const { access_token, scope } = (await assistant.redeem(code, { safe: elsewhere, account: 'bob' })).json()
    t.equal(scope, both)
    const granted = { accountId: ann.id, chosenSafeIds: [safe], tokenScope: both.split(' ') }
    t.match(await app.oauth.authenticate(access_token, null), granted)
  })

  t.test('T14 a scope sent with the code cannot widen what the user approved', async t => {
    const response = await assistant.redeem(await assistant.code(), { scope: 'vault:read vault:write' })
    t.equal(response.json().scope, 'vault:read')
    t.match(await app.oauth.authenticate(response.json().access_token, null), {
      scope: ['vault:read'],
      tokenScope: ['vault:read'],
    })
  })
})

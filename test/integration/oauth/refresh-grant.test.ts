import t from 'tap'
import { writesNothing } from '../../written.js'
import { BASE, type Fields } from './assistant.js'
import { startSignedIn } from './signed-in.js'

const DAY = 86_400_000
const BOTH = 'vault:read vault:write'

t.test('the grant type refresh_token', async t => {
  const lines: string[] = []
  const log = { write: (line: string) => void lines.push(line) }
  const { app, clock, assistant, other, ann, shown, refuses } = await startSignedIn(t, {
    env: { CALLS_PER_SECOND: '50' },
    log,
  })
  const safe = (await app.safes.create(ann.id, 'Home')).id

  t.test('T15, T17 every mismatch gets the same error and consumes nothing', async t => {
    const { access_token, refresh_token } = await assistant.connect()
    const [, , id = '', , secret = '', mac = ''] = refresh_token.split('_')
    const strange = await assistant.connect()
    const misfits: [string, string, Fields?][] = [
      ["T15 another client's", refresh_token, { client_id: other.clientId }],
      ['T15 none of ours', 'x'],
      ['T15 an access token', access_token],
      ['T15 a forged MAC', `svc_rt_${id}_1_${secret}_${'0'.repeat(22)}`],
      ['T15 a forged secret', `svc_rt_${id}_1_${'0'.repeat(43)}_${mac}`],
      ['T15 a forged generation', `svc_rt_${id}_2_${secret}_${mac}`],
      ['T15 of no connection', `svc_rt_${'0'.repeat(22)}_1_${secret}_${mac}`],
      ['T15 of another connection', refresh_token.replace(id, strange.refresh_token.split('_')[2] ?? '')],
    ]
    const answers = new Set<string>()
    const refusal = async (name: string, token: string, changes: Fields = {}) => {
      const send = () => assistant.refresh(token, changes)
      answers.add((await refuses(t, name, send, 400, 'invalid_grant')).body)
    }
    for (const misfit of misfits) await refusal(...misfit)
    t.ok(await assistant.works(access_token))
    const ended = await assistant.connect()
    await app.oauth.connections.revoke(ann.id, ended.access_token.split('_')[2] ?? '')
    await refusal('T15 revoked', ended.refresh_token)
    t.equal((await assistant.refresh(refresh_token)).statusCode, 200)
    await refusal('T16 just used', refresh_token)
    clock.now += 90 * DAY
    await refusal('T15 expired', strange.refresh_token)
    clock.now -= 90 * DAY
    t.equal(answers.size, 1, 'T17')
  })

  t.test('T15 a refresh token is valid for 90 days from each rotation (SPEC §8)', async t => {
    let { refresh_token } = await assistant.connect()
    for (let round = 0; round < 3; round++) {
      clock.now += 90 * DAY - 1
      const response = await assistant.refresh(refresh_token)
      t.equal(response.statusCode, 200)
      refresh_token = response.json().refresh_token
    }
    clock.now += 90 * DAY
    await refuses(t, 'T15 at 90 days', () => assistant.refresh(refresh_token), 400, 'invalid_grant')
    await assistant.browser.signIn('ann@a.example')
  })

  t.test('T14 a subset of the scope narrows the access token, and no more than that one', async t => {
    const first = await assistant.connect({ scope: BOTH }, { scope: 'vault:write' })
    t.equal(first.scope, BOTH)
    let token = first.refresh_token
    const cases: [string | undefined, string][] = [
      ['vault:read', 'vault:read'],
      ['', BOTH],
      ['vault:write vault:read', 'vault:write vault:read'],
      [undefined, BOTH],
    ]
    for (const [scope, granted] of cases) {
      const body = (await assistant.refresh(token, { scope })).json()
      t.equal(body.scope, granted, `${scope}`)
      const access = await app.oauth.authenticate(body.access_token, null)
      t.match(access, { tokenScope: granted.split(' '), scope: BOTH.split(' ') })
      token = body.refresh_token
    }
  })

  t.test('T14 what was asked for and not granted is dropped, as clients keep asking for it', async t => {
    const first = await assistant.connect({ scope: BOTH })
    t.equal(first.scope, 'vault:read')
    const body = (await assistant.refresh(first.refresh_token, { scope: BOTH })).json()
    t.equal(body.scope, 'vault:read')
    t.match(await app.oauth.authenticate(body.access_token, null), { tokenScope: ['vault:read'] })
    const onlyWrite = () => assistant.refresh(body.refresh_token, { scope: 'vault:write' })
    await refuses(t, 'T14 nothing is left', onlyWrite, 400, 'invalid_scope')
  })

  t.test('T18 rotations of one connection are limited: 60 in a row, then one a second', async t => {
    let { refresh_token } = await assistant.connect()
    const neighbour = await assistant.connect()
    const rotate = async () => {
      const response = await assistant.refresh(refresh_token)
      t.equal(response.statusCode, 200)
      refresh_token = response.json().refresh_token
    }
    for (let count = 0; count < 60; count++) await rotate()
    const tooMany = () => assistant.refresh(refresh_token)
    const refused = await refuses(t, 'T18 too many', tooMany, 429, 'too_many_requests')
    t.equal(refused.headers['retry-after'], '1')
    t.equal((await assistant.refresh(neighbour.refresh_token)).statusCode, 200, 'others go on')
    clock.now += 1000
    await rotate()
    await refuses(t, 'T18 again too many', tooMany, 429, 'too_many_requests')
    clock.now += 3_600_000
    await rotate()
  })

  t.test('T18 what is no refresh token of a connection does not use up its rotations', async t => {
    const { refresh_token } = await assistant.connect()
    const forged = refresh_token.replace('_1_', '_2_')
    for (let count = 0; count < 70; count++) await assistant.refresh(forged)
    t.equal((await assistant.refresh(refresh_token)).statusCode, 200)
  })

  t.test('T13 the resource of a refresh', async t => {
    const user = `${BASE}/mcp/v1`
    const pinned = `${user}/${safe}`
    const cases: [resource: string, fitting: string | undefined, others: [string | string[], string][]][] = [
      [
        user,
        BASE,
        [
          [pinned, 'invalid_target'],
          [[user, user], 'invalid_target'],
          ['https://old.example/mcp/v1', 'invalid_grant'],
        ],
      ],
      [pinned, undefined, [[user, 'invalid_target']]],
    ]
    for (const [resource, fitting, others] of cases) {
      const { refresh_token } = await assistant.connect({ resource })
      for (const [sent, error] of others) {
        const send = () => assistant.refresh(refresh_token, { resource: sent })
        await refuses(t, `T13 ${sent}`, send, 400, error)
      }
      const { access_token } = (await assistant.refresh(refresh_token, { resource: fitting })).json()
      t.match(await app.oauth.authenticate(access_token, null), {
        resource: resource === user ? 'user' : `safe:${safe}`,
      })
    }
  })

  t.test('T16 reuse ends the connection for its own client only; its user sees why', async t => {
    const first = await assistant.connect()
    const second = (await assistant.refresh(first.refresh_token)).json()
    await refuses(t, 'T16 used', () => assistant.refresh(first.refresh_token), 400, 'invalid_grant')
    t.match(lines.join(), /refresh token: raced/, 'and that is recorded')
    for (const { access_token } of [first, second]) t.ok(await assistant.works(access_token))
    clock.now += 10_000
    await writesNothing(t, app, 'T16 another client', () => other.refresh(first.refresh_token))
    const [, , id, , , mac] = first.refresh_token.split('_')
    const guessed = `svc_rt_${id}_1_${'0'.repeat(43)}_${mac}`
    await refuses(t, 'T16 a guess', () => assistant.refresh(guessed), 400, 'invalid_grant')
    t.ok(await assistant.works(second.access_token))
    const answer = await assistant.refresh(first.refresh_token)
    t.match(answer.json(), { error: 'invalid_grant' })
    for (const { access_token, refresh_token } of [first, second]) {
      t.notOk(await assistant.works(access_token))
      await refuses(t, 'T16 over', () => assistant.refresh(refresh_token), 400, 'invalid_grant')
    }
    t.match(await shown(first.access_token), { revokedAt: clock.now, revokedReason: /old key/ })
  })
})

t.test('T16 within REFRESH_REUSE_GRACE_SECONDS a used token gets the same pair (DESIGN §5.4)', async t => {
  const env = { REFRESH_REUSE_GRACE_SECONDS: '5' }
  const { app, clock, assistant, other } = await startSignedIn(t, { env })
  const { refresh_token } = await assistant.connect()
  const next = (await assistant.refresh(refresh_token)).json()
  clock.now += 4_999
  const wider = { scope: 'vault:read vault:write' }
  await writesNothing(t, app, 'another client', () => other.refresh(refresh_token))
  await writesNothing(t, app, 'more', () => assistant.refresh(refresh_token, wider))
  const again = await writesNothing(t, app, 'the same', () => assistant.refresh(refresh_token))
  t.strictSame(again.json(), { ...next, expires_in: 3596 })
  clock.now += 1
  t.match((await assistant.refresh(refresh_token)).json(), { error: 'invalid_grant' })
  t.ok(await assistant.works(next.access_token))
  t.equal((await assistant.refresh(next.refresh_token)).statusCode, 200)
})

import t, { type Test } from 'tap'
import { type Answer, atOnce } from './lane.js'
import { type Service, shared, startTwo } from './service.js'

const ROUNDS = 25
/** An ending takes more steps than the request it races with, so without this it would always come last. */
const SPREAD_MS = 8

for (const stores of shared) {
  t.test(`an end that races what goes on, at two processes: ${stores}`, async t => {
    const service = await startTwo(t, stores)
    const { app, assistant, lanes, connections } = service
    const [one, other] = lanes
    const refreshes = (token: string) =>
      lanes.map(lane => lane.form('/oauth/token', assistant.refreshing(token)))
    const revocation = (token: string) => one.form('/oauth/revoke', { client_id: assistant.clientId, token })

    t.test('V3 after a revocation that raced refreshes nothing of the connection works', async t => {
      let refreshed = 0
      for (let round = 0; round < ROUNDS; round++) {
        const first = await assistant.connect()
        const { access_token, refresh_token } = (await assistant.refresh(first.refresh_token)).json()
        // The client may use the newest token, or the one before it, if the answer to its refresh was lost.
        const named = round % 3 ? refresh_token : first.refresh_token
        const [revoked, ...answers] = await atOnce(
          [revocation(named), ...refreshes(refresh_token)],
          round,
          SPREAD_MS,
        )
        t.equal(revoked?.status, 200)
        refreshed += answers.filter(({ status }) => status === 200).length
        await nothingWorks(t, service, [first, { access_token, refresh_token }], answers)
      }
      t.comment(`${refreshed} of ${ROUNDS} rounds refreshed before the end`)
    })

    t.test('V3 after its user ended the connection during a refresh nothing of it works', async t => {
      for (let round = 0; round < ROUNDS; round++) {
        const tokens = await assistant.connect()
        const action = `/connections/${tokens.access_token.split('_')[2]}/revoke`
        const end = one.form(action, ...(await service.formAt('/connections', action)))
        const [ended, ...answers] = await atOnce([end, ...refreshes(tokens.refresh_token)], round, SPREAD_MS)
        t.equal(ended?.status, 303)
        await nothingWorks(t, service, [tokens], answers)
      }
    })

    t.test('V3 after the connection ended while its code was redeemed nothing of it works', async t => {
      for (let round = 0; round < ROUNDS; round++) {
        const code = await assistant.code()
        const action = `/connections/${code.split('_')[2]}/revoke`
        const end = one.form(action, ...(await service.formAt('/connections', action)))
        const redemptions = lanes.map(lane => lane.form('/oauth/token', assistant.redemption(code)))
        const [ended, ...answers] = await atOnce([end, ...redemptions], round, SPREAD_MS)
        t.equal(ended?.status, 303)
        await nothingWorks(t, service, [], answers)
        t.match((await assistant.redeem(code)).json(), { error: 'invalid_grant' })
      }
    })

    t.test('V3 after its old refresh token was reused during a refresh nothing of it works', async t => {
      for (let round = 0; round < ROUNDS; round++) {
        const first = await assistant.connect()
        const second = (await assistant.refresh(first.refresh_token)).json()
        await service.wait(10_000)
        const reuse = other.form('/oauth/token', assistant.refreshing(first.refresh_token))
        const [reused, ...answers] = await atOnce(
          [reuse, ...refreshes(second.refresh_token)],
          round,
          SPREAD_MS,
        )
        t.equal(reused?.status, 400)
        // Within 10 s of the refresh that won it counts as a race, and the connection stays (T16).
        const won = answers.find(({ status }) => status === 200)
        if (won && (await one.opens(won.json().access_token ?? ''))) continue
        await nothingWorks(t, service, [first, second], answers)
      }
    })

    t.test('C3 a connection approved while its user ends all is listed, or has ended', async t => {
      for (let round = 0; round < ROUNDS; round++) {
        const page = await assistant.consentPage()
        const approval = one.form(page, ...(await service.formAt(page, page, { decision: 'approve' })))
        const action = '/connections/revoke-all'
        await Promise.all([assistant.connect(), assistant.connect()])
        const end = other.form(action, ...(await service.formAt(action, action)))
        const [approved, ended] = await atOnce([approval, end], round, SPREAD_MS)
        t.strictSame([approved?.status, ended?.status], [303, 303])
        const code = new URL(approved?.headers.location ?? '').searchParams.get('code') ?? ''
        const [, , id] = code.split('_')
        const shown = (await connections()).find(connection => connection.id === id)
        const works = (await assistant.redeem(code)).statusCode === 200
        t.equal(works, shown?.revokedAt === null)
        await app.oauth.connections.revoke(shown?.accountId ?? '', shown?.id ?? '')
      }
    })
  })
}

interface Tokens {
  access_token?: string
  refresh_token?: string
}

/** Neither the earlier tokens nor those from the race work, at either process. */
async function nothingWorks(
  t: Test,
  { assistant, lanes }: Service,
  before: Tokens[],
  answers: Answer[],
): Promise<void> {
  const brought = answers.filter(({ status }) => status === 200).map(answer => answer.json())
  for (const { access_token = '', refresh_token = '' } of [...before, ...brought]) {
    for (const lane of lanes) t.notOk(await lane.opens(access_token))
    t.match((await assistant.refresh(refresh_token)).json(), { error: 'invalid_grant' })
  }
}

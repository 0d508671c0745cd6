import t from 'tap'
import { Assistant } from '../../integration/oauth/assistant.js'
import { atOnce } from './lane.js'
import { codesAreRedeemedOnce } from './one-winner.js'
import { shared, startTwo } from './service.js'

const ROUNDS = 10

for (const stores of shared) {
  t.test(`one code at two processes: ${stores}`, async t => {
    const service = await startTwo(t, stores)
    const { app, assistant, lanes, accessTokensOf } = service
    const [one] = lanes

    t.test('T11 of 20 parallel redemptions exactly one succeeds, and its tokens work (RFC 6749 §4.1.2)', t =>
      codesAreRedeemedOnce(t, service, ROUNDS),
    )

    t.test('T10 failed attempts do not use up the code', async t => {
      const stranger = await Assistant.registered(app)
      for (let round = 0; round < ROUNDS; round++) {
        const good = assistant.redemption(await assistant.code())
        const bad = [
          { ...good, client_id: stranger.clientId },
          { ...good, code_verifier: 'w'.repeat(43) },
          { ...good, redirect_uri: 'https://assistant.example/other' },
          { ...good, resource: 'https://safes.example/mcp/v1/other' },
        ]
        const attempts = bad.flatMap(form => lanes.map(lane => lane.form('/oauth/token', form)))
        const [fitting, ...others] = await atOnce([one.form('/oauth/token', good), ...attempts], round)
        t.equal(fitting?.status, 200)
        t.strictSame(new Set(others.map(({ status }) => status)), new Set([400]))
        t.equal(await accessTokensOf(fitting?.json().access_token ?? ''), 1)
      }
    })
  })
}

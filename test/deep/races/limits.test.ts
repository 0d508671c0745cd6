import t from 'tap'
import { CALLBACK } from '../../integration/oauth/assistant.js'
import { atOnce } from './lane.js'
import { shared, startTwo } from './service.js'

t.test('G6 with Redis the limit on registrations counts those of all processes', async t => {
  const { lanes } = await startTwo(t, 'Postgres and Redis')
  const register = (count: number, seed: number) =>
    atOnce(
      Array.from({ length: count }, (_, i) =>
        (lanes[i % 2] ?? lanes[0]).json('/oauth/register', { redirect_uris: [CALLBACK] }),
      ),
      seed,
    )
  const statuses: number[] = []
  for (let round = 0; round < 8; round++) {
    for (const { status } of await register(40, round)) statuses.push(status)
  }
  t.equal(statuses.filter(status => status === 201).length, 299, 'the first was the assistant itself')
  t.equal(statuses.filter(status => status === 429).length, 21)
})

for (const stores of shared) {
  t.test(`X6 sessions opened at once at two processes: 100 of them stay: ${stores}`, async t => {
    const { app, assistant, lanes } = await startTwo(t, stores)
    const { access_token } = await assistant.connect()
    const headers = { authorization: `Bearer ${access_token}` }
    const params = {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    const answers = await atOnce(
      Array.from({ length: 75 }, () => lanes.map(lane => lane.json('/mcp/v1', initialize, headers))).flat(),
      1,
    )
    t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200]))
    const found = await Promise.all(
      answers.map(answer => app.oauth.authenticate(access_token, String(answer.headers['mcp-session-id']))),
    )
    t.equal(found.filter(access => access?.session).length, 100)
  })
}

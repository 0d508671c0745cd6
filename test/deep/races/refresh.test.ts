import t from 'tap'
import { atOnce } from './lane.js'
import { tokensAreRefreshedOnce } from './one-winner.js'
import { shared, startTwo } from './service.js'

const ROUNDS = 10

for (const stores of shared) {
  t.test(`T16 of 20 parallel refreshes exactly one succeeds, and its tokens work: ${stores}`, async t =>
    tokensAreRefreshedOnce(t, await startTwo(t, stores), ROUNDS),
  )

  t.test(`T16 with REFRESH_REUSE_GRACE_SECONDS 20 parallel refreshes get one pair: ${stores}`, async t => {
    const { assistant, lanes, accessTokensOf } = await startTwo(t, stores, {
      REFRESH_REUSE_GRACE_SECONDS: '60',
    })
    let { refresh_token } = await assistant.connect()
    for (let round = 0; round < ROUNDS; round++) {
      const form = assistant.refreshing(refresh_token)
      const attempts = Array.from({ length: 10 }, () => lanes.map(lane => lane.form('/oauth/token', form)))
      const answers = await atOnce(attempts.flat(), round)
      t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200]))
      t.equal(new Set(answers.map(({ body }) => body)).size, 1)
      t.equal(await accessTokensOf(refresh_token), round + 2)
      refresh_token = answers[0]?.json().refresh_token ?? ''
    }
  })
}

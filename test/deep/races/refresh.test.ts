import t from 'tap'
import { atOnce } from './lane.js'
import { tokensAreRefreshedOnce } from './one-winner.js'
import { shared, startTwo } from './service.js'

const ROUNDS = 10

for (const stores of shared) {
  t.test(`one refresh token at two processes: ${stores}`, async t => {
    const service = await startTwo(t, stores)
    const { assistant, lanes, wait, connections } = service
    const [one, other] = lanes

    t.test('T16 of 20 parallel refreshes exactly one succeeds, and its tokens work (RFC 9700 §4.14.2)', t =>
      tokensAreRefreshedOnce(t, service, ROUNDS),
    )

    t.test('T16 a client may refresh at a different process each time', async t => {
      let { refresh_token } = await assistant.connect()
      for (let round = 0; round < 20; round++) {
        const lane = round % 2 ? one : other
        const answer = await (await lane.form('/oauth/token', assistant.refreshing(refresh_token))).finish()
        t.equal(answer.status, 200)
        refresh_token = answer.json().refresh_token ?? ''
      }
    })

    t.test('T16 a token used at one process and presented at the other: 9.999 s and 10 s later', async t => {
      const { access_token, refresh_token } = await assistant.connect()
      const form = assistant.refreshing(refresh_token)
      const present = async () => (await other.form('/oauth/token', form)).finish()
      const next = (await (await one.form('/oauth/token', form)).finish()).json()
      await wait(9_999)
      t.match((await present()).json(), { error: 'invalid_grant' })
      for (const token of [access_token, next.access_token ?? '']) t.ok(await one.opens(token))
      await wait(1)
      t.match((await present()).json(), { error: 'invalid_grant' })
      for (const token of [access_token, next.access_token ?? '']) {
        for (const lane of lanes) t.notOk(await lane.opens(token))
      }
      t.match((await assistant.refresh(next.refresh_token ?? '')).json(), { error: 'invalid_grant' })
      const ended = (await connections()).filter(({ revokedAt }) => revokedAt !== null)
      t.match(ended, [{ id: access_token.split('_')[2], revokedReason: /old key/ }])
    })
  })

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

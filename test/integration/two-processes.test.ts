import t from 'tap'
import { codesAreRedeemedOnce, tokensAreRefreshedOnce } from '../deep/races/one-winner.js'
import { startTwo } from '../deep/races/service.js'

// More rounds, on Postgres alone as well, and what races with the end of a connection: test/deep/races.
t.test('two processes on one Postgres and one Redis', async t => {
  const service = await startTwo(t, 'Postgres and Redis')

  t.test('T11 of 20 parallel redemptions exactly one succeeds (RFC 6749 §4.1.2)', t =>
    codesAreRedeemedOnce(t, service, 3),
  )

  t.test('T16 of 20 parallel refreshes exactly one succeeds (RFC 9700 §4.14.2)', t =>
    tokensAreRefreshedOnce(t, service, 3),
  )
})

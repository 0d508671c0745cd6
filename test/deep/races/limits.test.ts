import t from 'tap'
import { CALLBACK } from '../../integration/oauth/assistant.js'
import { atOnce } from './lane.js'
import { startTwo } from './service.js'

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

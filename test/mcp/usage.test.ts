import t from 'tap'
import { Usage } from '../../plugins/oauth/usage.js'
import { testClock } from '../helper.js'

t.test('counts calls per connection and writes each once, with the time of the last', async t => {
  const clock = testClock(1000)
  const written: unknown[] = []
  const usage = new Usage({ recordUse: async (...use) => void written.push(use) }, clock)
  usage.touch('a')
  usage.touch('b')
  clock.now = 2000
  usage.touch('a')
  await usage.flush()
  t.same(written, [
    ['a', 2, 2000],
    ['b', 1, 1000],
  ])
  await usage.flush()
  t.equal(written.length, 2, 'nothing is written twice')
})

t.test('what could not be written is written the next time', async t => {
  const clock = testClock(1000)
  const written: unknown[] = []
  let away = true
  const recordUse = async (...use: unknown[]) => {
    if (away && use[0] === 'b') throw new Error('away')
    written.push(use)
  }
  const usage = new Usage({ recordUse }, clock)
  for (const id of ['a', 'b', 'c']) usage.touch(id)
  await t.rejects(usage.flush(), /away/)
  away = false
  clock.now = 3000
  usage.touch('b')
  await usage.flush()
  t.same(written, [
    ['a', 1, 1000],
    ['b', 2, 3000],
    ['c', 1, 1000],
  ])
})

import t from 'tap'
import { Usage } from '../../../domain/oauth/connections/usage.js'
import type { Use } from '../../../domain/oauth/stores/types.js'
import { testClock } from '../../helper.js'

const tuple = ({ connectionId, calls, at }: Use) => [connectionId, calls, at]

t.test('counts calls per connection and writes each once, with the time of the last', async t => {
  const clock = testClock(1000)
  const written: unknown[] = []
  const usage = new Usage({ recordUse: async uses => void written.push(...uses.map(tuple)) }, clock)
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

t.test('calls while a write fails are added to what was not written', async t => {
  const clock = testClock(1000)
  const written: unknown[] = []
  const recordUse = async (uses: readonly Use[]) => {
    if (clock.now > 1000) return void written.push(...uses.map(tuple))
    clock.now = 2000
    for (let calls = 0; calls < 3; calls++) usage.touch('a')
    throw new Error('unavailable')
  }
  const usage = new Usage({ recordUse }, clock)
  usage.touch('a')
  usage.touch('b')
  await t.rejects(usage.flush(), /unavailable/)
  await usage.flush()
  t.same(written, [
    ['a', 4, 2000],
    ['b', 1, 1000],
  ])
})

t.test('many counts are written a hundred per statement; those that fail are kept', async t => {
  const sizes: number[] = []
  const written = new Map<string, number>()
  const recordUse = async (uses: readonly Use[]) => {
    if (sizes.push(uses.length) === 40) throw new Error('unavailable')
    for (const { connectionId, calls } of uses)
      written.set(connectionId, (written.get(connectionId) ?? 0) + calls)
  }
  const usage = new Usage({ recordUse }, testClock(1000))
  for (let i = 0; i < 10_000; i++) usage.touch(`c${i}`)
  await t.rejects(usage.flush(), /unavailable/)
  t.equal(written.size, 3_900)
  await usage.flush()
  t.equal(Math.max(...sizes), 100, 'the longest that others wait is one statement over 100 rows')
  t.equal(sizes.length, 101)
  t.ok(written.size === 10_000 && [...written.values()].every(calls => calls === 1), 'each once')
})

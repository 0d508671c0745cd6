import t from 'tap'
import { Unavailable } from '../../../platform/common/unavailable.js'
import { keyedMutex } from '../../../platform/storage/postgres/keyed-mutex.js'

const PATIENT = 60_000

/** Work that runs until `end` is called. */
function endless() {
  let end = () => {}
  const work = () => new Promise<void>(resolve => (end = resolve))
  return { work, end: () => end() }
}

t.test('work with the same key runs one at a time, with different keys concurrently', async t => {
  const lock = keyedMutex(PATIENT)
  const log: string[] = []
  const { work, end } = endless()
  const first = lock('a', work)
  const second = lock('a', async () => void log.push('second of a'))
  await lock('b', async () => void log.push('b'))
  log.push('first of a ends')
  end()
  await Promise.all([first, second])
  t.strictSame(log, ['b', 'first of a ends', 'second of a'])
})

t.test('a failure is passed on, and the next work starts', async t => {
  const lock = keyedMutex(PATIENT)
  const fails = lock('a', () => Promise.reject(new Error('no such row')))
  const next = lock('a', async () => 'done')
  await t.rejects(fails, /no such row/)
  t.equal(await next, 'done')
})

t.test('work that waits too long fails and never runs', async t => {
  const lock = keyedMutex(5)
  const { work, end } = endless()
  const first = lock('a', work)
  let done = 0
  const late = Array.from({ length: 1000 }, () => lock('a', async () => void done++))
  await t.rejects(lock('a', work), /too many wait/, 'more than a thousand wait for the same')
  const outcomes = await Promise.allSettled(late)
  t.ok(outcomes.every(outcome => outcome.status === 'rejected' && outcome.reason instanceof Unavailable))
  end()
  await first
  t.equal(await lock('a', async () => 'free'), 'free', 'and the lock is free again')
  t.equal(done, 0)
})

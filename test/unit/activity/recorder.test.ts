import t from 'tap'
import type { NewEntry, StoredEntry } from '../../../domain/activity/entry.js'
import { firstIdAt, timeOfId } from '../../../domain/activity/entry-id.js'
import { Recorder } from '../../../domain/activity/recorder.js'
import { testClock } from '../../helper.js'

/** A recorder over a store that can fail. */
function open(maxPending?: number) {
  const clock = testClock(1_000_000)
  const store = { isUnavailable: false, batches: [] as number[], written: [] as StoredEntry[] }
  const log: unknown[] = []
  const recorder = new Recorder({
    clock,
    process: 'p',
    async write(entries) {
      if (store.isUnavailable) throw new Error('unavailable')
      store.batches.push(entries.length)
      store.written.push(...entries)
    },
    onUnavailable: error => log.push((error as Error).message),
    onDropped: count => log.push(count),
    ...(maxPending === undefined ? {} : { maxPending }),
  })
  const record = (...details: unknown[]) => {
    for (const detail of details) recorder.record({ kind: 'exported', accountId: 'ann', detail: `${detail}` })
  }
  return { clock, store, log, recorder, record, details: () => store.written.map(({ detail }) => detail) }
}

t.test('entries are written in order, once, with the time at which they happened', async t => {
  const { clock, store, recorder, record, details } = open()
  record('a', 'b')
  clock.now += 500
  record('c')
  t.equal(store.written.length, 0, 'nothing is written before the flush')
  clock.now += 500
  await recorder.flush()
  t.same(details(), ['a', 'b', 'c'])
  const ids = store.written.map(({ id }) => id)
  t.same(ids.map(timeOfId), [1_000_000, 1_000_000, 1_000_500])
  t.same([...ids].sort(), ids, 'ids sort by time and order')
  t.ok(firstIdAt(1_000_500) < (ids[2] ?? '') && firstIdAt(1_000_500) > (ids[1] ?? ''))
  await recorder.flush()
  t.equal(store.written.length, 3)
})

t.test('many entries are written before the flush, in small batches', async t => {
  const { store, recorder, record, details } = open()
  const all = Array.from({ length: 1000 }, (_, i) => `${i}`)
  record(...all)
  await recorder.flush()
  t.same(details(), all)
  t.equal(Math.max(...store.batches), 256)
  record(...all.slice(0, 256))
  await new Promise(resolve => setImmediate(resolve))
  t.equal(store.written.length, 1256, 'a full batch does not wait')
})

t.test('while the store is unavailable, entries are kept and one line is logged', async t => {
  const { store, log, recorder, record, details } = open()
  store.isUnavailable = true
  for (const detail of ['a', 'b', 'c']) {
    record(detail)
    await recorder.flush()
  }
  t.same(log, ['unavailable'])
  store.isUnavailable = false
  record('d')
  await recorder.flush()
  t.same(details(), ['a', 'b', 'c', 'd'])
  t.same(log, ['unavailable'], 'nothing was dropped')
  store.isUnavailable = true
  record('e')
  await recorder.flush()
  t.same(log, ['unavailable', 'unavailable'], 'the next outage is another line')
})

t.test('beyond the bound, the oldest entries are dropped and counted', async t => {
  const { store, log, recorder, record, details } = open(10)
  store.isUnavailable = true
  const all = Array.from({ length: 1000 }, (_, i) => `${i}`)
  for (const detail of all) {
    record(detail)
    if (Number(detail) % 7 === 0) await recorder.flush()
  }
  await recorder.flush()
  t.same(log, ['unavailable'])
  store.isUnavailable = false
  await recorder.flush()
  t.same(details(), all.slice(-10))
  t.same(log, ['unavailable', 990], 'one line for all of them')
  record('next')
  await recorder.flush()
  t.equal(log.length, 2)
})

t.test('a service that stops writes what is left, or says how much was lost', async t => {
  const { store, log, recorder, record, details } = open(2)
  record('a')
  const flushing = recorder.flush()
  record('b')
  await recorder.close()
  await flushing
  t.same(details(), ['a', 'b'])
  store.isUnavailable = true
  record('c', 'd', 'e')
  await recorder.close()
  t.same(log, ['unavailable', 3], 'two that were pending and one that was dropped')
})

t.test('S1 a question is kept without tokens and cut to 1,000 characters', async t => {
  const { store, recorder } = open()
  const questions = ['Who is Ada?', `Use svc_at_${'x'.repeat(60)}, please`, 'x'.repeat(5000)]
  for (const question of questions) {
    recorder.record({ kind: 'question', accountId: 'ann', question } satisfies NewEntry)
  }
  await recorder.flush()
  const [plain, token, long] = store.written.map(({ question }) => question)
  t.equal(plain, 'Who is Ada?')
  t.equal(token, 'Use [removed], please')
  t.equal(long, `${'x'.repeat(999)}…`)
})

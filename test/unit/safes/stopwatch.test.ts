import t from 'tap'
import { stopwatch } from '../../../domain/safes/ask/stopwatch.js'

t.test('N13 once its signal is aborted, no further work begins', async t => {
  const controller = new AbortController()
  const measured: number[] = []
  for (const timed of [
    stopwatch(undefined, controller.signal),
    stopwatch(ms => measured.push(ms), controller.signal),
  ]) {
    t.equal(
      timed(() => 'done'),
      'done',
    )
  }
  t.equal(measured.length, 1)
  controller.abort()
  for (const onWork of [undefined, (ms: number) => measured.push(ms)]) {
    const timed = stopwatch(onWork, controller.signal)
    t.throws(() => timed(() => t.fail('begun')), { name: 'AbortError' })
  }
  t.equal(measured.length, 1)
})

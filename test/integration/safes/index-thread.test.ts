import t, { type Test } from 'tap'
import { Unavailable } from '../../../common/unavailable.js'
import { startWorker } from '../../../common/worker.js'
import { failureOf } from '../../../plugins/errors.js'
import { IndexThread } from '../../../safes/index/index-thread.js'
import { file, openSafes } from './open.js'

/** An index thread that runs the module `name`, and a Safe with one relation. */
async function openThread(t: Test, name: string) {
  const { domain, at } = await openSafes(t)
  const safe = await domain.create('ann', 'Good')
  await domain.import('ann', safe.id, file('a.csv', 'Ada,knows,Bob'))
  const counted = { started: 0 }
  const thread = new IndexThread(at, { heapMb: 128, silentMs: 2_000 }, (options, { heapMb }) => {
    counted.started++
    return startWorker(name, import.meta.url, options, { maxOldGenerationSizeMb: heapMb })
  })
  t.teardown(() => thread.close())
  return { thread, safe, counted }
}

t.test('a Safe that makes the thread hang or die gets 503; the others behind it are answered', async t => {
  const { thread, safe, counted } = await openThread(t, 'bad-index-thread')
  const problems = {
    hangs: /^Building the index of Safe hangs took too long/,
    grows: /took too much memory/,
    exits: /ended its thread/,
    throws: /failed/,
  }
  for (const [bad, problem] of Object.entries(problems)) {
    const first = await thread.open(safe.id)
    const [failed, behind] = await Promise.all([thread.open(bad).catch(error => error), thread.open(safe.id)])
    t.match([first.committed.counts, behind.committed.counts], [{ relations: 1 }, { relations: 1 }], bad)
    t.ok(failed instanceof Unavailable, bad)
    t.match(failed.message, problem)
    t.match(failureOf(failed), { status: 503, retryAfter: 2 })
  }
  t.equal(counted.started, 5, 'each ended its thread, and the last one goes on')
})

t.test('a thread that is busy for longer, and lives, is not ended', async t => {
  const { thread, safe, counted } = await openThread(t, 'slow-index-thread')
  const { committed } = await thread.open(safe.id)
  t.match(committed.counts, { relations: 1 })
  t.equal(counted.started, 1)
})

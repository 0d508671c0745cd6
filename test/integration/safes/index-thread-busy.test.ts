import t from 'tap'
import { openThread } from './index-threads.js'

t.test('a thread that is busy for longer, and lives, is not ended', async t => {
  const { thread, safe, counted } = await openThread(t, 'slow-index-thread', 1_000)
  // It may be silent for longer while it starts.
  await thread.open(safe.id)
  const { committed } = await thread.open(safe.id)
  t.match(committed.counts, { relations: 1 })
  t.equal(counted.started, 1)
})

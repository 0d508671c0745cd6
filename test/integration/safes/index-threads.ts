import type { Test } from 'tap'
import { IndexThread } from '../../../domain/safes/index/index-thread.js'
import { Thread } from '../../../platform/processes/thread.js'
import { file, openSafes } from './open.js'

/**
 * An index thread that runs the module `name`, and a Safe with one relation. A thread reports every 500 ms that it is
 * alive.
 */
export async function openThread(t: Test, name: string, silentMs = 2_000) {
  const { domain, at } = await openSafes(t)
  const safe = await domain.create('ann', 'Good')
  await domain.imports.add('ann', safe.id, file('a.csv', 'Ada,knows,Bob'))
  const counted = { started: 0 }
  const thread = new IndexThread(at, { heapMb: 128, silentMs }, (place, { heapMb }) => {
    counted.started++
    return new Thread(name, import.meta.url, place, { maxOldGenerationSizeMb: heapMb })
  })
  t.teardown(() => thread.close())
  return { thread, safe, counted }
}

import t from 'tap'
import { IndexThread } from '../../../domain/safes/index/index-thread.js'
import { Thread } from '../../../platform/processes/thread.js'
import { file, openSafes, people } from '../../integration/safes/open.js'

t.test(
  'an import that would make a Safe too large is refused with the limit, and the Safe goes on',
  async t => {
    const { domain, dump } = await openSafes(t, {
      startThread: at =>
        new IndexThread(
          at,
          { heapMb: 256, silentMs: 30_000 },
          (at, { heapMb }) =>
            new Thread('tight-index-worker', import.meta.url, at, { maxOldGenerationSizeMb: heapMb }),
        ),
    })
    const safe = await domain.create('ann', 'Large')
    await domain.imports.add('ann', safe.id, file('a.csv', 'Ada,knows,Bob'))
    for (const _ of ['first', 'again']) {
      const refused = await domain.imports.add('ann', safe.id, file('people.nt', people(6_000)))
      t.match(refused, { status: 'failed', problem: /its index would need more than 30 MiB of memory/ })
    }
    await domain.idle()
    t.equal((await dump()).relations.length, 1, 'nothing of it was kept')
    const { facts } = await domain.questions.ask('ann', safe.id, { query: 'Ada' })
    t.match(facts, [{ subject: 'Ada', object: 'Bob' }])
  },
)

import type { ChildProcess } from 'node:child_process'
import { LRUCache } from 'lru-cache'
import t from 'tap'
import { safeErrors } from '../../../domain/safes/errors.js'
import { BuildProcess } from '../../../domain/safes/index/build-process.js'
import { BuildsHere } from '../../../domain/safes/index/builds-here.js'
import { openIndex } from '../../../domain/safes/index/index-build.js'
import { Snapshots } from '../../../domain/safes/index/snapshot.js'
import type { DomainError } from '../../../platform/common/domain-error.js'
import { type ChildLimits, startChild } from '../../../platform/processes/child.js'
import { file, openSafes, people } from './open.js'

t.test('a Safe whose index takes too much memory is refused by its process', async t => {
  const { domain, at, stores } = await openSafes(t)
  const safe = await domain.create('ann', 'Large')
  await domain.imports.add('ann', safe.id, file('people.nt', people(1_000)))
  const started: ChildProcess[] = []
  const from = new URL('../../../domain/safes/index/index-thread.js', import.meta.url).href
  const start = (limits: ChildLimits) => {
    started.push(startChild('build-worker', from, limits))
    return started.at(-1) as ChildProcess
  }
  const ranges = (await stores.contents.committedImports(safe.id))?.ranges ?? []
  const small = new BuildProcess(at, start, { heapMb: 64, memoryMb: 40 })
  await t.rejects(small.build(safe.id, ranges), { code: 'safe_too_large', message: /more than 40 MiB/ })
  const large = new BuildProcess(at, start)
  const { layout, bytes } = await large.build(safe.id, ranges)
  t.strictSame(bytes.length, layout.byteLength)
  const here = await new BuildsHere(stores.contents).build(safe.id, ranges)
  t.strictSame(layout, here.layout, 'built elsewhere, it is the same')
  await large.end()
  t.equal(started.at(-1)?.signalCode, 'SIGKILL')
  t.equal(started.length, 2)
})

t.test('a Safe whose index was too large is not built again until its contents change', async t => {
  const { domain, at, stores } = await openSafes(t)
  const safe = await domain.create('ann', 'Large')
  await domain.imports.add('ann', safe.id, file('a.csv', 'Ada,knows,Bob'))
  const counted = { builds: 0 }
  const build = async () => {
    counted.builds++
    throw safeErrors.tooLarge(1_536)
  }
  const dependencies = {
    contents: stores.contents,
    snapshots: new Snapshots(`${at.dataDir}/none`),
    sharing: null,
    builds: { build, prepare: async () => {} },
    tooLarge: new LRUCache<string, { contentHash: string; error: DomainError }>({ max: 10 }),
    unsaved: { latest: null },
  }
  const message = /more than 1,536 MiB/
  for (const _ of ['first', 'again']) await t.rejects(openIndex(dependencies, safe.id), { message })
  t.equal(counted.builds, 1)
  await domain.imports.add('ann', safe.id, file('b.csv', 'Ada,knows,Cleo'))
  await t.rejects(openIndex(dependencies, safe.id), { message })
  t.equal(counted.builds, 2)
})

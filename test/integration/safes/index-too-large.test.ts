import type { ChildProcess } from 'node:child_process'
import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import t from 'tap'
import { safeErrors } from '../../../domain/safes/errors.js'
import { buildProcess } from '../../../domain/safes/index/build-process.js'
import { buildsHere } from '../../../domain/safes/index/complete-index.js'
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
  const small = buildProcess(at, start, { heapMb: 64, memoryMb: 40 })
  await t.rejects(small.build(safe.id), { code: 'safe_too_large', message: /more than 40 MiB/ })
  const large = buildProcess(at, start)
  const { layout, bytes } = await large.build(safe.id)
  t.strictSame(bytes.length, layout.byteLength)
  const here = await buildsHere(stores.contents)(safe.id)
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
    build,
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

t.test('a file that no index can hold is refused before it is read to its end (issue 53)', async t => {
  const { domain, rows } = await openSafes(t, { maxRows: 2_000 })
  const { id } = await domain.create('ann', 'Large')
  const line = (i: number) =>
    `${JSON.stringify({ type: 'entity', name: `Thing ${i % 10}`, observations: [`${i} ${'word '.repeat(200)}`] })}\n`
  const add = (count: number, isSizeKnown: boolean) => {
    const lines = Array.from({ length: count }, (_, i) => line(i))
    const bytesTotal = Buffer.byteLength(lines.join(''))
    const known = isSizeKnown ? { bytesTotal } : {}
    return domain.imports.add(
      'ann',
      id,
      file('large.jsonl', Readable.from(lines), { format: 'jsonl', ...known }),
    )
  }
  const refused = await add(4_000, true)
  t.match(refused, {
    status: 'failed',
    problem: /^This file has about [34],\d{3} things, facts and passages\. /,
  })
  t.ok(refused.bytesRead < (refused.bytesTotal ?? 0) / 2)
  t.match(await add(2_100, false), { status: 'failed', problem: /at most 2,000\. Nothing was added\./ })
  t.match(await rows(), { entities: [], passages: [] })
  t.match(await add(1_500, true), { status: 'committed' })
  t.match(await add(600, true), { status: 'failed', problem: /With what it has already/ })
})

import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import t, { type Test } from 'tap'
import { type ChildLimits, startChild } from '../../../common/child.js'
import type { DomainError } from '../../../common/domain-error.js'
import { Unavailable } from '../../../common/unavailable.js'
import { startWorker } from '../../../common/worker.js'
import { failureOf } from '../../../plugins/errors.js'
import { safeErrors } from '../../../safes/errors.js'
import { BuildProcess } from '../../../safes/index/build-process.js'
import { BuildsHere } from '../../../safes/index/builds-here.js'
import { openIndex } from '../../../safes/index/index-build.js'
import { IndexThread } from '../../../safes/index/index-thread.js'
import { Snapshots } from '../../../safes/index/snapshot.js'
import { until } from '../redis/servers.js'
import { file, openSafes, people } from './open.js'

/** An index thread that runs the module `name`, and a Safe with one relation. */
async function openThread(t: Test, name: string) {
  const { domain, at } = await openSafes(t)
  const safe = await domain.create('ann', 'Good')
  await domain.imports.add('ann', safe.id, file('a.csv', 'Ada,knows,Bob'))
  const counted = { started: 0 }
  const thread = new IndexThread(at, { heapMb: 128, silentMs: 5_000 }, (data, { heapMb }) => {
    counted.started++
    return startWorker(name, import.meta.url, data, { maxOldGenerationSizeMb: heapMb })
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

t.test('a Safe whose index takes too much memory is refused by its process', async t => {
  const { domain, at, stores } = await openSafes(t)
  const safe = await domain.create('ann', 'Large')
  await domain.imports.add('ann', safe.id, file('people.nt', people(1_000)))
  const started: ChildProcess[] = []
  const from = new URL('../../../safes/index/index-thread.js', import.meta.url).href
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

t.test('a thread that dies takes the process with it that builds for it', async t => {
  const { thread, safe } = await openThread(t, 'bad-index-thread')
  const before = children()
  await thread.prepare(safe.id)
  const builder = children().filter(id => !before.includes(id))
  t.equal(builder.length, 1)
  // One that hangs does not notice that its thread has died.
  for (const id of builder) process.kill(Number(id), 'SIGSTOP')
  await t.rejects(thread.open('exits'), /ended its thread/)
  await until(async () => builder.every(id => !isRunning(id)))
  t.pass('it has ended')
})

/** Of this process, as Linux lists them. */
const children = () =>
  readdirSync('/proc/self/task').flatMap(task =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )

function isRunning(id: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'))
  } catch {
    return false
  }
}

t.test('a thread that is busy for longer, and lives, is not ended', async t => {
  const { thread, safe, counted } = await openThread(t, 'slow-index-thread')
  const { committed } = await thread.open(safe.id)
  t.match(committed.counts, { relations: 1 })
  t.equal(counted.started, 1)
})

import { readdirSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { IndexThread } from '../../../domain/safes/index/index-thread.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import { failureOf } from '../../../plugins/errors.js'
import { until } from '../../until.js'
import { openThread } from './index-threads.js'
import { file, openSafes } from './open.js'

t.test('a Safe that makes the thread hang or die gets 503; the others behind it are answered', async t => {
  // Only a hanging process gets less time: filling the memory takes a while on a busy machine.
  await Promise.all([
    survives(t, { hangs: /^Building the index of Safe hangs took too long/ }, 1_500),
    survives(t, { grows: /took too much memory/, exits: /ended unexpectedly/, throws: /failed/ }, 15_000),
  ])
})

async function survives(t: Test, problems: Record<string, RegExp>, silentMs: number) {
  const { thread, safe, counted } = await openThread(t, 'bad-index-thread', silentMs)
  for (const [bad, problem] of Object.entries(problems)) {
    const first = await thread.open(safe.id)
    const [failed, behind] = await Promise.all([thread.open(bad).catch(error => error), thread.open(safe.id)])
    t.match([first.committed.counts, behind.committed.counts], [{ relations: 1 }, { relations: 1 }], bad)
    t.ok(failed instanceof Unavailable, bad)
    t.match(failed.message, problem)
    t.match(failureOf(failed), { status: 503, retryAfter: 2 })
  }
  const started = Object.keys(problems).length + 1
  t.equal(counted.started, started, 'each ended its thread, and the last one goes on')
}

t.test('accounts take turns at the thread: one that opens many indexes lets another in', async t => {
  const { thread, safe } = await openThread(t, 'bad-index-thread', 15_000)
  const order: string[] = []
  const open = (account: string) => thread.open(safe.id, account).then(() => order.push(account))
  await Promise.all([...Array.from({ length: 5 }, () => open('hog')), open('honest')])
  t.strictSame(order, ['hog', 'honest', 'hog', 'hog', 'hog', 'hog'])
})

t.test('a large Safe is opened and asked in the turn of who waits for it', async t => {
  const turns: unknown[] = []
  class NotedThread extends IndexThread {
    override open(...args: Parameters<IndexThread['open']>) {
      turns.push(['open', args[1]])
      return super.open(...args)
    }
    override rank(...args: Parameters<IndexThread['rank']>) {
      turns.push(['rank', args[2]])
      return super.rank(...args)
    }
  }
  const { domain } = await openSafes(t, { indexBytes: 1, startThread: at => new NotedThread(at) })
  const { id } = await domain.create('ann', 'Large')
  await domain.members.share('ann', id, 'bob', 'reader')
  const rows = Array.from({ length: 5_001 }, (_, i) => `Person ${i},knows,Ada`).join('\n')
  await domain.imports.add('ann', id, file('large.csv', rows))
  await domain.questions.ask('bob', id, { query: 'Who knows Ada?' })
  t.strictSame(turns, [
    ['open', 'ann'],
    ['rank', 'bob'],
  ])
})

t.test('a thread that dies takes the process with it that builds for it', async t => {
  const { thread, safe } = await openThread(t, 'bad-index-thread')
  const before = children()
  await thread.open(safe.id)
  const builder = children().filter(id => !before.includes(id))
  t.equal(builder.length, 1)
  // A hanging process does not notice that its thread has died.
  for (const id of builder) process.kill(Number(id), 'SIGSTOP')
  await t.rejects(thread.open('exits'), /ended unexpectedly/)
  await until(async () => builder.every(id => !isRunning(id)))
  t.pass('it has ended')
})

/** The files of this process, as Linux lists them. */
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

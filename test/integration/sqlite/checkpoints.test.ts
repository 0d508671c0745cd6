import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { endAnyway } from '../../../cli/last-resort.js'
import { Checkpoints } from '../../../platform/storage/sqlite/checkpoints.js'
import { sqliteDriver } from '../../../platform/storage/sqlite/load-driver.js'
import { dataDir } from '../../data-dir.js'

/** A database whose log is due for a checkpoint, and the threads that start from now on. */
async function due(t: Test) {
  const file = join(dataDir(t), 'svc.db')
  const db = (await sqliteDriver()).open(file, 0)
  t.teardown(() => db.close())
  db.exec('pragma journal_mode = WAL')
  db.exec('pragma wal_autocheckpoint = 0')
  db.exec('create table a (b)')
  db.exec('insert into a values (randomblob(9000000))')
  t.ok(statSync(`${file}-wal`).size > 8 * 1024 * 1024)
  const threads: Worker[] = []
  const listen = (worker: Worker) => void threads.push(worker)
  process.on('worker', listen)
  t.teardown(() => process.off('worker', listen))
  return { file, threads }
}

t.test('no thread begins after checkpoints are closed', async t => {
  const { file, threads } = await due(t)
  const checkpoints = new Checkpoints(file, 1)
  // Fires right after the first look at the log has begun, because both timers have the same time.
  await new Promise<void>(resolve => setTimeout(() => resolve(checkpoints.close()), 1))
  await pause(100)
  t.same(
    threads.filter(({ threadId }) => threadId > 0),
    [],
  )
})

t.test('the thread does not hold the process, and ends with the checkpoints', async t => {
  const { file, threads } = await due(t)
  const held = () => process.getActiveResourcesInfo().filter(name => name === 'MessagePort').length
  const before = held()
  const checkpoints = new Checkpoints(file, 1)
  while (threads.length === 0) await pause(1)
  t.equal(held(), before)
  await checkpoints.close()
  t.same(
    threads.map(({ threadId }) => threadId),
    [-1],
  )
})

t.test('a finished command whose process does not end is ended, and says so', async t => {
  let said = ''
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      said += chunk
      done()
    },
  })
  let taken = () => {}
  const stdout = new Writable({
    write(_chunk, _encoding, done) {
      taken = done
    },
  })
  stdout.write('a result that is read slowly')
  let isEnded = false
  const ended = new Promise<void>(resolve => {
    const exit = () => {
      isEnded = true
      resolve()
    }
    endAnyway({ stdout, stderr, exit, everyMs: 1 })
  })
  await pause(20)
  t.notOk(isEnded, 'not while its output is being read')
  taken()
  while (!isEnded) await pause(1)
  await ended
  t.match(said, /had finished, but its process did not end/)
})

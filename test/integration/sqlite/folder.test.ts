import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { sqliteDriver } from '../../../platform/storage/sqlite/load-driver.js'
import { acquireLock } from '../../../platform/storage/sqlite/lock.js'
import { retryWhileBusy } from '../../../platform/storage/sqlite/sqlite-dialect.js'
import type { SqliteDriverName } from '../../../platform/storage/sqlite/sqlite-driver.js'
import { WaitingWriters } from '../../../platform/storage/sqlite/waiting-writers.js'
import { dataDir } from '../../data-dir.js'
import { drivers } from './drivers.js'

const pairs = drivers.flatMap(first => drivers.map(then => [first, then] as const))

for (const [first, then] of pairs) {
  t.test(`a folder written by ${first} is opened by ${then}, and back`, async t => {
    const folder = dataDir(t)
    for (const [round, name] of [first, then, first].entries()) {
      const database = await openDatabase({ dataDir: folder, role: 'server', sqliteDriver: name })
      const add = { name: `round ${round}`, value: 'grüß 🙂' }
      await database.write(trx => trx.insertInto('service_keys').values(add).execute())
      const rows = await database.read.selectFrom('service_keys').selectAll().orderBy('name').execute()
      await database.close()
      t.strictSame(
        rows.map(row => ({ ...row })),
        Array.from({ length: round + 1 }, (_, n) => ({ name: `round ${n}`, value: 'grüß 🙂' })),
      )
    }
  })

  t.test(`of ${first} killed while it writes, ${then} finds all that was committed`, async t => {
    const folder = dataDir(t)
    const reported = await killedWriter(first, folder, async () => {
      t.notOk(await released(folder, then), 'the lock is held')
      await written(folder, then)
    })
    t.ok(await released(folder, then), 'the lock is free')
    const db = (await sqliteDriver(then)).open(join(folder, 'svc.db'), 0)
    t.teardown(() => db.close())
    t.match(db.prepare("select count(*) as n from t where value = 'other'").get([]), { n: 1 })
    t.match(db.prepare('pragma integrity_check').get([]), { integrity_check: 'ok' })
    const { a, b } = db
      .prepare("select sum(value like 'a%') as a, sum(value like 'b%') as b from t")
      .get([]) as { a: number; b: number }
    t.equal(a, b, 'nothing by halves')
    t.ok(a > reported, `${a} of at least ${reported + 1}`)
  })
}

for (const name of drivers) {
  t.test(
    `${name}: a second process waits for the first to write, its event loop goes on, and the first learns of it`,
    async t => {
      const folder = dataDir(t)
      const one = await openDatabase({ dataDir: folder, role: 'server', sqliteDriver: name })
      const other = await openDatabase({ dataDir: folder, role: 'cli', sqliteDriver: name })
      t.teardown(() => Promise.all([one.close(), other.close()]))
      const waiting = new WaitingWriters(join(folder, 'writers.waiting'))
      const add = (trx: typeof one.read, name: string) =>
        trx.insertInto('service_keys').values({ name, value: 'x' }).execute()
      const names = async () =>
        (await other.read.selectFrom('service_keys').select('name').execute()).map(({ name }) => name).sort()
      const later: Promise<unknown>[] = []
      await one.write(async trx => {
        await add(trx, 'first')
        later.push(other.write(trx => add(trx, 'second')))
        // A wait that blocked the event loop would never get here.
        for (let turn = 0; turn < 20; turn++) await nextTurn()
        t.strictSame(await names(), [], 'neither is there, and readers go on')
      })
      t.ok(waiting.waited(), 'somebody waits')
      await one.giveWay()
      await Promise.all(later)
      t.strictSame(await names(), ['first', 'second'])
      waiting.waited()
      await one.write(trx => add(trx, 'third'))
      t.notOk(waiting.waited(), 'nobody waits')
    },
  )
}

/**
 * Two libraries in one process would not see each other's locks, which POSIX keeps per process: hence the second
 * process.
 * @returns the number of the last transaction that it reported before SIGKILL
 */
async function killedWriter(
  name: SqliteDriverName,
  folder: string,
  meanwhile: () => Promise<void>,
): Promise<number> {
  const writer = fileURLToPath(new URL('writer.js', import.meta.url))
  const child = spawn(process.execPath, [...process.execArgv, writer, name, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let reported = -1
  let looking: Promise<void> | null = null
  child.stdout.on('data', chunk => {
    const last = String(chunk).trimEnd().split('\n').at(-1)
    reported = Math.max(reported, Number(last?.match(/^\d+$/)?.[0] ?? -1))
    if (reported > 300) looking ??= meanwhile().finally(() => child.kill('SIGKILL'))
  })
  await ended
  await looking
  return reported
}

/** A row in between, like those the command line writes beside the server. */
async function written(folder: string, name: SqliteDriverName): Promise<void> {
  const db = (await sqliteDriver(name)).open(join(folder, 'svc.db'), 0)
  await retryWhileBusy(() => db.exec("insert into t (value) values ('other')"))
  db.close()
}

async function released(folder: string, name: SqliteDriverName): Promise<boolean> {
  const release = await acquireLock(join(folder, 'server.lock'), name)
  release?.()
  return release !== null
}

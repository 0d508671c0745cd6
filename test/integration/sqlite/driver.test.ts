import t, { type Test } from 'tap'
import { driverFor, sqliteDriver } from '../../../platform/storage/sqlite/load-driver.js'
import type { SqliteDriver } from '../../../platform/storage/sqlite/sqlite-driver.js'
import { drivers, newFile } from './drivers.js'

t.test('the driver is chosen by the version of Node', async t => {
  t.equal(driverFor('20.12.0'), 'photostructure')
  t.equal(driverFor('22.0.0'), 'better-sqlite3')
  t.equal(driverFor('26.10.0'), 'better-sqlite3')
  t.ok(drivers.includes(driverFor(process.versions.node)))
})

for (const name of drivers) {
  t.test(name, async t => {
    const driver = await sqliteDriver(name)
    t.test('values are read as they were bound', t => values(t, driver))
    t.test('values that SQLite cannot store are rejected, not changed', t => refusals(t, driver))
    t.test('statements report whether they return rows, and how many they change', t => statements(t, driver))
    t.test('a statement abandoned midway holds no lock', t => brokenOff(t, driver))
    t.test('concurrent uses of one statement never mix rows', t => twoUses(t, driver))
    t.test('after SQLITE_BUSY the same statement works', t => busy(t, driver))
    t.test('errors have the code of SQLite', t => codes(t, driver))
  })
}

function open(t: Test, driver: SqliteDriver, file = newFile(t)) {
  const db = driver.open(file, 0)
  t.teardown(() => db.close())
  db.exec('pragma journal_mode = WAL')
  db.exec('create table if not exists t (id integer primary key, value)')
  return db
}

async function values(t: Test, driver: SqliteDriver) {
  const db = open(t, driver)
  const insert = db.prepare('insert into t (id, value) values (?, ?)')
  const bytes = Uint8Array.from([0, 255, 1])
  const bound = ['', 'grüß 🙂', 0, -1.5, 2 ** 53 - 1, 12n, null, undefined, bytes]
  for (const [id, value] of bound.entries()) insert.run([id, value])
  const rows = db.prepare('select id, value from t order by id').all([]) as { id: number; value: unknown }[]
  t.strictSame(
    rows.map(row => (row.value instanceof Uint8Array ? [...row.value] : row.value)),
    ['', 'grüß 🙂', 0, -1.5, 2 ** 53 - 1, 12, null, null, [0, 255, 1]],
  )
  t.match(db.prepare('select value from t where id = ?').get([1]), { value: 'grüß 🙂' })
  t.equal(db.prepare('select value from t where id = ?').get([99]), undefined)
}

async function refusals(t: Test, driver: SqliteDriver) {
  const db = open(t, driver)
  const insert = db.prepare('insert into t (value) values (?)')
  for (const value of [true, new Date(0), {}, ['x'], () => 1]) t.throws(() => insert.run([value]))
  t.throws(() => insert.run([1, 2]))
  if (driver === (await sqliteDriver('photostructure'))) t.throws(() => insert.run(['a\0b']), 'not cut short')
  const { n } = db.prepare('select count(*) as n from t').get([]) as { n: number }
  t.equal(n, 0)
}

async function statements(t: Test, driver: SqliteDriver) {
  const db = open(t, driver)
  const insert = db.prepare('insert into t (value) values (?)')
  t.notOk(insert.reader)
  t.notOk(db.prepare('begin immediate').reader)
  t.match(insert.run(['a']), { changes: 1, lastInsertRowid: 1 })
  t.match(insert.run(['b']), { changes: 1, lastInsertRowid: 2 })
  t.equal(db.prepare('update t set value = 0 where id = 99').run([]).changes, 0)
  t.equal(db.prepare('update t set value = 0').run([]).changes, 2)
  const returning = db.prepare('delete from t where id = ? returning id')
  t.ok(returning.reader)
  t.strictSame(
    (returning.all([2]) as { id: number }[]).map(row => row.id),
    [2],
  )
  t.equal(returning.all([2]).length, 0)
}

async function brokenOff(t: Test, driver: SqliteDriver) {
  const db = open(t, driver)
  const insert = db.prepare('insert into t (value) values (?)')
  for (let n = 0; n < 1000; n++) insert.run(['x'.repeat(100)])
  const rows = db.prepare('select id from t order by id')
  for (const row of rows.iterate([])) if ((row as { id: number }).id === 3) break
  t.equal(rows.all([]).length, 1000)
  insert.run(['after'])
  const checkpoint = db.prepare('pragma wal_checkpoint(TRUNCATE)')
  t.match(checkpoint.get([]), { busy: 0, log: 0 }, 'no reader is left')
}

async function twoUses(t: Test, driver: SqliteDriver) {
  const db = open(t, driver)
  const insert = db.prepare('insert into t (value) values (?)')
  for (let n = 0; n < 10; n++) insert.run([n])
  const rows = db.prepare('select id from t order by id')
  const seen: unknown[] = []
  const use = () => {
    for (const row of rows.iterate([])) {
      seen.push((row as { id: number }).id)
      if (seen.length === 2) rows.all([])
    }
  }
  t.throws(use)
  t.strictSame(seen, [1, 2])
  t.equal(rows.all([]).length, 10)
}

async function busy(t: Test, driver: SqliteDriver) {
  const file = newFile(t)
  const [one, other] = [open(t, driver, file), open(t, driver, file)]
  const begin = other.prepare('begin immediate')
  const insert = other.prepare('insert into t (value) values (?)')
  const update = other.prepare('update t set value = ? where id = 1')
  one.exec("insert into t (id, value) values (1, 'old')")
  one.exec('begin immediate')
  t.match(
    other.prepare('pragma busy_timeout').get([]),
    { timeout: 0 },
    'SQLite does not wait, which would block',
  )
  for (const attempt of [() => begin.run([]), () => insert.run(['x']), () => update.run(['new'])])
    t.throws(attempt, { code: /^SQLITE_BUSY/ })
  one.exec('commit')
  t.equal(update.run(['new']).changes, 1)
  t.equal(insert.run(['x']).changes, 1)
  begin.run([])
  other.exec('rollback')
  const seen = one.prepare('select value from t order by id').all([]) as { value: string }[]
  t.strictSame(
    seen.map(row => row.value),
    ['new', 'x'],
  )
}

async function codes(t: Test, driver: SqliteDriver) {
  const db = open(t, driver)
  t.throws(() => db.prepare('selec'), { code: 'SQLITE_ERROR' })
  db.exec('insert into t (id) values (1)')
  t.throws(() => db.exec('insert into t (id) values (1)'), { code: /^SQLITE_CONSTRAINT/ })
  db.exec('pragma max_page_count = 3')
  t.throws(() => db.prepare('insert into t (value) values (?)').run(['x'.repeat(100_000)]), {
    code: 'SQLITE_FULL',
  })
  db.exec('pragma query_only = on')
  t.throws(() => db.exec('delete from t'), { code: 'SQLITE_READONLY' })
}

// npm run bench -- sqlite — the drivers that this Node can load, µs of processor time a call, interleaved.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { driverFor, sqliteDriver } from '../../storage/sqlite/load-driver.js'
import { DRIVERS, type SqliteFile } from '../../storage/sqlite/sqlite-driver.js'

const ROUNDS = 7
const CALLS = 4000
const loadable = driverFor(process.versions.node) === 'better-sqlite3' ? DRIVERS : ['photostructure' as const]

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-sqlite-'))
try {
  const times = new Map<string, number[][]>()
  for (const name of loadable) times.set(name, [[], [], []])
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of loadable) {
      const db = (await sqliteDriver(name)).open(join(folder, `${name}-${round}.db`), 0)
      for (const [kind, time] of measured(db).entries()) times.get(name)?.[kind]?.push(time)
      db.close()
    }
  }
  console.log(`Node ${process.version}, medians of ${ROUNDS} rounds, µs\n`)
  console.log('| driver | a row by its key | 50 rows | a transaction of one row |\n|---|---:|---:|---:|')
  for (const [name, kinds] of times)
    console.log(`| ${name} | ${kinds.map(kind => median(kind).toFixed(1)).join(' | ')} |`)
} finally {
  rmSync(folder, { recursive: true })
}

function measured(db: SqliteFile): number[] {
  db.exec('pragma journal_mode = WAL')
  db.exec('pragma synchronous = NORMAL')
  db.exec('create table t (id integer primary key, name text, type text, note text, at integer)')
  const insert = db.prepare('insert into t (name, type, note, at) values (?, ?, ?, ?)')
  db.exec('begin')
  for (let n = 0; n < 10_000; n++) insert.run([`name ${n}`, 'person', 'a note of some length', n])
  db.exec('commit')
  const one = db.prepare('select * from t where id = ?')
  const fifty = db.prepare('select * from t where id >= ? limit 50')
  const [begin, commit] = [db.prepare('begin immediate'), db.prepare('commit')]
  const transaction = (n: number) => {
    begin.run([])
    insert.run([`new ${n}`, 'person', 'a note', n])
    commit.run([])
  }
  const calls = [(n: number) => one.all([n]), (n: number) => fifty.all([n]), transaction]
  return calls.map(microseconds)
}

function microseconds(call: (n: number) => unknown): number {
  const before = process.cpuUsage()
  for (let n = 1; n <= CALLS; n++) call(n)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0
}

// A process that commits rows one by one, reports each, and is killed in the middle: node writer.ts DRIVER FOLDER
import { join } from 'node:path'
import { sqliteDriver } from '../../../platform/storage/sqlite/load-driver.js'
import { acquireLock } from '../../../platform/storage/sqlite/lock.js'
import type { SqliteDriverName } from '../../../platform/storage/sqlite/sqlite-driver.js'

const [name, folder = ''] = process.argv.slice(2) as [SqliteDriverName, string]
const release = await acquireLock(join(folder, 'server.lock'), name)
if (!release) throw new Error('locked')
// Without this reference the connection would be collected, which releases the lock.
process.once('exit', release)
const db = (await sqliteDriver(name)).open(join(folder, 'svc.db'), 0)
db.exec('pragma journal_mode = WAL')
db.exec('pragma synchronous = NORMAL')
db.exec('create table if not exists t (id integer primary key, value)')
const insert = db.prepare('insert into t (value) values (?)')
for (let n = 0; ; n++) {
  db.exec('begin immediate')
  insert.run([`a${n}`])
  insert.run([`b${n}`])
  db.exec('commit')
  process.stdout.write(`${n}\n`)
  if (n % 100 === 0) await new Promise(resolve => setImmediate(resolve))
}

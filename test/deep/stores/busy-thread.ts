// A thread that calls SQLite all the time (terminated.test.ts).
import { parentPort, workerData } from 'node:worker_threads'
import { sqliteDriver } from '../../../platform/storage/sqlite/load-driver.js'

const db = (await sqliteDriver()).open(workerData as string, 1000)
db.exec('create table if not exists numbers (n integer primary key, text text)')
const insert = db.prepare('insert into numbers (text) values (?)')
for (let i = 0; i < 500; i++) insert.run([`text ${i}`])
const all = db.prepare('select * from numbers')
parentPort?.postMessage('working')
for (;;) {
  all.all([])
  for (const _ of all.iterate([]));
}

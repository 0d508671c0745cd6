// node update-and-die.js DATA_DIR DATABASE_URL DRIVER [AT]
//
// Updates a database and prints every statement that changes something, or kills itself before the statement AT.
import { Client } from 'pg'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { sqliteDriver } from '../../../platform/storage/sqlite/load-driver.js'
import type { SqliteDriverName } from '../../../platform/storage/sqlite/sqlite-driver.js'
import { addMigrations } from '../../integration/storage/later-migrations.js'

addMigrations()
const [dataDir = '', databaseUrl = '', driver = '', at] = process.argv.slice(2)
const CHANGES = /^\s*(?:alter|create|drop|insert|update|vacuum|commit)/

function reach(sql: string, parameters: readonly unknown[] = []): void {
  if (!CHANGES.test(sql)) return
  const statement = [sql, ...parameters.slice(0, 1)].join(' ')
  if (!at) process.stdout.write(`${JSON.stringify(statement)}\n`)
  if (statement === at) process.kill(process.pid, 'SIGKILL')
}

interface Query {
  text: string
  values?: unknown
}

const sqlite = await sqliteDriver(driver as SqliteDriverName)
const { open } = sqlite
sqlite.open = (file, busyTimeout) => {
  const db = open(file, busyTimeout)
  return {
    ...db,
    exec: sql => {
      reach(sql)
      db.exec(sql)
    },
    prepare: sql => {
      const statement = db.prepare(sql)
      const run = statement.run.bind(statement)
      statement.run = parameters => {
        reach(sql, parameters)
        return run(parameters)
      }
      return statement
    },
  }
}
const query = Client.prototype.query as (...args: unknown[]) => unknown
Client.prototype.query = function (this: Client, ...args: unknown[]) {
  const [first, parameters] = args
  const { text, values } = typeof first === 'string' ? { text: first, values: parameters } : (first as Query)
  reach(text, values as unknown[])
  return query.apply(this, args)
} as typeof Client.prototype.query

const database = await openDatabase({
  ...{ dataDir, databaseUrl: databaseUrl || null, role: 'cli' },
  sqliteDriver: driver as SqliteDriverName,
})
await database.close()

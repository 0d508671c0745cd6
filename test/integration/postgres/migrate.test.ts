import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { rootDir } from '../../../platform/common/package.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { builtCli } from '../../built-cli.js'
import { dataDir, postgresUrl } from '../../helper.js'
import { rounds } from '../../rounds.js'
import { until } from '../../until.js'

async function connect(t: Test, url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  t.teardown(() => client.end())
  return client
}

/** The rows of a database after all migrations: the files of `platform/storage/migrations`, in order. */
const every = readdirSync(join(rootDir, 'platform', 'storage', 'migrations'))
  .sort()
  .map(file => ({ name: file.replace(/\.ts$/, '') }))

const applied = async (client: Client) => (await client.query('select name from kysely_migration')).rows

t.test('processes that start together migrate once', async t => {
  const DATABASE_URL = await postgresUrl(t)
  const svc = await builtCli(dataDir(t), { DATABASE_URL })
  await Promise.all(Array.from({ length: rounds(4, 10) }, () => svc.run(['migrate'])))
  t.same(await applied(await connect(t, DATABASE_URL)), every)
})

t.test('a process waits while another one migrates', async t => {
  const databaseUrl = await postgresUrl(t)
  const other = await connect(t, databaseUrl)
  await other.query('select pg_advisory_lock(7368118)')
  const opening = openDatabase({ dataDir: dataDir(t), databaseUrl, role: 'server' })
  const waits = `select 1 from pg_locks join pg_database on pg_database.oid = database
    where locktype = 'advisory' and not granted and datname = current_database()`
  await until(async () => (await other.query(waits)).rowCount !== 0)
  await t.rejects(applied(other), /does not exist/, 'nothing was done before')
  await other.query('select pg_advisory_unlock(7368118)')
  const database = await opening
  t.same(await applied(other), every)
  await database.close()
})

t.test('a database that is not in UTF8 is rejected', async t => {
  const databaseUrl = await postgresUrl(t)
  const open = (databaseUrl: string) => openDatabase({ dataDir: dataDir(t), databaseUrl, role: 'server' })
  const client = await connect(t, databaseUrl)
  const latin = `latin_${Date.now()}`
  const made = `create database ${latin} encoding 'LATIN1' locale 'C' locale_provider libc template template0`
  await client.query(made)
  t.teardown(async () => void (await client.query(`drop database ${latin}`)))
  await t.rejects(open(new URL(latin, databaseUrl).href), /should be in UTF8, not LATIN1/)
})

t.test('a start without Postgres reports the reason, without the password', async t => {
  const url = await postgresUrl(t)
  const none = Object.assign(new URL(url), { pathname: 'none', password: 'hidden-password' }).href
  const unreachable = Object.assign(new URL(url), { port: '1' }).href
  const open = (databaseUrl: string) => openDatabase({ dataDir: dataDir(t), databaseUrl, role: 'server' })
  await t.rejects(open(none), /^DATABASE_URL: database "none" does not exist$/)
  await t.rejects(open(unreachable), /^DATABASE_URL: connect ECONNREFUSED/)
})

import { sql } from 'kysely'
import t from 'tap'
import { openDatabase } from '../../../storage/open-database.js'
import { build, dataDir } from '../../helper.js'

t.test('a second server on the same folder is rejected, the command line is not', async t => {
  const folder = dataDir(t)
  const server = await openDatabase({ dataDir: folder, role: 'server' })
  await t.rejects(openDatabase({ dataDir: folder, role: 'server' }), /Another server is already running/)
  const cli = await openDatabase({ dataDir: folder, role: 'cli' })
  await cli.close()
  await server.close()
  const next = await openDatabase({ dataDir: folder, role: 'server' })
  await next.close()
})

t.test('a database of a newer version is rejected', async t => {
  const folder = dataDir(t)
  const database = await openDatabase({ dataDir: folder, role: 'server' })
  await database.write(trx =>
    sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030')`.execute(trx),
  )
  await database.close()
  await t.rejects(openDatabase({ dataDir: folder, role: 'server' }), /newer version/)
  await t.rejects(openDatabase({ dataDir: folder, role: 'cli' }), /newer version/)
})

t.test('writes of two processes are serialized; waiting does not block the event loop', async t => {
  const folder = dataDir(t)
  const one = await openDatabase({ dataDir: folder, role: 'server' })
  const other = await openDatabase({ dataDir: folder, role: 'cli' })
  t.teardown(() => Promise.all([one.close(), other.close()]))
  const add = (name: string) => ({ name, value: 'x' })
  await one.write(async trx => {
    await trx.insertInto('service_keys').values(add('one')).execute()
    const waiting = other.write(other => other.insertInto('service_keys').values(add('other')).execute())
    await new Promise(resolve => setTimeout(resolve, 20))
    t.equal((await other.read.selectFrom('service_keys').selectAll().execute()).length, 0, 'readers go on')
    void waiting.then(() => t.pass('written after the first was done'))
  })
  await new Promise(resolve => setTimeout(resolve, 50))
  t.equal((await one.read.selectFrom('service_keys').selectAll().execute()).length, 2)
})

t.test('the service answers /healthz and /readyz in both set-ups', async t => {
  for (const setUp of ['embedded', 'redis'] as const) {
    const app = await build(t, { setUp })
    t.equal((await app.inject('/healthz')).statusCode, 200)
    t.equal((await app.inject('/readyz')).statusCode, 200, setUp)
  }
})

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { build, type SetUp, testClock } from '../../helper.js'
import { people } from '../../integration/safes/open.js'
import { until } from '../../until.js'
import { seeded } from './seeded.js'

/** Enough that reading them takes a while. */
const MANY = 60_000

for (const setUp of ['embedded', 'postgres'] as const) {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    t.test(`${setUp}: ${signal} while a thread reads an upload; the next start cleans up`, async t => {
      const { server, visitor, safeId, place, start } = await open(t, setUp)
      const uploading = visitor.import(safeId, 'people.nt', people(MANY)).catch(() => null)
      const database = await openDatabase({ ...place, role: 'cli' })
      t.teardown(() => database.close())
      const row = () =>
        database.read.selectFrom('imports').where('safe_id', '=', safeId).selectAll().executeTakeFirst()
      const isStaged = async () =>
        (await database.read.selectFrom('relations').select('id').limit(1).execute()).length > 0
      await until(isStaged)
      server.child.kill(signal)
      t.equal(await server.ended, signal === 'SIGTERM' ? 0 : null)
      await uploading
      const left = await row()
      if (signal === 'SIGTERM') {
        t.match(left, {
          status: 'failed',
          report_json: /The service was stopped while this file was being read/,
        })
      } else t.equal(left?.status, 'staged')
      t.ok((left?.lease_expires_at ?? 0) > Date.now(), 'nobody else takes it yet')

      // As if the minute of its lease were over.
      await database.write(trx =>
        trx.updateTable('imports').set({ lease_expires_at: 1 }).where('safe_id', '=', safeId).execute(),
      )
      await start()
      await until(async () => (await row())?.lease_expires_at === 0)
      const problem = signal === 'SIGTERM' ? /was stopped/ : /not finished in time/
      t.match(await row(), { status: 'failed', report_json: problem, lease_expires_at: 0 })
      t.equal(await isStaged(), false, 'its rows are gone')
      const spool = join(place.dataDir, 'spool')
      t.same(existsSync(spool) ? readdirSync(spool) : [], [], 'and its file')
    })
  }
}

t.test('a running process checks every minute for imports that another one left behind', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const clock = testClock(Date.now())
  const app = await build(t, { clock })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { id: ann } = await app.accounts.add('ann@a.example', 'a password for the tests', 'admin')
  const { id: safeId } = await app.safes.create(ann, 'Safe')
  const left = {
    ...{
      safe_id: safeId,
      id: 1,
      status: 'staged' as const,
      source: 'a.csv',
      format: 'csv',
      content_hash: null,
    },
    ...{ report_json: '{}', lease_expires_at: clock.now + 30_000, created_by: ann, created_at: clock.now },
    committed_at: null,
  }
  await app.database.write(trx => trx.insertInto('imports').values(left).execute())
  clock.now += 60_000
  mock.timers.tick(60_000)
  await app.safes.idle()
  t.match(await app.safes.imports.find(ann, safeId, 1), { status: 'failed' })
})

async function open(t: Test, setUp: SetUp) {
  const { config, safeId, visitor, start } = await seeded(t, setUp)
  const server = await start()
  visitor.url = server.url
  return { server, visitor, safeId, place: config, start }
}

import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import t from 'tap'
import { buildsHere } from '../../../domain/safes/index/complete-index.js'
import { SharedSnapshots, sweepShared } from '../../../domain/safes/index/shared-snapshots.js'
import { makeBackup } from '../../../platform/storage/backup/make-backup.js'
import { restoreBackup } from '../../../platform/storage/backup/restore-backup.js'
import { openPostgresReader } from '../../../platform/storage/postgres/postgres.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { dataDir } from '../../data-dir.js'
import { openSafes } from '../safes/open.js'
import { answerOf, checkDamages, filledPlace, openFilled, QUESTION, snapshots } from './shared-index.js'

const parts = async (db: Kysely<Schema>) =>
  (await db.selectFrom('index_parts').select('part').execute()).length

t.test('an index is built once; others are told to ask again', async t => {
  const { process, stores, db } = await openFilled(t)
  await db.deleteFrom('index_snapshots').execute()
  const here = buildsHere(stores.contents)
  const first = process(async (...args) => {
    await t.rejects(process().open(), /Another process is building/)
    return here(...args)
  })
  t.equal((await first.open()).from, 'rows')
  t.equal((await process().open()).from, 'shared')
})

t.test('a build that fails lets the next process begin', async t => {
  const { process, db } = await openFilled(t)
  await db.deleteFrom('index_snapshots').execute()
  await sql`alter table relations rename to relations_away`.execute(db)
  await t.rejects(process().open(), /relations/)
  t.same(await snapshots(db), [])
  await sql`alter table relations_away rename to relations`.execute(db)
  t.equal((await process().open()).from, 'rows')
})

t.test('a damaged snapshot, or one of another Safe, is built again and replaced', t =>
  // All of them: test/deep/stores.
  checkDamages(t, ['one bit wrong', 'that of another Safe']),
)

t.test('a version of the service with another form of the index has its own', async t => {
  const { process, db } = await openFilled(t)
  await sql`alter table index_parts disable trigger all`.execute(db)
  await sql`update index_parts set content = regexp_replace(content, '^\\d+', '1')`.execute(db)
  await sql`update index_snapshots set content = regexp_replace(content, '^\\d+', '1')`.execute(db)
  t.equal((await process().open()).from, 'rows')
  t.equal((await process().open()).from, 'shared')
  t.match(await snapshots(db), [{ content: /^1 / }, { content: /^(?!1 )\d+ / }])
})

t.test('what is no longer needed is deleted', async t => {
  const { id, domain, db, database, clock } = await openFilled(t)
  const long = Date.now() - 31 * 86_400_000
  const [saved] = await snapshots(db)
  const row = { safe_id: id, parts: 1, building_until: 0, saved_at: Date.now(), used_at: Date.now() }
  const minutes = (count: number) => Date.now() - count * 60_000
  await db
    .insertInto('index_snapshots')
    .values([
      { ...row, content: 'replaced', saved_at: minutes(11) },
      { ...row, content: 'just replaced', saved_at: minutes(9) },
      { ...row, content: 'given up', parts: 0, building_until: minutes(9), saved_at: minutes(11) },
      { ...row, content: 'being built', parts: 0, building_until: minutes(-1), saved_at: minutes(11) },
      { ...row, content: 'not used', saved_at: Date.now() + 1, used_at: long },
    ])
    .execute()
  t.equal(await database.write(sweepShared), false)
  t.same((await snapshots(db)).map(({ content }) => content).sort(), [
    saved?.content,
    'being built',
    'just replaced',
  ])
  await db
    .updateTable('index_snapshots')
    .set({ used_at: long + 5 * 86_400_000 })
    .execute()
  await new SharedSnapshots({ read: db }).load(id, saved?.content.split(' ')[1] ?? '')
  t.ok(((await snapshots(db)).at(-1)?.used_at ?? 0) > minutes(1), 'loading it is a use')

  t.ok((await parts(db)) > 1)
  await domain.removal.remove('ann', id)
  clock.now += 7 * 86_400_000
  domain.maintenance.sweep()
  await domain.idle()
  t.same(await snapshots(db), [], 'nothing is left of a removed Safe')
  t.equal(await parts(db), 0)
})

t.test('when snapshots cannot be shared, each process builds', async t => {
  const { process, db } = await openFilled(t)
  const good = await answerOf(await process().open())
  await sql`alter table index_parts rename to away`.execute(db)
  for (let i = 0; i < 2; i++) {
    const opened = await process().open()
    t.match(opened, { from: 'rows', notShared: /index_parts/ })
    t.same(await answerOf(opened), good)
  }
  await db.deleteFrom('index_snapshots').execute()
  await sql`alter table away rename to index_parts`.execute(db)
  t.equal((await process().open()).from, 'rows')
  t.equal((await process().open()).from, 'shared', 'afterwards as before')
})

t.test('a backup does not hold indexes, and a restored database has none', async t => {
  const { at, id } = await filledPlace(t)
  const before = openPostgresReader(at.databaseUrl)
  t.equal((await snapshots(before)).length, 1)
  await before.destroy()
  const backup = join(dataDir(t), 'backup.db')
  const { tables } = await makeBackup(at, backup, 0)
  t.notOk(tables.some(({ table }) => table.startsWith('index_')))
  await restoreBackup(backup, at, { now: 0, keepSignIns: false })
  const after = await openSafes(t, { at })
  t.same(await snapshots(after.database.read), [])
  t.match((await after.domain.questions.ask('ann', id, { query: QUESTION.query })).facts, [
    { subject: 'Person 7' },
  ])
})

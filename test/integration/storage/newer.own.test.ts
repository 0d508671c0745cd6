import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import t from 'tap'
import { openBackupFile } from '../../../platform/storage/backup/backup-file.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { once } from '../../once.js'
import { runHere } from '../cli/svc.js'
import { addMigrations } from './later-migrations.js'
import {
  emptyPlace,
  opened,
  placeOf,
  RELEASE,
  type Rows,
  rowsIn,
  STORES,
  type Store,
  updateFurther,
} from './releases.js'

addMigrations()

const envOf = ({ databaseUrl }: DatabaseLocation) => ({
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
})
const inFolder = ({ dataDir }: DatabaseLocation) => join(dataDir, 'backups')

/** A database that a newer version has updated, and the rows before. No test changes it. */
const updated = Object.fromEntries(
  STORES.map(store => [
    store,
    once(async () => {
      const place = await placeOf(t, RELEASE, store)
      const before = await opened(place, rowsIn)
      await updateFurther(place)
      return { place, before }
    }),
  ]),
) as Record<Store, () => Promise<{ place: DatabaseLocation; before: Rows }>>

for (const store of STORES) {
  t.test(`${store}: what a newer version has updated is refused, and stays as it is`, async t => {
    const { place } = await updated[store]()
    const before = await opened(place, rowsIn)
    const words =
      /A newer version .+ has updated the database \(9999-later\).+ Install the newer version\. To go back/
    for (const role of ['server', 'cli'] as const)
      await t.rejects(openDatabase({ ...place, role }), words, role)
    const file = join(place.dataDir, 'safes.db')
    for (const args of [['migrate'], ['backup', file], ['account', 'list'], ['ask', 'Notes', 'Who?']]) {
      const { code, stdout, stderr } = await runHere(place.dataDir, args, '', envOf(place))
      t.match({ code, stdout, stderr }, { code: 1, stdout: '', stderr: words }, args.join(' '))
    }
    t.notOk(readdirSync(place.dataDir).includes('safes.db'))
    t.same(await opened(place, rowsIn), before)
  })
}

t.test('what an unreleased version has written is refused in words', async t => {
  for (const [missing, later] of [
    ['0015-account-origins', '0016-documents'],
    ['8000-column', '8001-table'],
  ]) {
    const place = await placeOf(t, RELEASE, 'sqlite')
    const database = await openDatabase({ ...place, role: 'cli' })
    await database.write(trx => sql`delete from kysely_migration where name = ${missing}`.execute(trx))
    await database.close()
    const words = `never released has written the database: it has ${later} without ${missing}\\. .+ export`
    await t.rejects(openDatabase({ ...place, role: 'server' }), new RegExp(words))
  }
})

for (const store of STORES) {
  t.test(`${store}: after an update to a newer version, the backup made before it leads back`, async t => {
    const { place, before } = await updated[store]()
    const [name = ''] = readdirSync(inFolder(place))
    const backup = join(inFolder(place), name)
    const restore = (at: DatabaseLocation) =>
      runHere(at.dataDir, ['restore', backup, '--yes', '--keep-sign-ins'], '', envOf(at))
    if (store === 'sqlite') {
      // The state after the end of this process, which keeps connections open until then.
      const stopped = await emptyPlace(t, store)
      for (const name of readdirSync(place.dataDir).filter(name => /^svc\.db(?:-wal)?$/.test(name)))
        copyFileSync(join(place.dataDir, name), join(stopped.dataDir, name))
      const { code, stderr } = await restore(stopped)
      t.equal(code, 0, stderr)
      const kept = /The previous data is in (.+)\./.exec(stderr)?.[1] ?? ''
      t.match(
        await inFile(kept, sql`select later from safes`),
        [{ later: 'later' }],
        'what the newer version has stored is kept',
      )
      t.same(await opened(stopped, db => rowsIn(db, before)), before)
      return
    }
    const newer = await opened(place, rowsIn)
    t.match(await restore(place), { code: 1, stderr: /Create an empty database, set DATABASE_URL to it/ })
    t.same(await opened(place, rowsIn), newer, 'nothing has changed')
    const empty = { ...(await emptyPlace(t, store)), dataDir: place.dataDir }
    t.match(await restore(empty), { code: 0 })
    t.same(await opened(empty, db => rowsIn(db, before)), before)
  })
}

t.test('an update that comes again, after a way back, makes a backup again', async t => {
  const [place, restored] = [await placeOf(t, RELEASE, 'sqlite'), await placeOf(t, RELEASE, 'sqlite')]
  const update = async () => (await openDatabase({ ...place, role: 'cli' })).close()
  await update()
  const [first = '', ...more] = readdirSync(inFolder(place))
  t.match(first, /^before-update-\d{4}-.*Z\.db$/)
  await update()
  t.same([readdirSync(inFolder(place)), more], [[first], []], 'nothing to update, nothing to back up')
  const file = join(restored.dataDir, 'svc.db')
  await inFile(file, sql`update safes set name = 'Used since'`)
  for (const name of readdirSync(place.dataDir).filter(name => name.startsWith('svc.db')))
    rmSync(join(place.dataDir, name))
  renameSync(file, join(place.dataDir, 'svc.db'))
  await update()
  const [second = '', ...others] = readdirSync(inFolder(place)).filter(name => name !== first)
  t.same(others, [])
  t.match(await inFile(join(inFolder(place), second), sql`select name from safes limit 1`), [
    { name: 'Used since' },
  ])
})

/** Runs a statement in a database file. */
async function inFile(file: string, statement: RawBuilder<unknown>): Promise<unknown[]> {
  const db = await openBackupFile(file)
  try {
    return (await statement.execute(db)).rows
  } finally {
    await db.destroy()
  }
}

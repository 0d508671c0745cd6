import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { openBackupFile, writeManifest } from '../../../platform/storage/backup/backup-file.js'
import { sumsOf } from '../../../platform/storage/backup/make-backup.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { runHere } from '../cli/svc.js'
import { addMigrations } from './later-migrations.js'
import { EARLY, emptyPlace, opened, placeOf, RELEASE, rowsIn, STORES } from './releases.js'

const WORDS =
  /An early version .+ \(0014-index-snapshots\), and svc .+ cannot update it\. Commit [0-9a-f]{40} can/

const run = ({ dataDir, databaseUrl }: DatabaseLocation, ...args: string[]) =>
  runHere(dataDir, args, '', databaseUrl ? { DATABASE_URL: databaseUrl } : {})

for (const store of STORES) {
  t.test(`${store}: what an early version has written is refused, and stays as it is`, async t => {
    const place = await placeOf(t, EARLY, store)
    const before = await opened(place, rowsIn)
    for (const role of ['server', 'cli'] as const) await t.rejects(openDatabase({ ...place, role }), WORDS)
    for (const args of [['migrate'], ['backup', join(place.dataDir, 'safes.db')], ['safe', 'list']])
      t.match(await run(place, ...args), { code: 1, stdout: '', stderr: WORDS }, args.join(' '))
    t.same(await opened(place, rowsIn), before)
    t.notOk(
      readdirSync(place.dataDir).some(name => /^(?:backups|safes)/.test(name)),
      'no backup is made',
    )
  })

  t.test(`${store}: a backup of an early version is not restored`, async t => {
    const { dataDir } = await placeOf(t, EARLY, 'sqlite')
    const backup = join(dataDir, 'early.db')
    copyFileSync(join(dataDir, 'svc.db'), backup)
    const db = await openBackupFile(backup)
    const tables = await sumsOf(db)
    await writeManifest(db, { version: '0.9.0', createdAt: 0, schema: EARLY, tables })
    await db.destroy()
    const place = await placeOf(t, RELEASE, store)
    const before = await opened(place, rowsIn)
    t.match(await run(place, 'restore', backup, '--yes'), { code: 1, stderr: WORDS })
    t.same(await opened(place, rowsIn), before)
  })
}

t.test('a backup of today replaces what an early version has written, which is kept', async t => {
  const release = await placeOf(t, RELEASE, 'sqlite')
  const backup = join(release.dataDir, 'today.db')
  t.match(await run(release, 'backup', backup), { code: 0 })
  const place = await placeOf(t, EARLY, 'sqlite')
  const { code, stderr } = await run(place, 'restore', backup, '--yes')
  t.equal(code, 0, stderr)
  const [, kept = ''] = /previous data is in (.+)\.$/m.exec(stderr) ?? []
  const old = await emptyPlace(t, 'sqlite')
  copyFileSync(kept, join(old.dataDir, 'svc.db'))
  await t.rejects(openDatabase({ ...old, role: 'cli' }), WORDS)
  t.match(await run(place, 'safe', 'list'), { code: 0, stdout: /Notes/ })

  const postgres = await placeOf(t, EARLY, 'postgres')
  t.match(await run(postgres, 'restore', backup, '--yes'), { code: 1, stderr: /Create an empty database/ })
})

t.test('a backup of an earlier release is restored and updated', async t => {
  const release = await placeOf(t, RELEASE, 'sqlite')
  const backup = join(release.dataDir, 'old.db')
  t.match(await run(release, 'backup', backup), { code: 0 })
  addMigrations()
  for (const store of STORES) {
    const place = await emptyPlace(t, store)
    t.match(await run(place, 'restore', backup, '--yes'), { code: 0 })
    t.match(await run(place, 'account', 'list'), { code: 0, stdout: /ada@example\.org.*bob@example\.org/s })
    t.same(await opened(place, async db => (await sql`select distinct tested from safes`.execute(db)).rows), [
      { tested: 1 },
    ])
  }
})

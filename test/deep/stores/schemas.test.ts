import { join } from 'node:path'
import t from 'tap'
import { openBackupFile } from '../../../platform/storage/backup/backup-file.js'
import { differingObjects } from '../../../platform/storage/backup/schema-objects.js'
import { migrateTo } from '../../../platform/storage/migrate.js'
import { openPostgresReader } from '../../../platform/storage/postgres/postgres.js'
import {
  emptyPlace,
  migrations,
  opened,
  placeOf,
  releases,
  STORES,
  schemaIn,
} from '../../integration/storage/releases.js'

for (const store of STORES) {
  t.test(`${store}: migrations lead to the tables, constraints and indexes that releases had`, async t => {
    const { dataDir, databaseUrl } = await emptyPlace(t, store)
    const db = databaseUrl ? openPostgresReader(databaseUrl) : await openBackupFile(join(dataDir, 'svc.db'))
    t.teardown(() => db.destroy())
    for (const release of releases) {
      await migrateTo(db as never, release)
      const released = await opened(await placeOf(t, release, store), old => schemaIn(old, store))
      t.same(await schemaIn(db, store), released, `a released migration is never changed: ${release}`)
    }
  })
}

t.test('the objects of each release are those that a backup of it may have (ADR 59)', async t => {
  for (const release of releases)
    t.same(
      await opened(await placeOf(t, release, 'sqlite'), db => differingObjects(db, release)),
      { foreign: [], missing: [] },
      release,
    )
})

t.test('there is a database of the first release, and each is of a migration that there is', async t => {
  t.equal(releases[0], migrations[0])
  for (const release of releases) t.ok(migrations.includes(release), release)
})

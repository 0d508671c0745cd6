import t from 'tap'
import { databaseLocation } from '../../helper.js'
import { drivers } from '../../integration/sqlite/drivers.js'
import {
  opened,
  placeOf,
  releases,
  rowsIn,
  STORES,
  schemaIn,
  usedOf,
} from '../../integration/storage/releases.js'
import { update, works } from '../../integration/storage/upgraded.js'

for (const store of STORES) {
  t.test(`${store}: an update from every release`, async t => {
    const here = await databaseLocation(t, store)
    await update(here)
    const tables = await opened(here, db => schemaIn(db, store))
    for (const [n, release] of releases.entries()) {
      const place = await placeOf(t, release, store)
      const before = await opened(place, rowsIn)
      await update(place, drivers[n % drivers.length])
      t.same(await opened(place, db => rowsIn(db, before)), before, `${release}: every row is as it was`)
      t.same(await opened(place, db => schemaIn(db, store)), tables, `${release}: the tables of today`)
      // The rows, tables and operations are the same as in SQLite.
      if (store === 'postgres' && n > 0 && n < releases.length - 1) continue
      await t.test(`${release}: what was stored works`, t => works(t, place, usedOf(release)[store]))
    }
  })
}

import t from 'tap'
import { opened, placeOf, releases, rowsIn, usedOf } from './releases.js'
import { update, works } from './upgraded.js'

const NEWEST = releases.at(-1) ?? ''

// From every release, on SQLite and Postgres: test/deep/stores/upgrade.test.ts.
t.test('an update from the newest release keeps every row, and what was stored works', async t => {
  const place = await placeOf(t, NEWEST, 'sqlite')
  const before = await opened(place, rowsIn)
  await update(place)
  t.same(await opened(place, db => rowsIn(db, before)), before)
  await works(t, place, usedOf(NEWEST).sqlite)
})

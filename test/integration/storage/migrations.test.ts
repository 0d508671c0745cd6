import type { Kysely } from 'kysely'
import t from 'tap'
import * as manyRows from '../../../storage/migrations/0002-many-rows.js'
import { databaseLocation } from '../../helper.js'
import { file, openSafes, people } from '../safes/open.js'

for (const over of ['sqlite', 'postgres'] as const) {
  t.test(`${over}: the totals of a Safe are computed from its imports, idempotently`, async t => {
    const { domain, database } = await openSafes(t, { at: await databaseLocation(t, over) })
    const { id } = await domain.create('ann', 'Before')
    await domain.create('ann', 'Empty')
    for (let i = 1; i <= 3; i++) await domain.import('ann', id, file(`${i}.nt`, people(i)))
    await domain.undoImport('ann', id, 2)
    await domain.import('ann', id, file('waits.nt', people(9), { commit: false }))
    await domain.settled()
    const sums = () =>
      database.read
        .selectFrom('safes')
        .orderBy('name')
        .select(['entities', 'relations', 'passages', 'import_count'])
        .execute()
    const before = await sums()
    t.match(before, [{ entities: 2 + 4, relations: 1 + 3, import_count: 2 }, { import_count: 0 }])
    await database.write(trx => trx.updateTable('safes').set({ entities: 0, import_count: 0 }).execute())
    await database.write(trx => manyRows.up(trx as never as Kysely<unknown>))
    t.strictSame(await sums(), before)
    const { facts } = await domain.ask('ann', id, { query: 'Person 2' })
    t.ok(facts.some(({ subject }) => subject === 'Person 2'))
  })
}

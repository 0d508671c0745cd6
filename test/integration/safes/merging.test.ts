import t from 'tap'
import { MergeStore } from '../../../domain/safes/stores/merge.sql.js'
import { normalizeName } from '../../../engine/graph/text/text.js'
import { until } from '../../until.js'
import { HOUR, openReports, report } from './merged.js'
import { DATABASES, eventually, openSafe } from './open.js'

for (const over of DATABASES) {
  t.test(`${over}: merged imports say what they said; newer ones are undone as ever (ADR 31)`, async t => {
    const { domain, id, merge, answers, exported, safe, rows, clock, add, ask } = await openReports(
      t,
      14,
      over,
    )
    const before = { answers: await answers(), exported: await exported() }
    await merge()
    t.match(await safe(), { merged_layer: 1, merged_through: 10, import_count: 4, version: 16 })
    t.strictSame(await eventually(answers, before.answers), before.answers)
    t.strictSame(await exported(), before.exported)

    // Rows for indexes from before the merge are deleted later.
    const held = await rows()
    t.equal(held.relations.filter(row => row.import_id === 7).length, 2)
    clock.now += HOUR
    await merge()
    const { relations, entities, passages } = await rows()
    const imports = new Set([...relations, ...entities, ...passages].map(row => row.import_id))
    t.same([...imports].sort(), [1, 11, 12, 13, 14])
    t.equal(relations.filter(row => row.import_id === 1).length, 20, 'ten gusts, and ten sources of the hill')
    t.equal(entities.filter(row => row.import_id === 1 && row.key === 'station').length, 1)
    t.match(await safe(), { dropped_through: 10, readable_from: 16, entities: 12 + 4 * 3 })
    t.strictSame(await eventually(answers, before.answers), before.answers)
    const { facts } = await ask({ query: 'Gust 2' })
    t.match(facts[0], { subject: 'Gust 2', sources: ['hour 2.jsonl'] }, 'it came from there')

    await t.rejects(domain.imports.undo('ann', id, 3), {
      code: 'merged',
      message: 'Imports made before 2026-01-01 have been merged and can no longer be undone one by one.',
    })
    await t.rejects(domain.imports.undo('ann', id, 1), { code: 'merged' })
    await domain.imports.undo('ann', id, 12)
    await domain.idle()
    const subjects = async () => (await ask({ query: 'Gust 12' })).facts.map(({ subject }) => subject)
    await until(async () => !(await subjects()).includes('Gust 12'))
    const again = await add('again.jsonl', report(3))
    t.equal(again.sameAs, 3, 'the same file is known still')
    const listed = await domain.imports.list('ann', id)
    const merged = listed.filter(item => item.merged).map(item => item.id)
    t.same(merged, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })
}

t.test('of two processes one merges; a Safe that is removed meanwhile stays removed', async t => {
  const { domain, id, add, merge, stores, dump, safe, clock } = await openReports(t, 14)
  await Promise.all([merge(), merge(), merge()])
  t.match(await safe(), { merged_through: 10, import_count: 4, entities: 12 + 4 * 3 })
  for (let hour = 15; hour <= 19; hour++) await add(`hour ${hour}.jsonl`, report(hour))
  const { append } = stores.merges
  stores.merges.append = async (...step) => {
    if (await domain.find('ann', id)) await domain.removal.remove('ann', id)
    clock.now += 7 * 24 * HOUR
    domain.maintenance.sweep()
    await domain.idle()
    return append.apply(stores.merges, step)
  }
  await merge()
  const { safes, entities, relations, passages } = await dump()
  t.same({ safes, entities, relations, passages }, { safes: [], entities: [], relations: [], passages: [] })
})

t.test('an import that can be restored is not passed over (ADR 45)', async t => {
  const { domain, id, merge, safe, answers } = await openReports(t, 14)
  const before = await answers()
  await domain.imports.undo('ann', id, 4)
  await merge()
  t.match(await safe(), { merged_through: 3 })
  await domain.imports.restore('ann', id, 4)
  t.strictSame(await eventually(answers, before), before)
})

t.test('an import that waits for its owner is not passed over', async t => {
  const { domain, id, add, ask, merge, safe } = await openReports(t, 3)
  const waiting = await add('wait.jsonl', report(50), { commit: false })
  for (let hour = 4; hour <= 13; hour++) await add(`hour ${hour}.jsonl`, report(hour))
  await merge()
  t.match(await safe(), { merged_through: 3 })
  await domain.imports.commit('ann', id, waiting.id)
  await until(async () =>
    (await ask({ query: 'Gust 50' })).facts.some(({ subject }) => normalizeName(subject) === 'gust 50'),
  )
})

t.test('of imports that are merged a few reports are read at a time', async t => {
  const { database, id, add } = await openSafe(t)
  for (let i = 0; i < 45; i++) await add(`${i}.csv`, `a${i},b,c`)
  const most = { reports: 0 }
  const plugin = {
    transformQuery: ({ node }: { node: unknown }) => node,
    transformResult: async ({ result }: { result: { rows: object[] } }) => {
      most.reports = Math.max(most.reports, result.rows.filter(row => 'report_json' in row).length)
      return result
    },
  }
  const counting = {
    ...database,
    read: database.read.withPlugin(plugin as never),
    write: ((work, over) =>
      database.write(trx => work(trx.withPlugin(plugin as never)), over)) as typeof database.write,
  }
  const merge = await new MergeStore(counting).claim(id, { keep: 5, most: 40 }, 0, 60_000)
  t.match(merge, { layer: 1, through: 40, importCount: 40, counted: { relations: 40 } })
  t.equal(merge?.sources.size, 40)
  t.equal(most.reports, 20)
})

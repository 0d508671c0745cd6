import t, { type Test } from 'tap'
import { normalizeName } from '../../../graph/text/text.js'
import { mergeOldImports } from '../../../safes/imports/merging.js'
import type { Question } from '../../../safes/safe.js'
import { MergeStore } from '../../../safes/stores/merge.sql.js'
import { entity, lines, relation } from '../../jsonl.js'
import { DATABASES, type Database, eventually, openSafe, until } from './open.js'

/** As `MERGE_LIMITS`, so that few imports are very many. */
const LIMITS = { keep: 4, most: 5 }
const HOUR = 3_600_000

/** What a station says every hour: mostly what it has said before. */
const report = (hour: number): string =>
  lines(
    entity('Station', hour > 2 ? 'place' : '', 'Stands on the hill.', `Wind of hour ${hour}: ${hour} knots.`),
    entity(`Gust ${hour}`, 'gust'),
    relation(`Gust ${hour}`, 'measured at', 'Station'),
    relation('Station', 'stands on', 'Hill'),
    // The same thing is called otherwise by every third.
    ...(hour % 3 === 0 ? [`{"type":"alias","name":"Station","alias":"Mast ${hour}"}`] : []),
  )

const QUESTIONS: Question[] = [
  { query: 'Gust 2' },
  { query: 'Mast 3' },
  { query: 'wind of hour 4' },
  { query: 'Who stands on the hill?' },
  { mode: 'path', from: 'Gust 1', to: 'Hill' },
  { mode: 'entity', entities: ['Station'] },
]

async function open(t: Test, hours: number, over?: Database) {
  const opened = await openSafe(t, { over })
  const { database, clock, stores, id, add, ask } = opened
  for (let hour = 1; hour <= hours; hour++) {
    clock.now += HOUR
    t.equal((await add(`hour ${hour}.jsonl`, report(hour))).status, 'committed')
  }
  const merge = () => mergeOldImports({ ...stores, clock }, new AbortController().signal, LIMITS)
  /** All that is said, without the numbers of rows and the order of equal scores. */
  const answers = async () => {
    const said = []
    for (const question of QUESTIONS) {
      const { facts, passages, summary } = await ask({ limit: 50, maxTokens: 20_000, ...question })
      said.push([
        facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`).sort(),
        passages.map(({ title, text, source }) => `${title} ${text} ${source}`).sort(),
        summary ?? null,
      ])
    }
    return said
  }
  const exported = async () => (await opened.exported()).split('\n').sort()
  const safe = () =>
    database.read.selectFrom('safes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { ...opened, merge, answers, exported, safe }
}

for (const over of DATABASES) {
  t.test(`${over}: merged imports say what they said; newer ones are undone as ever (ADR 31)`, async t => {
    const { domain, id, merge, answers, exported, safe, rows, clock, add, ask } = await open(t, 14, over)
    const before = { answers: await answers(), exported: await exported() }
    await merge()
    t.match(await safe(), { merged_layer: 1, merged_through: 10, import_count: 4, version: 16 })
    t.strictSame(await eventually(answers, before.answers), before.answers)
    t.strictSame(await exported(), before.exported)

    // What indexes of before the merge name goes later.
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

t.test('a merge that was broken off anywhere is continued, and nothing is lost', async t => {
  const whole = await open(t, 14)
  await whole.merge()
  const goal = { rows: distinct(await whole.rows()), counts: countsOf(await whole.safe()) }
  // Two times five: entities, aliases, relations, passages, and the end.
  for (const steps of [0, 1, 4, 5, 9]) {
    const { domain, id, merge, answers, safe, rows, clock, stores, exported } = await open(t, 14)
    const before = { answers: await answers(), exported: await exported() }
    const startAgain = dieAfter(stores.merges, steps)
    await t.rejects(merge(), /killed/, `after ${steps} steps`)
    startAgain()
    t.strictSame(await answers(), before.answers, 'what is half merged is not answered twice')
    t.strictSame(await exported(), before.exported)
    await t.rejects(domain.imports.undo('ann', id, 2), { code: 'merged' }, 'its rows may be in both')
    await merge()
    t.match(await safe(), { import_count: steps < 5 ? 14 : 9 }, 'the dead process has it for a minute')
    clock.now += 61_000
    await merge()
    t.strictSame({ rows: distinct(await rows()), counts: countsOf(await safe()) }, goal)
    t.strictSame(await eventually(answers, before.answers), before.answers)
  }
})

t.test('of two processes one merges; a Safe that is removed meanwhile stays removed', async t => {
  const { domain, id, add, merge, stores, dump, safe, clock } = await open(t, 14)
  await Promise.all([merge(), merge(), merge()])
  t.match(await safe(), { merged_through: 10, import_count: 4, entities: 12 + 4 * 3 })
  for (let hour = 15; hour <= 19; hour++) await add(`hour ${hour}.jsonl`, report(hour))
  const { append } = stores.merges
  stores.merges.append = async (...step) => {
    if (await domain.find('ann', id)) await domain.removal.remove('ann', id)
    clock.now += 7 * 24 * HOUR
    domain.upkeep.sweep()
    await domain.idle()
    return append.apply(stores.merges, step)
  }
  await merge()
  const { safes, entities, relations, passages } = await dump()
  t.same({ safes, entities, relations, passages }, { safes: [], entities: [], relations: [], passages: [] })
})

t.test('an import that can be restored is not passed over (ADR 45)', async t => {
  const { domain, id, merge, safe, answers } = await open(t, 14)
  const before = await answers()
  await domain.imports.undo('ann', id, 4)
  await merge()
  t.match(await safe(), { merged_through: 3 })
  await domain.imports.restore('ann', id, 4)
  t.strictSame(await eventually(answers, before), before)
})

t.test('an import that waits for its owner is not passed over', async t => {
  const { domain, id, add, ask, merge, safe } = await open(t, 3)
  const waiting = await add('wait.jsonl', report(50), { commit: false })
  for (let hour = 4; hour <= 13; hour++) await add(`hour ${hour}.jsonl`, report(hour))
  await merge()
  t.match(await safe(), { merged_through: 3 })
  await domain.imports.commit('ann', id, waiting.id)
  await until(async () =>
    (await ask({ query: 'Gust 50' })).facts.some(({ subject }) => normalizeName(subject) === 'gust 50'),
  )
})

/** The process is killed after so many steps. @returns what starts it again */
function dieAfter(merges: MergeStore, steps: number): () => void {
  let left = steps
  const { append, finish } = merges
  const mortal =
    <Args extends unknown[]>(step: (...args: Args) => Promise<boolean>) =>
    async (...args: Args) => {
      if (left-- <= 0) throw new Error('killed')
      return step.apply(merges, args)
    }
  Object.assign(merges, { append: mortal(append), finish: mortal(finish) })
  return () => Object.assign(merges, { append, finish })
}

const countsOf = ({ entities, relations, passages, import_count }: Record<string, unknown>) => [
  ...[entities, relations, passages, import_count],
]

/** Rows of all imports as texts, without the Safe and the numbers that rows have in their import. */
function distinct({ entities, aliases, relations, passages }: Record<string, object[] | object>) {
  return [entities, aliases, relations, passages].map(rows =>
    (rows as Record<string, unknown>[])
      .map(({ safe_id: _safe, id: _id, ...row }) => JSON.stringify(row))
      .sort(),
  )
}

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

import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { normalizeName } from '../../../graph/text/text.js'
import { mergeCrowded } from '../../../safes/imports/merging.js'
import type { Question } from '../../../safes/safe.js'
import { MergeStore } from '../../../safes/stores/merge.sql.js'
import { databaseLocation } from '../../helper.js'
import { file, openSafes } from './open.js'

/** As `MERGE_LIMITS`, so that few imports are very many. */
const LIMITS = { keep: 4, most: 5 }
const OVER = ['sqlite', 'postgres'] as const
const HOUR = 3_600_000

/** What a station says every hour: mostly what it has said before. */
function report(hour: number): string {
  const station = { type: 'entity', name: 'Station', entityType: hour > 2 ? 'place' : '' }
  return [
    { ...station, observations: ['Stands on the hill.', `Wind of hour ${hour}: ${hour} knots.`] },
    { type: 'entity', name: `Gust ${hour}`, entityType: 'gust', observations: [] },
    { type: 'relation', from: `Gust ${hour}`, to: 'Station', relationType: 'measured at' },
    { type: 'relation', from: 'Station', to: 'Hill', relationType: 'stands on' },
    // The same thing is called otherwise by every third.
    ...(hour % 3 === 0 ? [{ type: 'alias', name: 'Station', alias: `Mast ${hour}` }] : []),
  ]
    .map(line => JSON.stringify(line))
    .join('\n')
}

const QUESTIONS: Question[] = [
  { query: 'Gust 2' },
  { query: 'Mast 3' },
  { query: 'wind of hour 4' },
  { query: 'Who stands on the hill?' },
  { mode: 'path', from: 'Gust 1', to: 'Hill' },
  { mode: 'entity', entities: ['Station'] },
]

async function open(t: Test, over: 'sqlite' | 'postgres', hours: number) {
  const opened = await openSafes(t, { at: await databaseLocation(t, over) })
  const { domain, database, clock, stores } = opened
  const { id } = await domain.create('ann', 'Station')
  for (let hour = 1; hour <= hours; hour++) {
    clock.now += HOUR
    const done = await domain.import('ann', id, file(`hour ${hour}.jsonl`, report(hour)))
    t.equal(done.status, 'committed')
  }
  const parts = (merges: MergeStore = stores.merges) => ({ ...stores, merges, clock })
  const merge = (merges?: MergeStore, signal = new AbortController().signal) =>
    mergeCrowded(parts(merges), signal, LIMITS)
  /** All that is said, without the numbers of rows and the order of equal scores. */
  const answers = async () => {
    const said = []
    for (const question of QUESTIONS) {
      const { facts, passages, summary } = await domain.ask('ann', id, {
        limit: 50,
        maxTokens: 20_000,
        ...question,
      })
      said.push([
        facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`).sort(),
        passages.map(({ title, text, source }) => `${title} ${text} ${source}`).sort(),
        summary ?? null,
      ])
    }
    return said
  }
  const exported = async () => {
    let text = ''
    for await (const chunk of (await domain.export('ann', id, 'jsonl')).chunks) text += chunk
    return text.split('\n').sort()
  }
  const safe = () =>
    database.read.selectFrom('safes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { ...opened, id, merge, answers, exported, safe }
}

/** Asks until the index of the newest version answers. */
async function settled<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 20; tries++) {
    await read()
    await turn()
  }
  return read()
}

for (const over of OVER) {
  t.test(`${over}: merged imports say what they said; newer ones are undone as ever (ADR 31)`, async t => {
    const { domain, id, merge, answers, exported, safe, rows, clock } = await open(t, over, 14)
    const before = { answers: await answers(), exported: await exported() }
    await merge()
    t.match(await safe(), { merged_layer: 1, merged_through: 10, import_count: 4, version: 16 })
    t.strictSame(await settled(answers), before.answers)
    t.strictSame(await exported(), before.exported)

    // What indexes of before the merge name goes later.
    const held = await rows()
    t.equal(held.relations.filter(row => row.import_id === 7).length, 2)
    clock.now += HOUR
    await merge()
    const { relations, entities, passages } = await rows()
    t.same([...new Set([...relations, ...entities, ...passages].map(row => row.import_id))].sort(), [
      ...[1, 11, 12, 13, 14],
    ])
    t.equal(relations.filter(row => row.import_id === 1).length, 20, 'ten gusts, and ten sources of the hill')
    t.equal(entities.filter(row => row.import_id === 1 && row.key === 'station').length, 1)
    t.match(await safe(), { dropped_through: 10, readable_from: 16, entities: 12 + 4 * 3 })
    t.strictSame(await settled(answers), before.answers)
    const { facts } = await domain.ask('ann', id, { query: 'Gust 2' })
    t.match(facts[0], { subject: 'Gust 2', sources: ['hour 2.jsonl'] }, 'it came from there')

    await t.rejects(domain.undoImport('ann', id, 3), {
      code: 'merged',
      message: 'Imports made before 2026-01-01 have been merged and can no longer be undone one by one.',
    })
    await t.rejects(domain.undoImport('ann', id, 1), { code: 'merged' })
    await domain.undoImport('ann', id, 12)
    await domain.settled()
    const without = await settled(() => domain.ask('ann', id, { query: 'Gust 12' }))
    t.notOk(without.facts.some(({ subject }) => subject === 'Gust 12'))
    const again = await domain.import('ann', id, file('again.jsonl', report(3)))
    t.equal(again.sameAs, 3, 'the same file is known still')
    const listed = await domain.imports('ann', id)
    t.same(
      listed.filter(item => item.merged).map(item => item.id),
      [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    )
  })

  t.test(`${over}: a merge that was broken off anywhere is gone on with, and nothing is lost`, async t => {
    const whole = await open(t, over, 14)
    await whole.merge()
    const goal = { ...(await whole.rows()), counts: countsOf(await whole.safe()) }
    // Two times five: entities, aliases, relations, passages, and the end.
    for (const steps of [0, 1, 3, 4, 5, 7, 9]) {
      const { domain, id, merge, answers, safe, rows, clock, stores, exported } = await open(t, over, 14)
      const before = { answers: await answers(), exported: await exported() }
      await t.rejects(merge(dyingAfter(stores.merges, steps)), /killed/, `after ${steps} steps`)
      t.strictSame(await answers(), before.answers, 'what is half merged is not told twice')
      t.strictSame(await exported(), before.exported)
      await t.rejects(domain.undoImport('ann', id, 2), { code: 'merged' }, 'its rows may be in both')
      await merge()
      t.match(await safe(), { import_count: steps < 5 ? 14 : 9 }, 'the dead process has it for a minute')
      clock.now += 61_000
      await merge()
      t.strictSame(distinct(await rows()), distinct(goal))
      t.strictSame(countsOf(await safe()), goal.counts)
      t.strictSame(await settled(answers), before.answers)
    }
  })

  t.test(`${over}: of two processes one merges; a Safe that is removed meanwhile is gone`, async t => {
    const { domain, id, merge, stores, dump, safe, clock } = await open(t, over, 14)
    await Promise.all([merge(), merge(), merge()])
    t.match(await safe(), { merged_through: 10, import_count: 4, entities: 12 + 4 * 3 })
    for (let hour = 15; hour <= 19; hour++)
      await domain.import('ann', id, file(`hour ${hour}.jsonl`, report(hour)))
    const removing: MergeStore = Object.assign(Object.create(stores.merges), {
      append: async (...step: Parameters<MergeStore['append']>) => {
        if (await domain.find('ann', id)) await domain.remove('ann', id)
        clock.now += 7 * 24 * HOUR
        domain.sweep()
        await domain.settled()
        return stores.merges.append(...step)
      },
      ...bound(stores.merges, 'append'),
    })
    await merge(removing)
    const { safes, entities, relations, passages } = await dump()
    t.same({ safes, entities, relations, passages }, { safes: [], entities: [], relations: [], passages: [] })
  })

  t.test(`${over}: an import that can be restored is not passed over (ADR 45)`, async t => {
    const { domain, id, merge, safe, answers } = await open(t, over, 14)
    const before = await answers()
    await domain.undoImport('ann', id, 4)
    await merge()
    t.match(await safe(), { merged_through: 3 })
    await domain.restoreImport('ann', id, 4)
    t.strictSame(await settledTo(answers, before), before)
  })

  t.test(`${over}: an import that waits for its owner is not passed over`, async t => {
    const { domain, id, merge, safe, answers } = await open(t, over, 3)
    const waiting = await domain.import('ann', id, file('wait.jsonl', report(50), { commit: false }))
    for (let hour = 4; hour <= 13; hour++)
      await domain.import('ann', id, file(`hour ${hour}.jsonl`, report(hour)))
    await merge()
    t.match(await safe(), { merged_through: 3 })
    await domain.commitImport('ann', id, waiting.id)
    await settled(answers)
    const { facts } = await domain.ask('ann', id, { query: 'Gust 50' })
    t.ok(facts.some(({ subject }) => normalizeName(subject) === 'gust 50'))
  })
}

/** Asks until an index of the newest version answers, or for good. */
async function settledTo<T>(answers: () => Promise<T>, expected: T): Promise<T> {
  let given = await answers()
  for (let tries = 0; tries < 20 && JSON.stringify(given) !== JSON.stringify(expected); tries++) {
    await turn()
    given = await answers()
  }
  return given
}

/** A process that is killed after so many steps. */
function dyingAfter(merges: MergeStore, steps: number): MergeStore {
  let left = steps
  const dying = Object.create(merges)
  for (const name of ['append', 'finish'] as const) {
    dying[name] = async (...step: unknown[]) => {
      if (left-- <= 0) throw new Error('killed')
      return (merges[name] as (...step: unknown[]) => Promise<boolean>).apply(merges, step)
    }
  }
  return Object.assign(dying, bound(merges, 'append', 'finish'))
}

/** Methods with private fields work on their own object only. */
function bound(merges: MergeStore, ...but: string[]) {
  const names = [
    'crowded',
    'claim',
    'relations',
    'append',
    'finish',
    'release',
    'merged',
    'retire',
    'dropSome',
  ]
  return Object.fromEntries(
    names
      .filter(name => !but.includes(name))
      .map(name => [name, (merges[name as keyof MergeStore] as () => unknown).bind(merges)]),
  )
}

const countsOf = (safe: { entities: number; relations: number; passages: number; import_count: number }) => {
  const { entities, relations, passages, import_count } = safe
  return { entities, relations, passages, import_count }
}

/** Rows of all imports as texts, without the Safe and the numbers that rows have in their import. */
function distinct({ entities, aliases, relations, passages }: Record<string, object[] | object>) {
  return [entities, aliases, relations, passages].map(rows =>
    (rows as Record<string, unknown>[])
      .map(({ safe_id: _safe, id: _id, ...row }) => JSON.stringify(row))
      .sort(),
  )
}

t.test('of imports that are merged a few reports are read at a time', async t => {
  const { domain, database } = await openSafes(t)
  const { id } = await domain.create('ann', 'Many')
  for (let i = 0; i < 45; i++) await domain.import('ann', id, file(`${i}.csv`, `a${i},b,c`))
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

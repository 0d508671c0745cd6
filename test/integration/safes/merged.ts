import type { Test } from 'tap'
import { mergeOldImports } from '../../../domain/safes/imports/merging.js'
import type { Question } from '../../../domain/safes/safe.js'
import { entity, lines, relation } from '../../jsonl.js'
import { type Database, openSafe } from './open.js'

/** Like `MERGE_LIMITS`, with such low limits that a few imports exceed them. */
const LIMITS = { keep: 4, most: 5 }
export const HOUR = 3_600_000

/** The hourly report of a station: mostly repetitions. */
export const report = (hour: number): string =>
  lines(
    entity('Station', hour > 2 ? 'place' : '', 'Stands on the hill.', `Wind of hour ${hour}: ${hour} knots.`),
    entity(`Gust ${hour}`, 'gust'),
    relation(`Gust ${hour}`, 'measured at', 'Station'),
    relation('Station', 'stands on', 'Hill'),
    // Every third report uses another name for the same thing.
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

/** A Safe with this many hourly reports of a station, and the merging of its imports. */
export async function openReports(t: Test, hours: number, over?: Database) {
  const opened = await openSafe(t, { over })
  const { database, clock, stores, id, add, ask } = opened
  for (let hour = 1; hour <= hours; hour++) {
    clock.now += HOUR
    t.equal((await add(`hour ${hour}.jsonl`, report(hour))).status, 'committed')
  }
  const merge = () => mergeOldImports({ ...stores, clock }, new AbortController().signal, LIMITS)
  /** All content, without the numbers of rows and the order of equal scores. */
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

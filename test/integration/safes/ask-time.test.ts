import t from 'tap'
import { answerText } from '../../../domain/safes/ask/answer.js'
import type { Question } from '../../../domain/safes/safe.js'
import { openSafe } from './open.js'
import { pagesOf } from './pages.js'

/** A journal with an entry for each of these days; null: an entry without a day. */
function journal(entries: [time: string | null, text: string][]): string {
  const passages = entries.map(([time]) => (time === null ? null : { time: Date.parse(time) }))
  const observations = entries.map(([, text]) => text)
  return JSON.stringify({ type: 'entity', name: 'Journal', entityType: 'book', observations, passages })
}

const may = journal([
  ['2026-04-30', 'The harbour froze.'],
  ['2026-05-01T00:00:00Z', 'The harbour thawed.'],
  ['2026-05-01T23:59:59.999Z', 'The harbour slept.'],
  ['2026-05-02T09:30:00Z', 'The harbour woke.'],
  [null, 'The harbour is old.'],
])

t.test('since and until are days and moments, both ends included, in each mode with passages', async t => {
  const { add, ask } = await openSafe(t)
  await add('may.jsonl', may)
  const cases: [Question, string[]][] = [
    [{ since: '2026-05-01', until: '2026-05-01' }, ['slept', 'thawed']],
    [{ since: '2026-05-01T00:00:00.001Z', until: '2026-05-02' }, ['woke', 'slept']],
    [{ since: '2026-05-02T11:30:00.001+02:00' }, []],
    [{ until: '2026-04-30' }, ['froze']],
  ]
  for (const [range, expected] of cases) {
    const listed = await ask(range)
    t.strictSame(
      listed.passages.map(({ text }) => text),
      expected.map(word => `The harbour ${word}.`),
      JSON.stringify(range),
    )
    for (const mode of ['search', 'entity'] as const) {
      const query = mode === 'search' ? 'What of the harbour?' : 'Journal'
      const { passages, facts } = await ask({ ...range, mode, query })
      t.strictSame(
        passages.map(({ text }) => text).sort(),
        listed.passages.map(({ text }) => text).sort(),
        mode,
      )
      t.strictSame(facts, [])
    }
  }
})

t.test('a passage shows its time, in both forms of an answer', async t => {
  const { add, ask } = await openSafe(t)
  await add('may.jsonl', may)
  const answer = await ask({ query: 'harbour' })
  const times = new Map(answer.passages.map(({ text, time }) => [text, time]))
  t.equal(times.get('The harbour froze.'), '2026-04-30')
  t.equal(times.get('The harbour woke.'), '2026-05-02T09:30:00Z')
  t.notOk(answer.passages.some(passage => passage.text.includes('old') && 'time' in passage))
  t.match(answerText(answer), 'Journal [2026-04-30]: The harbour froze.')
  t.match(answerText(answer), 'Journal: The harbour is old.')
})

t.test('X10 pages of a range stay within max_tokens; a cursor is of its range', async t => {
  const { add, ask } = await openSafe(t)
  const entries = Array.from({ length: 60 }, (_, i): [string, string] => [
    new Date(Date.UTC(2026, 0, 1 + i)).toISOString(),
    `Harbour ${i}: ${'the engine turns, '.repeat(20)}`,
  ])
  await add('long.jsonl', journal(entries))
  const range: Question = { since: '2026-01-11', until: '2026-02-10' }
  const ranged = { ...range, query: 'What of the harbour?' }
  for (const question of [ranged, range]) {
    const pages = await pagesOf(ask, { ...question, limit: 7, maxTokens: 700 })
    t.ok(pages.every(({ total }) => total === 31))
    const seen = pages.flatMap(({ passages }) => passages.map(({ time = '' }) => time))
    t.strictSame([seen.length, new Set(seen).size], [31, 31], 'each day of the range once')
    t.ok(seen.every(time => time >= '2026-01-11' && time <= '2026-02-10'))
  }
  const { next_cursor } = await ask({ ...ranged, limit: 2 })
  const other = { ...ranged, until: '2026-02-11', limit: 2, cursor: next_cursor ?? '' }
  await t.rejects(ask(other), { code: 'cursor_expired', message: /another question/ })
  t.ok(await ask({ ...other, until: '2026-02-10T23:59:59.999Z' }), 'the same moments, written so')
})

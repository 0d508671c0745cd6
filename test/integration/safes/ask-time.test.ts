import t from 'tap'
import { answerText } from '../../../safes/ask/answer.js'
import { timeBound } from '../../../safes/ask/time-bound.js'
import type { Question } from '../../../safes/safe.js'
import { openSafe } from './open.js'
import { pagesOf } from './pages.js'

/** A journal of the days given, each with what happened then; null: on no known day. */
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

t.test('since and until take dates in UTC and moments with a zone, both ends included', async t => {
  const { add, ask } = await openSafe(t)
  await add('may.jsonl', may)
  const cases: [Question, string[]][] = [
    [{ since: '2026-05-01', until: '2026-05-01' }, ['slept', 'thawed']],
    [{ since: '2026-05-01T00:00:00.001Z', until: '2026-05-02' }, ['woke', 'slept']],
    [{ since: '2026-05-02T11:30+02:00' }, ['woke']],
    [{ since: '2026-05-02T11:30:00.001+02:00' }, []],
    [{ until: '2026-04-30T00:00:00-00:00' }, ['froze']],
    [{ since: '0000-01-01', until: '9999-12-31' }, ['woke', 'slept', 'thawed', 'froze']],
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

t.test('an impossible range, or one in a mode without passages, is refused by parameter', async t => {
  const { add, ask } = await openSafe(t)
  await add('may.jsonl', may)
  const bad = [
    ...[
      '',
      'T',
      'NaN',
      '1e400',
      '0',
      '1777593600000',
      'yesterday',
      'May 2026',
      '2026',
      '2026-05',
      '2026-5-1',
    ],
    ...['20260501', ' 2026-05-01', '2026-05-01\n', '2026-05-01 09:30Z', '2026-05-01T', '2026-05-01T09:30'],
    ...['2026-05-01T09:30:00', '2026-05-01t09:30:00z', '2026-05-01T24:00:00Z', '2026-05-01T09:60:00Z'],
    ...[
      '2026-05-01T09:30:60Z',
      '2026-05-01T09:30:00+24:00',
      '2026-05-01T09:30:00[Europe/Oslo]',
      '2026-02-29',
    ],
    ...['2026-02-30T00:00:00Z', '2026-13-01', '2026-00-10', '10000-01-01', '+010000-01-01T00:00:00Z'],
    ...['-000001-01-01T00:00:00Z', '2026-05-01\u0660', '9'.repeat(2_000)],
    `2026-05-01T09:30:00.${'1'.repeat(2_000)}Z`,
  ]
  for (const text of bad) {
    for (const field of ['since', 'until'] as const) {
      const message = new RegExp(`^"${field}" is a date like 2026-05-01, or a time with its zone`)
      const asked = ask({ query: 'harbour', [field]: text })
      await t.rejects(asked, { code: 'invalid_query', message }, `${field} ${text.slice(0, 40)}`)
    }
  }
  const since = '2026-05-01'
  const noPassages = /apply to mode "search" or "entity"/
  const cases: [Question, RegExp][] = [
    [{ since: '2026-05-02', until: '2026-05-01' }, /"since" is later than "until"/],
    [{ since: '2026-05-01T10:00:00Z', until: '2026-05-01T11:00:00+02:00' }, /later than/],
    [{ since, mode: 'overview' }, noPassages],
    [{ since, mode: 'path', from: 'a', to: 'b' }, noPassages],
    [{ since, from: 'a', to: 'b' }, noPassages],
    [{ until: since, entities: ['a'], steps: [{ relation: 'b', direction: 'out' }] }, noPassages],
    [{ since, asOf: '2026' }, /"as_of" asks for one time/],
    [{ since, mode: 'entity' }, /needs a name/],
    [{ since, mode: 'search', from: 'Journal' }, /needs a "query"/],
  ]
  for (const [question, message] of cases) await t.rejects(ask(question), { code: 'invalid_query', message })
})

t.test('a date is the whole day: its first moment for since, its last for until', async t => {
  t.equal(timeBound('since', '2024-02-29'), Date.UTC(2024, 1, 29))
  t.equal(timeBound('until', '2024-02-29'), Date.UTC(2024, 2, 1) - 1)
  t.equal(timeBound('until', '2024-02-29T00:00Z'), Date.UTC(2024, 1, 29))
  t.equal(timeBound('since', '0001-01-01'), new Date('0001-01-01').getTime())
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

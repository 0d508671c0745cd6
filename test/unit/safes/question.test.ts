import t, { type Test } from 'tap'
import { checkedQuestion } from '../../../domain/safes/ask/question.js'
import { timeBound } from '../../../domain/safes/ask/time-bound.js'
import type { Question } from '../../../domain/safes/safe.js'
import { words } from '../../words.js'

const any = (relation: string) => ({ relation, direction: 'any' as const })
const refuses = (t: Test, question: Question, message: RegExp) =>
  t.throws(
    () => checkedQuestion('safe', question),
    { status: 400, code: 'invalid_query', message },
    JSON.stringify(question).slice(0, 80),
  )

t.test('a question that cannot be asked is refused with what is missing or too much (GRAPH §5)', async t => {
  const since = '2026-05-01'
  const noPassages = /apply to mode "search" or "entity"/
  const cases: [Question, RegExp][] = [
    [{ mode: 'search' }, /needs a "query"/],
    [{ mode: 'entity' }, /needs a name.*"entities"/],
    [{ mode: 'path', from: 'Ada' }, /needs two names.*"from" and "to"/],
    [{ mode: 'path', query: 'to what?', from: 'Ada' }, /"from" and "to"/],
    [{ mode: 'walk', entities: ['Ada'] }, /needs "steps", for example/],
    [{ steps: [any('knows')] }, /where to start.*"entities"/],
    [{ steps: Array(7).fill(any('knows')), query: 'Ada' }, /at most 6 steps/],
    [{ entities: Array(21).fill('Ada') }, /At most 20/],
    [{ entities: [' '] }, /1 to 200 characters/],
    [{ from: 'x'.repeat(201), to: 'y' }, /1 to 200 characters/],
    [{ types: ['a\0b'] }, /NUL/],
    [{ from: 'a', to: 'b', depth: 5 }, /depth is a whole number from 1 to 4/],
    [{ query: '' }, /is empty/],
    [{ query: ' \n' }, /is empty/],
    [{ query: 'a\0b' }, /NUL/],
    [{ query: 'x'.repeat(2_049) }, /longer than 2048/],
    [{ query: 'a', limit: 0 }, /limit is a whole number from 1 to 50/],
    [{ query: 'a', limit: 51 }, /limit is/],
    [{ query: 'a', limit: Number.NaN }, /limit is/],
    [{ query: 'a', maxTokens: 20_001 }, /max_tokens is a whole number from 1 to 20000/],
    ...['', 'May 2018', '2018-02-30', '٢٠١٨'].map((asOf): [Question, RegExp] => [
      { query: 'a', asOf },
      /"as_of" is a date/,
    ]),
    [{ since: '2026-05-02', until: '2026-05-01' }, /"since" is later than "until"/],
    [{ since: '2026-05-01T10:00:00Z', until: '2026-05-01T11:00:00+02:00' }, /later than/],
    [{ since, mode: 'overview' }, noPassages],
    [{ since, mode: 'path', from: 'a', to: 'b' }, noPassages],
    [{ since, from: 'a', to: 'b' }, noPassages],
    [{ until: since, entities: ['a'], steps: [any('b')] }, noPassages],
    [{ since, asOf: '2026' }, /"as_of" asks for one time/],
    [{ since, mode: 'entity' }, /needs a name/],
    [{ since, mode: 'search', from: 'Journal' }, /needs a "query"/],
  ]
  for (const [question, message] of cases) refuses(t, question, message)
  t.match(checkedQuestion('safe', { query: 'x'.repeat(2_048), limit: 50, maxTokens: 20_000 }), { limit: 50 })
})

t.test('a range is of dates and of moments with a zone, and what is neither is refused by name', async t => {
  const times: ['since' | 'until', string, number][] = [
    ['since', '2024-02-29', Date.UTC(2024, 1, 29)],
    ['until', '2024-02-29', Date.UTC(2024, 2, 1) - 1],
    ['until', '2024-02-29T00:00Z', Date.UTC(2024, 1, 29)],
    ['since', '2026-05-02T11:30+02:00', Date.UTC(2026, 4, 2, 9, 30)],
    ['until', '2026-04-30T00:00:00-00:00', Date.UTC(2026, 3, 30)],
    ['since', '0001-01-01', new Date('0001-01-01').getTime()],
    ['until', '9999-12-31', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
  ]
  for (const [field, text, time] of times) t.equal(timeBound(field, text), time, `${field} ${text}`)
  const bad = words(`
    T NaN 1e400 0 1777593600000 yesterday 2026 2026-05 2026-5-1 20260501 2026-05-01T 2026-05-01T09:30
    2026-05-01T09:30:00 2026-05-01t09:30:00z 2026-05-01T24:00:00Z 2026-05-01T09:60:00Z 2026-05-01T09:30:60Z
    2026-05-01T09:30:00+24:00 2026-05-01T09:30:00[Europe/Oslo] 2026-02-29 2026-02-30T00:00:00Z 2026-13-01
    2026-00-10 10000-01-01 +010000-01-01T00:00:00Z -000001-01-01T00:00:00Z 2026-05-01\u0660
  `)
  const spaced = ['', 'May 2026', ' 2026-05-01', '2026-05-01\n', '2026-05-01 09:30Z']
  const long = ['9'.repeat(2_000), `2026-05-01T09:30:00.${'1'.repeat(2_000)}Z`]
  for (const text of [...bad, ...spaced, ...long])
    for (const field of ['since', 'until'])
      refuses(
        t,
        { query: 'a', [field]: text },
        new RegExp(`^"${field}" is a date like 2026-05-01, or a time`),
      )
})

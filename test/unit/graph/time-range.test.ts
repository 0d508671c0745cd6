import t from 'tap'
import { hintsOf } from '../../../domain/safes/ask/hints.js'
import { fromBuffers, toBuffers } from '../../../engine/graph/index/buffers.js'
import type { GraphQuestion } from '../../../engine/graph/modes/auto-mode.js'
import { askerOf } from './source.js'

const day = (date: string) => Date.parse(`${date}T00:00:00Z`)

/** An entity with observations on these days; null: without a known day. */
function entity(
  name: string,
  entityType: string,
  observations: [day: string | null, text: string][],
): string {
  const lines: string[] = []
  for (let at = 0; at === 0 || at < observations.length; at += 1_000) {
    const some = observations.slice(at, at + 1_000)
    const texts = some.map(([, text]) => text)
    const passages = some.map(([date]) => (date === null ? null : { time: day(date) }))
    lines.push(JSON.stringify({ type: 'entity', name, entityType, observations: texts, passages }))
  }
  return lines.join('\n')
}

const log = [
  entity('Edith', 'person', [
    ['2026-04-30', 'Painted the boat.'],
    ['2026-05-01', 'Edith repaired the lamp.'],
    ['2026-05-09', 'Sold the boat to Bo.'],
    [null, 'Likes boats.'],
  ]),
  entity('Boat', 'thing', [['2026-05-09', 'The boat was sold by Edith for little.']]),
  '{"type":"relation","from":"Edith","to":"Boat","relationType":"sold"}',
].join('\n')

const asker = (text = log) => askerOf(['jsonl', text])

t.test('since and until keep passages of that time, both ends included, and no facts (GRAPH §5)', async t => {
  const { ask } = await asker()
  const may = { since: day('2026-05-01'), until: day('2026-05-09') }
  const cases: [Partial<GraphQuestion>, string[]][] = [
    [{ query: 'What about the boat of Edith?', ...may }, ['repaired', 'Sold', 'The boat']],
    [{ query: 'What about the boat of Edith?', until: day('2026-04-30') }, ['Painted']],
    [{ query: 'lamp', since: day('2026-05-01'), until: day('2026-05-01') }, ['repaired']],
    [{ query: 'lamp', since: day('2026-05-01') + 1 }, []],
    [{ query: 'Edith', ...may }, ['repaired', 'Sold', 'The boat']],
    [{ entities: ['Edith'], until: day('2026-05-08') }, ['Painted', 'repaired']],
  ]
  for (const [question, expected] of cases) {
    const { texts, facts, total, mode } = ask(question)
    const name = `${mode} ${JSON.stringify(question)}`
    t.equal(texts.length, expected.length, name)
    for (const part of expected)
      t.ok(
        texts.some(text => text.includes(part)),
        `${name}: ${part}`,
      )
    t.strictSame(facts, [])
    t.equal(total, expected.length)
  }
  t.ok(ask({ query: 'boats' }).texts.includes('Likes boats.'))
})

t.test('a range without a question lists its passages, the latest first, in pages', async t => {
  const { ask } = await asker()
  const since = day('2026-05-01')
  const latest = [
    'Sold the boat to Bo.',
    'The boat was sold by Edith for little.',
    'Edith repaired the lamp.',
  ]
  t.match(ask({ since }), {
    mode: 'search',
    texts: latest,
    total: 3,
    entities: ['edith', 'boat'],
    facts: { length: 0 },
  })
  t.strictSame(ask({ since, types: ['thing'] }).texts, latest.slice(1, 2))
  t.strictSame(ask({ since, limit: 2, offset: 2 }).texts, latest.slice(2))
  t.equal(ask({}).mode, 'overview')
  const { passages } = ask({ since })
  t.ok(passages.every(({ score }, at) => at === 0 || score < (passages[at - 1]?.score ?? 0)))
})

t.test('a path is not guessed from words when a range is given: it has no passages', async t => {
  const { ask } = await asker()
  t.equal(ask({ query: 'between Edith and Boat' }).mode, 'path')
  const ranged = ask({ query: 'between Edith and Boat', since: day('2026-05-09') })
  t.match(ranged, { mode: 'search', total: 2 })
})

t.test('the range comes before the best are picked: one late passage of thousands is found', async t => {
  const old = Array.from({ length: 12_000 }, (_, i): [string, string] => [
    '2020-01-01',
    `Harbour harbour note ${i}.`,
  ])
  const late: [string, string][] = [
    ['2026-05-01', 'A harbour, seen from very far away, at the end of a long day.'],
  ]
  const mentions = Array.from({ length: 6_000 }, (_, i): [string, string] => [
    '2020-01-01',
    `Evelyn came, ${i}.`,
  ])
  const { ask, index } = await asker(
    [
      entity('Harbour', 'place', [...old, ...late]),
      entity('Diary', 'book', [...mentions, ['2026-05-02', 'Then Evelyn left.']]),
      entity('Evelyn', 'person', []),
      '{"type":"alias","name":"Harbour","alias":"Port Zebra"}',
    ].join('\n'),
  )
  const since = day('2026-01-01')
  t.strictSame(ask({ query: 'what of the harbour note?', since }).texts, [late[0]?.[1]], 'by its words')
  t.strictSame(
    ask({ query: 'what of Port Zebra?', since }).texts,
    [late[0]?.[1]],
    'by an alias it does not hold',
  )
  t.strictSame(ask({ query: 'Port Zebra', since, mode: 'entity' }).texts, [late[0]?.[1]])
  t.strictSame(ask({ query: 'Evelyn', since }).texts, ['Then Evelyn left.'], 'by a mention behind thousands')
  t.equal(index.passages.times.length, index.passages.count)
})

t.test('an empty answer says what the range left and where the Safe’s times lie', async t => {
  const { ask } = await asker()
  const outcome = { safeName: 'Log', summary: undefined, hasOtherWords: false, linked: [] }
  const hints = (question: Partial<GraphQuestion>) => hintsOf({ ...ask(question), ...outcome }).slice(1)
  const times = '4 passages of this Safe have a time, from 2026-04-30 to 2026-05-09.'
  t.strictSame(hints({ query: 'What about the boat?', since: day('2027-01-01') }), [
    `No passage is between "since" and "until": ${times}`,
    'Without "since" and "until" 6 results would be found.',
  ])
  t.strictSame(hints({ since: day('2027-01-01') }), [`No passage is between "since" and "until": ${times}`])
  t.strictSame(hints({ query: 'xylophone', since: day('2026-05-09') }), [
    'Nothing in this Safe matches: xylophone.',
    `Of the 2 passages between "since" and "until", none matches; ${times}`,
    'Ask with "since" and "until" alone to list these passages.',
  ])
  const timeless = await asker(entity('Edith', 'person', [[null, 'Likes boats.']]))
  const { range } = timeless.ask({ query: 'boats', since: 0 })
  const facts = { timedFacts: 0, factsInRange: 0, isAsOf: false }
  t.strictSame(hintsOf({ ...timeless.ask({ query: 'boats', until: 0 }), ...outcome }).slice(1), [
    'No passage is between "since" and "until": no passage of this Safe has a time.',
    'Without "since" and "until" 1 result would be found.',
  ])
  t.strictSame(range, { timed: 0, first: 0, last: 0, inRange: 0, withoutRange: 1, ...facts })
  t.equal(ask({ query: 'xylophone' }).range, null)
})

t.test('times take memory only where there are some, and come through a snapshot', async t => {
  const timeless = await asker(entity('Edith', 'person', [[null, 'Likes boats.']]))
  t.equal(timeless.index.passages.times.byteLength, 0)
  const timed = await asker(
    entity('Edith', 'person', [
      [null, 'x'],
      ['2026-05-01', 'y'],
      [null, 'z'],
    ]),
  )
  t.strictSame([...timed.index.passages.times], [Number.NaN, day('2026-05-01'), Number.NaN])
  const { layout, bytes } = toBuffers(timed.index)
  const again = fromBuffers(JSON.parse(JSON.stringify(layout)), bytes)
  t.strictSame(again?.passages, timed.index.passages)
  t.ok(again?.passages.times instanceof Float64Array)
})

t.test('what was said on two days is two passages; said again in another import it is one', async t => {
  const said = entity('Edith', 'person', [
    ['2026-05-01', 'Rain.'],
    ['2026-05-02', 'Rain.'],
  ])
  const { index } = await askerOf(['jsonl', said], ['jsonl', said])
  t.strictSame([...index.passages.times], [day('2026-05-01'), day('2026-05-02')])
})

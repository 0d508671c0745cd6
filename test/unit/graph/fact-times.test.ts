import t from 'tap'
import { hintsOf } from '../../../domain/safes/ask/hints.js'
import { byteLengthOf, fromBuffers, toBuffers } from '../../../engine/graph/index/buffers.js'
import { buildIndex } from '../../../engine/graph/index/build-index.js'
import type { FactTimes, GraphSource } from '../../../engine/graph/model.js'
import type { GraphQuestion } from '../../../engine/graph/modes/auto-mode.js'
import { evaluate } from '../../../engine/graph/modes/evaluate.js'
import { periodOf } from '../../../engine/graph/text/date.js'
import { Rows } from './source.js'

type Fact = [subject: string, predicate: string, object: string, dates?: FactTimes]

const jsonl = (facts: Fact[]) =>
  facts
    .map(([from, relationType, to, dates]) =>
      JSON.stringify({ type: 'relation', from, relationType, to, ...dates }),
    )
    .join('\n')

/** Each list of facts is an import. `singleValued`: predicates with one value at a time. */
async function asker(imports: Fact[][], singleValued: string[] = []) {
  const rows = new Rows()
  for (const facts of imports) await rows.add('jsonl', jsonl(facts))
  const source: GraphSource = {
    ...{ entities: rows.entities, aliases: rows.aliases, identities: rows.identities },
    ...{ relations: rows.relations, passages: rows.passages },
    succession: async () => ({
      predicates: new Set(singleValued),
      learnedOn: importId => Date.UTC(2026, importId - 1, 1),
    }),
  }
  const index = await buildIndex(source)
  const ask = (question: Partial<GraphQuestion>) => {
    const ranking = evaluate(index, { limit: 50, offset: 0, ...question })
    const facts = ranking.facts.map(({ ref, period }) =>
      `${rows.fact(ref).split(' | ').at(-1)} ${period}`.trim(),
    )
    return { ...ranking, ranking, shown: facts }
  }
  return { index, ask }
}

const career: Fact[] = [
  ['Ada', 'works for', 'Acme', { validFrom: '2015', validTo: '2018-06' }],
  ['Ada', 'works for', 'Bell', { validFrom: '2018-07-01' }],
  ['Ada', 'works for', 'Core', { validTo: '2014' }],
  ['Ada', 'works for', 'Dock'],
  ['Bell', 'located in', 'Oslo', { validFrom: '2020' }],
  ['Acme', 'located in', 'Rome', { validTo: '2019' }],
]
const works = { query: 'Who does Ada work for?', mode: 'search' } as const

t.test('as_of keeps the facts that held at a time, and those without dates', async t => {
  const { ask } = await asker([career])
  const cases: [date: string, expected: string[]][] = [
    ['2014', ['Core /2014', 'Dock']],
    ['2014-12-31', ['Core /2014', 'Dock']],
    ['2015', ['Acme 2015/2018-06', 'Dock']],
    ['2018-06-30T23:59:59.999Z', ['Acme 2015/2018-06', 'Dock']],
    ['2018', ['Acme 2015/2018-06', 'Bell 2018-07-01/', 'Dock']],
    ['2030', ['Bell 2018-07-01/', 'Dock']],
  ]
  for (const [date, expected] of cases) {
    const asOf = periodOf(date)
    const ofAda = (facts: string[]) => facts.filter(fact => !/Oslo|Rome/.test(fact)).sort()
    t.strictSame(ofAda(ask({ ...works, asOf }).shown), expected, `search ${date}`)
    t.strictSame(ask({ query: 'Ada', asOf }).shown.sort(), expected, `entity ${date}`)
    const steps = [{ relation: 'works for', direction: 'out' } as const]
    t.strictSame(ask({ entities: ['Ada'], steps, asOf }).shown.sort(), expected, `walk ${date}`)
  }
})

t.test('a path consists of facts that held at the time', async t => {
  const { ask } = await asker([career])
  const path = (asOf: string) => ask({ from: 'Ada', to: 'Oslo', asOf: periodOf(asOf) })
  t.equal(path('2021').total, 2)
  t.match(path('2019'), { total: 0, range: { isAsOf: true, withoutRange: 2 } })
  const hints = hintsOf({
    ...path('2019').ranking,
    ...{ safeName: 'S', summary: undefined, hasOtherWords: false, linked: [] },
  })
  t.match(hints.at(-1), /Nothing of it held as of that time. Without "as_of" 2 results would be found/)
})

t.test('since and until keep facts that were true in between, and none without dates', async t => {
  const { ask } = await asker([career])
  const range = { since: periodOf('2018-06').from, until: periodOf('2018-07').to }
  t.strictSame(ask({ query: 'Ada', ...range }).shown.sort(), ['Acme 2015/2018-06', 'Bell 2018-07-01/'])
  t.strictSame(ask({ query: 'Ada', until: periodOf('2013').to }).shown, ['Core /2014'])
  t.strictSame(ask({ query: 'Ada', since: periodOf('2020').from }).shown, ['Bell 2018-07-01/'])
  const listed = ask({ since: periodOf('2018').from, until: periodOf('2019').to })
  t.strictSame(listed.shown, ['Rome /2019', 'Bell 2018-07-01/', 'Acme 2015/2018-06'], 'the latest first')
  t.strictSame(ask({ since: periodOf('2018').from, types: ['person'] }).shown, [])
})

t.test('a fact in two periods is two; stated also without dates it has those of the other', async t => {
  const twice: Fact[] = [
    ['Ada', 'works for', 'Acme'],
    ['Ada', 'works for', 'Acme', { validFrom: '2015', validTo: '2016' }],
    ['Ada', 'works for', 'Acme', { validFrom: '2020' }],
  ]
  for (const facts of [twice, twice.toReversed()]) {
    const { ask, index } = await asker([facts, [['Ada', 'works for', 'Acme', { validFrom: '2020' }]]])
    t.equal(index.facts.count, 2)
    const { shown, ranking } = ask({ query: 'Ada' })
    t.strictSame(shown.sort(), ['Acme 2015/2016', 'Acme 2020/'])
    t.equal(ranking.facts.flatMap(({ sources }) => sources).length, 4, 'with all rows')
    t.strictSame(ask({ query: 'Ada', asOf: periodOf('2018') }).shown, [])
  }
})

t.test('dates take no memory where there are none, and come through a snapshot', async t => {
  const plain = (await asker([career.map(([s, p, o]): Fact => [s, p, o])])).index
  t.equal(plain.facts.periods.of.length, 0)
  const { index } = await asker([career])
  t.equal(index.facts.periods.of.length, 6)
  t.ok(byteLengthOf(index) - byteLengthOf(plain) < 400)
  const { layout, bytes } = toBuffers(index)
  const again = fromBuffers(layout, bytes)
  t.ok(again)
  const question = { limit: 9, offset: 0, query: 'Ada', asOf: periodOf('2014') }
  if (again) t.strictSame(evaluate(again, question), evaluate(index, question))
})

t.test('a newer fact of a predicate with one value supersedes the older one', async t => {
  const lives = (object: string, dates: FactTimes = {}): Fact => ['Ada', 'lives in', object, dates]
  const cases: [name: string, imports: Fact[][], expected: string[]][] = [
    [
      'by their beginnings, in any order',
      [[lives('Bern', { validFrom: '2020-05' }), lives('Rome', { validFrom: '2015' })]],
      ['Bern 2020-05/', 'Rome 2015/<2020-05'],
    ],
    [
      'by the days on which they were learned',
      [[lives('Rome', { learnedOn: '2024-01-01' }), lives('Bern', { learnedOn: '2024-02-01' })]],
      ['Bern >2024-02-01/', 'Rome /<2024-02-01'],
    ],
    [
      'by the days of their imports',
      [[lives('Rome')], [lives('Bern')]],
      ['Bern >2026-02-01T00:00:00.000Z/', 'Rome /<2026-02-01T00:00:00.000Z'],
    ],
    [
      'who comes back is stated again',
      [[lives('Rome')], [lives('Bern')], [lives('Rome')]],
      ['Rome >2026-03-01T00:00:00.000Z/', 'Bern /<2026-03-01T00:00:00.000Z'],
    ],
    ['a tie leaves both', [[lives('Rome'), lives('Bern')]], ['Bern', 'Rome']],
    [
      'a stated end stays',
      [[lives('Rome', { validFrom: '2015', validTo: '2022' }), lives('Bern', { validFrom: '2020' })]],
      ['Bern 2020/', 'Rome 2015/2022<'],
    ],
    [
      'the same place again changes nothing',
      [
        [
          lives('Rome', { validFrom: '2015' }),
          lives('Rome', { validFrom: '2018' }),
          lives('Bern', { validFrom: '2020' }),
        ],
      ],
      ['Bern 2020/', 'Rome 2015/<2020', 'Rome 2018/<2020'],
    ],
    [
      'three in a row',
      [
        ['2015', '2018', '2020'].map((validFrom, i) =>
          lives(['Rome', 'Bern', 'Oslo'][i] ?? '', { validFrom }),
        ),
      ],
      ['Oslo 2020/', 'Rome 2015/<2018', 'Bern 2018/<2020'],
    ],
  ]
  for (const [name, imports, expected] of cases) {
    const { ask } = await asker(imports, ['lives in'])
    const { shown } = ask({ query: 'Ada', mode: 'entity' })
    t.strictSame(shown.sort(), expected.toSorted(), name)
    t.strictSame(
      (await asker(imports)).ask({ query: 'Ada' }).shown.filter(fact => /[<>]/.test(fact)),
      [],
      `${name}: not marked`,
    )
  }
})

t.test('what holds comes before what has ended, whatever came first', async t => {
  const facts: Fact[] = [
    ['Ada', 'lives in', 'Rome', { validFrom: '2015', validTo: '2018' }],
    ['Ada', 'lives in', 'Oslo', { validFrom: '2018', validTo: '2020' }],
    ['Ada', 'lives in', 'Bern', { validFrom: '2020' }],
    ['Bo', 'leads', 'Harbour', { validFrom: '2001', validTo: '2009' }],
    ['Cy', 'leads', 'Harbour', { validFrom: '2009' }],
  ]
  const { ask } = await asker([facts])
  const shown = (query: string, asOf?: string) =>
    ask({ query, mode: 'search', ...(asOf ? { asOf: periodOf(asOf) } : {}) }).shown
  t.strictSame(shown('Where does Ada live?').slice(0, 3), ['Bern 2020/', 'Oslo 2018/2020', 'Rome 2015/2018'])
  t.strictSame(shown('Where does Ada live?', '2016'), ['Rome 2015/2018'])
  t.strictSame(shown('Who leads the Harbour?').slice(0, 2), ['Harbour 2009/', 'Harbour 2001/2009'])
})

t.test('what is current comes first, and history has its own time', async t => {
  const imports: Fact[][] = [
    [
      ['Ada', 'lives in', 'Rome', { validFrom: '2015' }],
      ['Bo', 'lives in', 'Rome'],
      ['Ada', 'lives in', 'Bern', { validFrom: '2020-05' }],
      ['Ada', 'knows', 'Bo'],
    ],
  ]
  const { ask } = await asker(imports, ['lives in'])
  t.strictSame(ask({ query: 'Where does Ada live?', mode: 'search' }).shown.slice(0, 2), [
    'Bern 2020-05/',
    'Rome 2015/<2020-05',
  ])
  const [current, superseded] = ask({ query: 'Where does Ada live?', mode: 'search' }).facts
  t.ok((superseded?.score ?? 1) < 0.7 * (current?.score ?? 0), 'other facts may come in between')
  const steps = [{ relation: 'lives in', direction: 'out' } as const]
  t.strictSame(ask({ entities: ['Ada'], steps }).shown, ['Bern 2020-05/', 'Rome 2015/<2020-05'])
  const at = (date: string) => ask({ entities: ['Ada'], steps, asOf: periodOf(date) }).shown
  t.strictSame(at('2020-04-30'), ['Rome 2015/<2020-05'])
  t.strictSame(at('2020-05'), ['Bern 2020-05/'], 'not both in the month of the change')
})

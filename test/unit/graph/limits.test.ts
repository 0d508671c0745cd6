import t from 'tap'
import { meaningsOf } from '../../../engine/graph/index/dictionary.js'
import { viewEntity } from '../../../engine/graph/modes/entity-view.js'
import { nearestKeys } from '../../../engine/graph/retrieval/find-entity.js'
import { canBeName, type QuestionWord } from '../../../engine/graph/retrieval/question-word.js'
import { periodOf } from '../../../engine/graph/text/date.js'
import { entity, lines, relation } from '../../jsonl.js'
import { askerOf } from './source.js'

t.test('stop words alone are a name only if written as one (GRAPH §3)', async t => {
  /** `-` before a word marks it as not a stop word. */
  const span = (text: string) =>
    text
      .split(' ')
      .map(word => ({ text: word.replace('-', ''), stop: !word.startsWith('-') }) as QuestionWord)
  for (const name of ['-x', 'the -x', 'IT', 'The Who', 'The Who Is', 'ÄÖ']) t.ok(canBeName(span(name)), name)
  for (const none of ['the', 'It', 'I', 'xIT', 'ITx', 'the who', 'The who', 'the Who'])
    t.notOk(canBeName(span(none)), none)
})

t.test('similar names are looked up for five words of four letters, shorter ones only alone', async t => {
  const names = ['Oslo', 'Bergen', 'Tromso', 'Molde', 'Narvik', 'Hamar', 'Ada']
  const { index } = await askerOf(['jsonl', lines(...names.map(name => entity(name)))])
  const cases: [words: string[], keys: string[]][] = [
    [['oslu'], ['oslo']],
    [['adx', 'oslu'], ['oslo']],
    [['adx'], ['ada']],
    [
      ['bergan', 'oslu', 'adx'],
      ['bergen', 'oslo'],
    ],
    [['xyzzy', 'adx'], []],
    [[], []],
    [
      ['oslu', 'bergan', 'tromsa', 'moldo', 'narvok', 'hamor'],
      ['oslo', 'bergen', 'tromso', 'molde', 'narvik'],
    ],
  ]
  for (const [words, keys] of cases) t.strictSame(nearestKeys(index, words), keys, words.join())
})

t.test('a phrase that is the name of an entity and a part of another of its names is its name', async t => {
  const alias = (name: string, alias: string) => JSON.stringify({ type: 'alias', name, alias })
  for (const [name, other] of [
    ['Holm', 'Holm, Ada'],
    ['Holm, Ada', 'Holm'],
  ] as const) {
    const { index } = await askerOf(['jsonl', lines(entity(name), alias(name, other), entity('Holm, Bo'))])
    const known = meaningsOf(index.dictionary, 'holm').map(({ whole }) => whole)
    t.strictSame(known.toSorted(), [false, true], `${name}, also ${other}`)
  }
})

t.test('a name of fifteen meanings shows eight and names six more (GRAPH §4)', async t => {
  const labels = Array.from(
    { length: 15 },
    (_, at) => `<http://x/b${at}> <http://www.w3.org/2000/01/rdf-schema#label> "bank" .`,
  )
  const { ask } = await askerOf(['ntriples', labels.join('\n')])
  const { summary, alsoMeant } = ask({ query: 'bank' })
  t.strictSame([summary?.kind === 'entities' && summary.entities.length, alsoMeant.length], [8, 6])
  t.match(ask({ entities: ['nothing at all'] }), { total: 0, summary: null })
})

t.test('every shortest path is found, also where two lead into one thing halfway (GRAPH §4)', async t => {
  const { ask } = await askerOf([
    'csv',
    'p,r,q1\np,r,q2\nq1,r,m\nq2,r,m\nm,r,x\nm,s,x\nz,is led by,x\nx,leads,z',
  ])
  const { summary } = ask({ from: 'p', to: 'z' })
  t.ok(summary?.kind === 'path')
  if (summary?.kind !== 'path') return
  t.strictSame(summary.paths.map(({ entities }) => entities.join(' ')).sort(), ['p q1 m x z', 'p q2 m x z'])
  for (const { steps } of summary.paths)
    t.match(steps.at(-1), { predicate: 'leads', direction: 'out' }, 'by the relation that leads on')
})

t.test('of a time only so many facts of an entity are read, of one kind after the other', async t => {
  const dated = (predicate: string, count: number) =>
    Array.from({ length: count }, (_, at) =>
      relation('Hub', predicate, `${predicate} ${at}`, { validFrom: '2019' }),
    )
  const { index } = await askerOf(['jsonl', lines(...dated('a', 6), ...dated('b', 6))])
  const hub = index.facts.subject[0] ?? 0
  const range = { asOf: periodOf('2020') }
  const counts = (most?: number, at: object = range) =>
    viewEntity(index, hub, at, most).kinds.map(({ count }) => count)
  t.strictSame(counts(), [6, 6])
  t.strictSame(counts(8), [6, 2])
  t.strictSame(counts(4), [4])
  t.strictSame(counts(4, {}), [6, 6], 'without a time all are known')
  t.strictSame(counts(8, { asOf: periodOf('2018') }), [])
})

t.test('questions about two names take those that are not given twice', async t => {
  const { ask } = await askerOf(['csv', 'a,r,b\nb,r,c'])
  for (const question of [
    { from: 'a', entities: ['a', 'c'] },
    { to: 'c', entities: ['c', 'a'] },
    { entities: ['a', 'c'] },
    { from: 'a', to: 'c', entities: ['a'] },
  ])
    t.equal(ask({ mode: 'path', ...question }).total, 2, JSON.stringify(question))
  t.equal(ask({ mode: 'path', from: 'a', entities: ['a'] }).total, 0)
})

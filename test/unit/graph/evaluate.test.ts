import t from 'tap'
import type { GraphQuestion } from '../../../engine/graph/modes/auto-mode.js'
import { evaluate } from '../../../engine/graph/modes/evaluate.js'
import { entity, lines } from '../../jsonl.js'
import { askerOf } from './source.js'

const crew = `subject,predicate,object
Ada,works for,Acme
Bo,works for,Acme
Cy,works for,Brix
Acme,located in,Oslo
Brix,located in,Oslo
Ada,knows,Cy
Oslo,capital of,Norway
Dee Doe,lives in,Norway
Eve,knows,Fay
`
const people = lines(...['Ada', 'Bo', 'Cy'].map(name => entity(name, 'Person', `${name} met Dee Doe.`)))

const small = () => askerOf(['csv', crew], ['jsonl', people])

t.test('auto picks the mode from what is given (GRAPH §4)', async t => {
  const { ask } = await small()
  const steps = [{ relation: 'works for', direction: 'out' as const }]
  const cases: [Partial<GraphQuestion>, string][] = [
    [{}, 'overview'],
    [{ types: ['person'] }, 'overview'],
    [{ query: 'ada' }, 'entity'],
    [{ query: 'Dee Doe?' }, 'entity'],
    [{ entities: ['Ada', 'Bo'] }, 'entity'],
    [{ from: 'Ada' }, 'entity'],
    [{ query: 'Who works for Acme?' }, 'search'],
    [{ query: 'Ada', types: ['person'] }, 'search'],
    [{ query: 'where?', entities: ['Ada'] }, 'search'],
    [{ query: 'nobody' }, 'search'],
    [{ from: 'Ada', to: 'Oslo' }, 'path'],
    [{ query: 'What is between Ada and the Oslo?' }, 'path'],
    [{ query: 'how do I come from Bo to Norway' }, 'path'],
    [{ query: 'between Ada and nobody' }, 'search'],
    [{ entities: ['Ada'], steps }, 'walk'],
    [{ query: 'Ada', mode: 'search' }, 'search'],
    [{ query: 'Ada', mode: 'overview' }, 'overview'],
  ]
  for (const [question, mode] of cases) t.equal(ask(question).mode, mode, JSON.stringify(question))
})

t.test('entity: relations with counts, then facts and passages page by page, each once', async t => {
  const { ask } = await small()
  const ada = ask({ query: 'Ada' })
  t.match(ada.summary, { kind: 'entity', name: 'ada', type: 'person', facts: 2, passages: 1, mentions: 0 })
  t.strictSame(ada.said.toSorted(), ['Ada | knows | Cy', 'Ada | works for | Acme'])
  t.strictSame(ada.texts, ['Ada met Dee Doe.'])
  t.equal(ask({ query: 'Dee Doe' }).texts.length, 3, 'passages that mention it')
  const all = ask({ entities: ['Oslo'] })
  const pages = Array.from({ length: all.total + 1 }, (_, offset) =>
    ask({ entities: ['Oslo'], limit: 1, offset }),
  )
  const said = pages.flatMap(page => page.said)
  t.strictSame(said, all.said)
  const withSummary = pages.map(page => page.summary?.kind ?? '')
  t.strictSame(withSummary.join(' ').trim(), 'entity', 'the first page only')
  const scores = [...all.facts, ...all.passages].map(({ score }) => score)
  t.equal(new Set(scores).size, all.total, 'scores tell the order')
})

t.test('path: chains with the direction of each relation', async t => {
  const { ask } = await small()
  const expected = {
    kind: 'path',
    complete: true,
    paths: [
      {
        entities: ['acme', 'oslo', 'brix'],
        steps: [
          { predicate: 'located in', direction: 'out' },
          { predicate: 'located in', direction: 'in' },
        ],
      },
    ],
  }
  const asked: Partial<GraphQuestion>[] = [
    { from: 'Acme', to: 'Brix', depth: 2 },
    { mode: 'path', entities: ['Acme', 'Brix'] },
    { mode: 'path', from: 'Acme', entities: ['Brix'] },
    { mode: 'path', to: 'Brix', entities: ['Acme'] },
    { mode: 'path', query: 'Acme Brix' },
    { query: 'between Acme and Brix' },
  ]
  for (const question of asked) {
    const { summary, said, total } = ask(question)
    t.strictSame(summary, expected, JSON.stringify(question))
    t.strictSame(said, ['Acme | located in | Oslo', 'Brix | located in | Oslo'])
    t.equal(total, 2)
  }
  t.match(ask({ from: 'Bo', to: 'Dee Doe', depth: 3 }), { total: 0, summary: { paths: { length: 0 } } })
  t.match(ask({ from: 'Ada', to: 'Eve' }), { total: 0, linked: [{ entity: 'ada' }, { entity: 'eve' }] })
})

t.test('walk: what the last step reaches first, then how', async t => {
  const { ask } = await small()
  const steps = [
    { relation: 'located in', direction: 'in' as const },
    { relation: 'works for', direction: 'in' as const },
  ]
  const walked = ask({ entities: ['Oslo'], steps })
  t.strictSame(new Set(walked.entities), new Set(['ada', 'bo', 'cy']))
  t.match(walked.summary, { kind: 'walk', start: ['oslo'], steps: [{ facts: 2 }, { facts: 3 }], reached: 3 })
  t.equal(walked.said.length, 5)
  t.ok(walked.said.slice(0, 3).every(fact => fact.includes('works for')))
  t.strictSame(ask({ entities: ['Oslo'], steps, limit: 1, offset: 1 }).said, walked.said.slice(1, 2))
  t.equal(ask({ entities: ['Oslo'], steps, types: ['Person'] }).total, 5)
  t.equal(ask({ entities: ['Oslo'], steps, types: ['robot'] }).total, 0)
  const [first] = steps
  const eats = { relation: 'eats', direction: 'any' as const }
  const odd = ask({ entities: ['Oslo'], steps: first ? [first, eats] : [] })
  t.strictSame(odd.unknownRelation, { relation: 'eats', known: ['works for', 'located in'] })
})

t.test('a name that no entity has is said, with what comes near, in every mode', async t => {
  const { ask } = await small()
  const steps = [{ relation: 'knows', direction: 'any' as const }]
  const asked: Partial<GraphQuestion>[] = [
    { entities: ['Norwey'] },
    { from: 'Ada', to: 'Norwey' },
    { entities: ['Norwey'], steps },
  ]
  for (const question of asked) {
    t.match(ask(question), { total: 0, summary: null, unmatched: ['Norwey'], nearest: ['norway'] })
  }
  t.match(ask({ mode: 'path', query: 'nothing here' }), { mode: 'path', total: 0 })
  t.match(ask({ mode: 'entity', query: 'who is Ada' }), { mode: 'entity', summary: { name: 'ada' } })
})

t.test('every result can be sent to another thread', async t => {
  const { index } = await small()
  for (const question of [{}, { query: 'Ada' }, { from: 'Ada', to: 'Oslo' }, { query: 'Who works?' }]) {
    const ranking = evaluate(index, { ...question, limit: 10, offset: 0 })
    t.strictSame(structuredClone(ranking), ranking)
  }
})

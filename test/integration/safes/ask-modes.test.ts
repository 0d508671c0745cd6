import t from 'tap'
import { answerText } from '../../../domain/safes/ask/answer.js'
import type { Question } from '../../../domain/safes/safe.js'
import { entity, lines, relation } from '../../jsonl.js'
import { openSafe } from './open.js'
import { checkTokens, pagesOf } from './pages.js'

const engines = lines(
  entity('Ada Lovelace', 'person', 'Ada wrote the first program.'),
  entity('Analytical Engine', 'machine'),
  relation('Ada Lovelace', 'wrote about', 'Analytical Engine'),
)
const any = (relation: string) => ({ relation, direction: 'any' as const })

t.test('a question that cannot be asked is refused; one that finds nothing says what is near', async t => {
  const { add, ask } = await openSafe(t)
  await add('engines.jsonl', engines)
  await t.rejects(ask({ mode: 'search' }), { code: 'invalid_query', message: /needs a "query"/ })
  t.match(await ask({ asOf: '2018' }), { mode: 'overview', hints: [/An overview is of all times/] })
  t.match(await ask({ from: 'Ada Lovelace', to: 'Analytical Engin' }), {
    mode: 'path',
    total: 0,
    hints: [/2 entities, 1 fact/, /Analytical Engin\./, /Similar names: Analytical Engine\./, /Try other/],
  })
})

t.test('each mode has its text form: numbers, chains, the contents of the Safe (GRAPH §5)', async t => {
  const { add, ask } = await openSafe(t)
  await add('engines.jsonl', lines(engines, relation('Dee', 'built', 'Analytical Engine')))
  const text = async (question: Question) => answerText(await ask(question))
  t.strictSame((await text({ query: 'Between Ada Lovelace and Dee?' })).split('\n'), [
    'Safe "Safe": 2 facts found. Source: "engines.jsonl".',
    'Ada Lovelace \u2014 wrote about \u2192 Analytical Engine \u2190 built \u2014 Dee',
    'Ada Lovelace \u2014 wrote about \u2192 Analytical Engine',
    'Dee \u2014 built \u2192 Analytical Engine',
  ])
  t.strictSame((await text({ query: 'Analytical Engine', limit: 1 })).split('\n'), [
    'Safe "Safe": 1 fact of 2 found.',
    'Analytical Engine (machine): 2 facts.',
    'Relations: \u2190 wrote about 1; \u2190 built 1.',
    'Dee \u2014 built \u2192 Analytical Engine [engines.jsonl]',
  ])
  t.match(
    await text({ entities: ['Dee'], steps: [{ relation: 'built', direction: 'out' }] }),
    /^From Dee \u2014 built \u2192 \(1 fact\) to 1 entity\.\nReached: Analytical Engine\.\nDee \u2014 built/m,
  )
  t.match(await text({}), /^Safe "Safe": 3 entities, 2 facts and 1 passage\.\nTypes: /)
  t.match(await text({ from: 'Dee', to: 'Dee' }), /Both ends are the same entity/)
  const walked = await text({ entities: ['Dee'], steps: [any('eats')] })
  t.match(walked, /called "eats"\. Relations from there: built\./)
})

t.test('X10 a hub of 6,000 relations stays within max_tokens in every mode, page by page', async t => {
  const { add, ask } = await openSafe(t)
  const facts = Array.from({ length: 6_000 }, (_, i) =>
    i % 2 === 0 ? `hub,links to ${i % 60},thing${i}` : `part${i},belongs to,hub`,
  )
  await add('hub.csv', lines(...facts))
  const questions: Question[] = [
    { query: 'hub' },
    { query: 'hub', mode: 'search' },
    { from: 'thing0', to: 'part1' },
    { entities: ['hub', 'thing0', 'part1'] },
    { entities: ['hub'], steps: [{ relation: 'belongs to', direction: 'in' }] },
    {},
  ]
  for (const question of questions) {
    for (const maxTokens of [100, 300, 1_000, 5_000])
      checkTokens(await ask({ ...question, limit: 50, maxTokens }), maxTokens)
    const pages = await pagesOf(ask, { ...question, limit: 7, maxTokens: 700 }, 4)
    t.notOk(
      pages.slice(1).some(page => page.summary),
      'the summary is on the first page only',
    )
    const seen = pages.flatMap(page => page.facts.map(fact => fact.id))
    t.equal(new Set(seen).size, seen.length, `${JSON.stringify(question)}: each once`)
    const cursor = pages.at(-1)?.next_cursor
    t.ok(seen.length > 7 || !cursor)
    if (cursor) await t.rejects(ask({ ...question, types: ['x'], cursor }), { code: 'cursor_expired' })
  }
  t.match(await ask({ query: 'hub' }), { total: 6_000, summary: { facts: 6_000 } })
})

t.test('a brief answer cuts passages, a full one keeps them (GRAPH §5)', async t => {
  const { add, ask } = await openSafe(t)
  await add('long.jsonl', entity('Engine', 'machine', 'the engine turns and turns, '.repeat(20)))
  const length = async (detail: 'brief' | 'full') =>
    (await ask({ query: 'Engine', detail })).passages[0]?.text.length ?? 0
  t.ok((await length('full')) > 500)
  t.ok((await length('brief')) <= 241)
})

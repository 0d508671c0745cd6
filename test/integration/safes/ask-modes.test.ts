import t from 'tap'
import { type Answer, answerText } from '../../../safes/ask/answer.js'
import { estimateTokens } from '../../../safes/ask/tokens.js'
import type { Question } from '../../../safes/safe.js'
import { file, openSafes } from './open.js'

const engines = [
  '{"type":"entity","name":"Ada Lovelace","entityType":"person","observations":["Ada wrote the first program."]}',
  '{"type":"entity","name":"Analytical Engine","entityType":"machine","observations":[]}',
  '{"type":"relation","from":"Ada Lovelace","to":"Analytical Engine","relationType":"wrote about"}',
].join('\n')

t.test(
  'a mode without its arguments names the missing ones; depth and names are bounded (GRAPH §5)',
  async t => {
    const { domain } = await openSafes(t)
    const safe = await domain.create('ann', 'Engines')
    await domain.import('ann', safe.id, file('engines.jsonl', engines))
    const any = (relation: string) => ({ relation, direction: 'any' as const })
    const cases: [Question, RegExp][] = [
      [{ mode: 'search' }, /needs a "query"/],
      [{ mode: 'entity' }, /needs a name.*"entities"/],
      [{ mode: 'path', from: 'Ada Lovelace' }, /needs two names.*"from" and "to"/],
      [{ mode: 'path', query: 'to what?', from: 'Ada Lovelace' }, /"from" and "to"/],
      [{ mode: 'walk', entities: ['Ada Lovelace'] }, /needs "steps", for example/],
      [{ steps: [any('wrote about')] }, /where to start.*"entities"/],
      [{ steps: Array(7).fill(any('wrote')), query: 'Ada' }, /at most 6 steps/],
      [{ entities: Array(21).fill('Ada') }, /At most 20/],
      [{ entities: [' '] }, /1 to 200 characters/],
      [{ from: 'x'.repeat(201), to: 'y' }, /1 to 200 characters/],
      [{ types: ['a\0b'] }, /NUL/],
      [{ from: 'a', to: 'b', depth: 5 }, /depth is a whole number from 1 to 4/],
    ]
    for (const [question, message] of cases) {
      await t.rejects(domain.ask('ann', safe.id, question), { code: 'invalid_query', message })
    }
    t.match(await domain.ask('ann', safe.id, { from: 'Ada Lovelace', to: 'Analytical Engin' }), {
      mode: 'path',
      total: 0,
      hints: [
        /2 entities, 1 fact/,
        /Analytical Engin\./,
        /Similar names: Analytical Engine\./,
        /Try other names or words/,
      ],
    })
  },
)

t.test('each mode has its text form: numbers, chains, the contents of the Safe (GRAPH §5)', async t => {
  const { domain } = await openSafes(t)
  const { id } = await domain.create('ann', 'Engines')
  const dee = '{"type":"relation","from":"Dee","to":"Analytical Engine","relationType":"built"}'
  await domain.import('ann', id, file('engines.jsonl', `${engines}\n${dee}`))
  const text = async (question: Question) => answerText(await domain.ask('ann', id, question))
  t.equal(
    await text({ query: 'Between Ada Lovelace and Dee?' }),
    [
      'Safe "Engines": 2 facts found. Source: "engines.jsonl".',
      'Ada Lovelace \u2014 wrote about \u2192 Analytical Engine \u2190 built \u2014 Dee',
      'Ada Lovelace \u2014 wrote about \u2192 Analytical Engine',
      'Dee \u2014 built \u2192 Analytical Engine',
    ].join('\n'),
  )
  t.equal(
    await text({ query: 'Analytical Engine', limit: 1 }),
    [
      'Safe "Engines": 1 fact of 2 found.',
      'Analytical Engine (machine): 2 facts.',
      'Relations: \u2190 wrote about 1; \u2190 built 1.',
      'Dee \u2014 built \u2192 Analytical Engine [engines.jsonl]',
    ].join('\n'),
  )
  t.match(
    await text({ entities: ['Dee'], steps: [{ relation: 'built', direction: 'out' }] }),
    /^From Dee \u2014 built \u2192 \(1 fact\) to 1 entity\.\nReached: Analytical Engine\.\nDee \u2014 built/m,
  )
  t.match(await text({}), /^Safe "Engines": 3 entities, 2 facts and 1 passage\.\nTypes: /)
  t.match(await text({ from: 'Dee', to: 'Dee' }), /Both ends are the same entity/)
  const walked = await text({ entities: ['Dee'], steps: [{ relation: 'eats', direction: 'any' }] })
  t.match(walked, /called "eats"\. Relations from there: built\./)
})

t.test(
  'X10 a hub of 100,000 relations stays within max_tokens in every mode, and its cursors go on',
  async t => {
    const { domain } = await openSafes(t)
    const { id } = await domain.create('ann', 'Hub')
    const lines = Array.from({ length: 100_000 }, (_, i) =>
      i % 2 === 0
        ? `<http://x/hub> <http://x/links_to_${i % 60}> <http://x/thing${i}> .`
        : `<http://x/part${i}> <http://x/belongs_to> <http://x/hub> .`,
    )
    await domain.import('ann', id, file('hub.nt', lines.join('\n')))
    const questions: Question[] = [
      { query: 'hub' },
      { query: 'hub', mode: 'search' },
      { from: 'thing0', to: 'part1' },
      { entities: ['hub', 'thing0', 'part1'] },
      { entities: ['hub'], steps: [{ relation: 'belongs to', direction: 'in' }] },
      {},
    ]
    for (const question of questions) {
      for (const maxTokens of [100, 300, 1_000, 5_000]) {
        const answer = await domain.ask('ann', id, { ...question, limit: 50, maxTokens })
        for (const form of [JSON.stringify(answer), answerText(answer)]) {
          t.ok(estimateTokens(form) <= maxTokens, `${answer.mode}: ${estimateTokens(form)} of ${maxTokens}`)
        }
      }
      const seen: string[] = []
      let cursor: string | null = null
      for (let page = 0; page < 4 && (page === 0 || cursor); page++) {
        const asked: Question = { ...question, limit: 7, maxTokens: 700, ...(cursor ? { cursor } : {}) }
        const answer: Answer = await domain.ask('ann', id, asked)
        if (page > 0) t.notOk(answer.summary, 'told once')
        seen.push(...answer.facts.map(fact => fact.id))
        cursor = answer.next_cursor
      }
      t.equal(new Set(seen).size, seen.length, `${JSON.stringify(question)}: each once`)
      t.ok(seen.length > 7 || !cursor)
      const other: Question = { ...question, types: ['x'], cursor: cursor ?? '' }
      if (cursor) await t.rejects(domain.ask('ann', id, other), { code: 'cursor_expired' })
    }
    t.match(await domain.ask('ann', id, { query: 'hub' }), { total: 100_000, summary: { facts: 100_000 } })
  },
)

t.test('a brief answer cuts passages, a full one keeps them (GRAPH §5)', async t => {
  const { domain } = await openSafes(t)
  const { id } = await domain.create('ann', 'Long')
  const text = 'the engine turns and turns, '.repeat(20)
  const line = JSON.stringify({ type: 'entity', name: 'Engine', entityType: 'machine', observations: [text] })
  await domain.import('ann', id, file('long.jsonl', line))
  const length = async (detail: 'brief' | 'full') => {
    const { passages } = await domain.ask('ann', id, { query: 'Engine', detail })
    return passages[0]?.text.length
  }
  t.ok(((await length('full')) ?? 0) > 500)
  t.ok(((await length('brief')) ?? 0) <= 241)
})

import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { type Answer, answerText } from '../../../safes/ask/answer.js'
import { estimateTokens } from '../../../safes/ask/tokens.js'
import { file, openSafes, people } from './open.js'

const engines = [
  '{"type":"entity","name":"Ada Lovelace","entityType":"person","observations":["Ada wrote the first program."]}',
  '{"type":"entity","name":"Analytical Engine","entityType":"machine","observations":[]}',
  '{"type":"relation","from":"Ada Lovelace","to":"Analytical Engine","relationType":"wrote about"}',
].join('\n')

t.test('an answer names facts and passages by import and row, with their sources (GRAPH §5)', async t => {
  const { domain } = await openSafes(t)
  const safe = await domain.create('ann', 'Engines')
  await domain.import('ann', safe.id, file('engines.jsonl', engines))
  const answer = await domain.ask('ann', safe.id, { query: 'What did Ada Lovelace write about?' })
  t.match(answer, {
    safe: { id: safe.id, name: 'Engines' },
    linked: [{ text: 'Ada Lovelace', entity: 'Ada Lovelace' }],
    facts: [{ id: 'f1.1', subject: 'Ada Lovelace', predicate: 'wrote about', object: 'Analytical Engine' }],
    passages: [{ id: 'p1.1', text: 'Ada wrote the first program.' }],
    truncated: false,
    next_cursor: null,
  })
  t.same(answer.facts[0]?.sources, ['engines.jsonl'])
})

t.test('a passage of RDF has its entity’s name as title, also where the name comes after it', async t => {
  const { domain } = await openSafes(t)
  const safe = await domain.create('ann', 'Words')
  const comment = '<http://www.w3.org/2000/01/rdf-schema#comment>'
  const label = '<http://www.w3.org/2000/01/rdf-schema#label>'
  const text = `<http://x/dog.n.01> ${comment} "A barking animal." .\n<http://x/dog.n.01> ${label} "dog" .`
  await domain.import('ann', safe.id, file('words.nt', text))
  const { passages } = await domain.ask('ann', safe.id, { query: 'Which animal is barking?' })
  t.match(passages, [{ title: 'dog', text: 'A barking animal.' }])
})

t.test('equal facts of two imports are one fact with two sources; undo takes one away', async t => {
  const { domain } = await openSafes(t)
  const safe = await domain.create('ann', 'Layers')
  await domain.import('ann', safe.id, file('one.nt', people(3)))
  await domain.import('ann', safe.id, file('two.nt', people(2)))
  const sources = async () => {
    const { facts } = await domain.ask('ann', safe.id, { query: 'Person 0' })
    return facts.find(fact => fact.subject === 'Person 0')?.sources
  }
  t.same(await sources(), ['one.nt', 'two.nt'])
  await domain.undoImport('ann', safe.id, 1)
  t.same(await sources(), ['two.nt'])
  await domain.undoImport('ann', safe.id, 2)
  t.equal(await sources(), undefined)
})

t.test('a question during an import is answered from what was there before, whole (GRAPH §1)', async t => {
  const { domain, rows } = await openSafes(t)
  const safe = await domain.create('ann', 'Busy')
  await domain.import('ann', safe.id, file('engines.jsonl', engines))
  const slow = new PassThrough()
  await domain.startImport('ann', safe.id, file('people.nt', slow))
  slow.write(`${people(600)}\n`)
  while ((await rows()).relations.length < 2) await pause(5)
  t.equal((await domain.ask('ann', safe.id, { query: 'Person 1' })).total, 0)
  t.ok((await domain.ask('ann', safe.id, { query: 'Ada Lovelace' })).total > 0)
  slow.end()
  await domain.settled()
  t.ok((await domain.ask('ann', safe.id, { query: 'Person 1' })).total > 0)
})

t.test('cursors walk through the whole answer once; a change of the Safe ends them', async t => {
  const { domain } = await openSafes(t)
  const safe = await domain.create('ann', 'Pages')
  const hub = Array.from({ length: 25 }, (_, i) => `<http://x/hub> <http://x/knows> <http://x/p${i}> .`).join(
    '\n',
  )
  await domain.import('ann', safe.id, file('hub.nt', hub))
  const whole = await domain.ask('ann', safe.id, { query: 'hub knows', limit: 50 })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await domain.ask('ann', safe.id, {
      query: 'hub knows',
      limit: 4,
      ...(cursor ? { cursor } : {}),
    })
    t.ok(page.facts.length <= 4)
    seen.push(...page.facts.map(fact => fact.id))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  t.same(
    seen,
    whole.facts.map(fact => fact.id),
  )
  t.equal(seen.length, 25)

  const { next_cursor } = await domain.ask('ann', safe.id, { query: 'hub knows', limit: 4 })
  const again = { query: 'hub knows', cursor: next_cursor ?? '' }
  await t.rejects(domain.ask('ann', safe.id, { ...again, query: 'other' }), { code: 'cursor_expired' })
  await domain.import('ann', safe.id, file('more.nt', people(2)))
  await t.rejects(domain.ask('ann', safe.id, again), { code: 'cursor_expired', message: /has changed/ })
})

t.test(
  'an empty answer names the Safe, its size, the lost words and what comes near (graphiti#838)',
  async t => {
    const { domain } = await openSafes(t)
    const safe = await domain.create('ann', 'Engines')
    t.match(await domain.ask('ann', safe.id, { query: 'anything' }), {
      total: 0,
      hints: [/"Engines"/, /empty/],
    })
    await domain.import('ann', safe.id, file('engines.jsonl', engines))
    const { hints, total } = await domain.ask('ann', safe.id, { query: 'zyzzyva' })
    t.equal(total, 0)
    t.match(hints[0], /Searched the Safe "Engines" \(2 entities, 1 fact and 1 passage\)/)
    t.match(hints[1], /zyzzyva/)
  },
)

t.test('X10 no answer exceeds max_tokens, and its cursors skip nothing', async t => {
  const { domain } = await openSafes(t)
  const safe = await domain.create('ann', 'Long')
  const observations = Array.from(
    { length: 12 },
    (_, i) => `Observation ${i}: ${'the engine turns, '.repeat(20)}`,
  )
  const lines = [
    JSON.stringify({ type: 'entity', name: 'Engine', entityType: 'machine', observations }),
    ...observations.map((_, i) =>
      JSON.stringify({ type: 'relation', from: 'Engine', to: `P${i}`, relationType: 'has' }),
    ),
  ]
  await domain.import('ann', safe.id, file('long.jsonl', lines.join('\n')))
  const question = { query: 'What does the Engine have?', limit: 8, maxTokens: 700 }
  const whole = await domain.ask('ann', safe.id, { ...question, limit: 50, maxTokens: 20_000 })
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Answer = await domain.ask('ann', safe.id, { ...question, ...(cursor ? { cursor } : {}) })
    for (const form of [answerText(page), JSON.stringify(page)]) t.ok(estimateTokens(form) <= 700)
    seen.push(...page.facts.map(fact => fact.id), ...page.passages.map(passage => passage.id))
    cursor = page.next_cursor
  } while (cursor && seen.length < 100)
  t.same(seen.sort(), [...whole.facts, ...whole.passages].map(({ id }) => id).sort())
  t.equal(seen.length, whole.total)
})

t.test('a question that cannot be asked is refused with a sentence (GRAPH §5)', async t => {
  const { domain } = await openSafes(t)
  const safe = await domain.create('ann', 'Engines')
  const bad = [
    { query: '' },
    { query: ' \n' },
    { query: 'a\0b' },
    { query: 'x'.repeat(2049) },
    { query: 'a', limit: 0 },
    { query: 'a', limit: 51 },
    { query: 'a', limit: Number.NaN },
    { query: 'a', maxTokens: 20_001 },
  ]
  for (const question of bad) {
    await t.rejects(domain.ask('ann', safe.id, question), { code: 'invalid_query' })
  }
  await t.resolves(domain.ask('ann', safe.id, { query: 'x'.repeat(2048), limit: 50, maxTokens: 20_000 }))
})

t.test('S2 a cursor of one account gives another no access', async t => {
  const { domain } = await openSafes(t)
  const safe = await domain.create('ann', 'Private')
  await domain.import('ann', safe.id, file('a.nt', people(30)))
  const { next_cursor } = await domain.ask('ann', safe.id, { query: 'person', limit: 1 })
  const stolen = { query: 'person', ...(next_cursor ? { cursor: next_cursor } : {}) }
  await t.rejects(domain.ask('bob', safe.id, stolen), { code: 'not_found' })
  const own = await domain.create('bob', 'Own')
  await domain.import('bob', own.id, file('b.nt', '<http://x/q> <http://x/knows> <http://x/r> .'))
  const answer = await domain.ask('bob', own.id, stolen)
  t.notMatch(JSON.stringify(answer), /Person \d/, 'only ever the Safe that was asked')
})

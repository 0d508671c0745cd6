import { PassThrough } from 'node:stream'
import t from 'tap'
import { entity, lines, relation } from '../../jsonl.js'
import { until } from '../../until.js'
import { file, openSafe, people } from './open.js'
import { pagesOf } from './pages.js'

const engines = lines(
  entity('Ada Lovelace', 'person', 'Ada wrote the first program.'),
  entity('Analytical Engine', 'machine'),
  relation('Ada Lovelace', 'wrote about', 'Analytical Engine'),
)

t.test('an answer names facts and passages by import and row, with their sources (GRAPH §5)', async t => {
  const { id, add, ask } = await openSafe(t)
  await add('engines.jsonl', engines)
  const answer = await ask({ query: 'What did Ada Lovelace write about?' })
  t.match(answer, {
    safe: { id, name: 'Safe' },
    linked: [{ text: 'Ada Lovelace', entity: 'Ada Lovelace' }],
    facts: [{ id: 'f1.1', subject: 'Ada Lovelace', predicate: 'wrote about', object: 'Analytical Engine' }],
    passages: [{ id: 'p1.1', text: 'Ada wrote the first program.' }],
    truncated: false,
    next_cursor: null,
  })
  t.same(answer.facts[0]?.sources, ['engines.jsonl'])
})

t.test('recognized are whole names, not names with a word of the question', async t => {
  const { add, ask } = await openSafe(t)
  await add('engines.jsonl', engines)
  t.match(await ask({ query: 'Who understood the engine?' }), {
    linked: { length: 0 },
    facts: [{ object: 'Analytical Engine' }],
  })
  t.match(await ask({ query: 'Who understood the analytical engine?' }), {
    linked: [{ entity: 'Analytical Engine' }],
  })
})

t.test('a passage that is cut keeps the part with the words of the question, or the other words', async t => {
  const { add, ask } = await openSafe(t)
  const filler = 'The keeper repaired the lantern of the North. '.repeat(15)
  await add('Log.md', `${filler}The fog horn was sold. ${filler}`)
  for (const asked of [{ query: 'horn' }, { query: 'keeper', otherWords: ['horn'] }])
    t.match((await ask({ ...asked, detail: 'brief' })).passages, [{ text: /^\u2026.*fog horn.*\u2026$/ }])
})

t.test('a passage of RDF has its entity’s name as title, also where the name comes after it', async t => {
  const { add, ask } = await openSafe(t)
  const comment = '<http://www.w3.org/2000/01/rdf-schema#comment>'
  const label = '<http://www.w3.org/2000/01/rdf-schema#label>'
  const text = `<http://x/dog.n.01> ${comment} "A barking animal." .\n<http://x/dog.n.01> ${label} "dog" .`
  await add('words.nt', text)
  const { passages } = await ask({ query: 'Which animal is barking?' })
  t.match(passages, [{ title: 'dog', text: 'A barking animal.' }])
})

t.test('a question during an import is answered from what was there before, whole (GRAPH §1)', async t => {
  const { domain, id, add, ask, rows } = await openSafe(t)
  await add('engines.jsonl', engines)
  const slow = new PassThrough()
  await domain.imports.start('ann', id, file('people.nt', slow))
  slow.write(`${people(600)}\n`)
  await until(async () => (await rows()).relations.length > 1)
  t.equal((await ask({ query: 'Person 1' })).total, 0)
  t.ok((await ask({ query: 'Ada Lovelace' })).total > 0)
  slow.end()
  await domain.idle()
  t.ok((await ask({ query: 'Person 1' })).total > 0)
})

t.test('cursors walk through the whole answer once; a change of the Safe ends them', async t => {
  const { add, ask } = await openSafe(t)
  await add('hub.csv', lines(...Array.from({ length: 25 }, (_, i) => `hub,knows,p${i}`)))
  const ids = async (limit: number) => {
    const pages = await pagesOf(ask, { query: 'hub knows', limit })
    t.ok(pages.every(({ facts }) => facts.length <= limit))
    return pages.flatMap(({ facts }) => facts.map(fact => fact.id))
  }
  const whole = await ids(50)
  t.equal(whole.length, 25)
  t.same(await ids(4), whole)

  const { next_cursor } = await ask({ query: 'hub knows', limit: 4 })
  const again = { query: 'hub knows', cursor: next_cursor ?? '' }
  await t.rejects(ask({ ...again, query: 'other' }), { code: 'cursor_expired' })
  await add('more.nt', people(2))
  await t.rejects(ask(again), { code: 'cursor_expired', message: /has changed/ })
})

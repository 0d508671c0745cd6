import t from 'tap'
import { look } from '../../../graph/browse/look.js'
import { byteLengthOf } from '../../../graph/index/buffers.js'
import { buildIndex } from '../../../graph/index/build-index.js'
import { Identities } from '../../../graph/index/identities.js'
import { evaluate } from '../../../graph/modes/evaluate.js'
import { Rows } from './source.js'

const lines = (...items: object[]) => items.map(item => JSON.stringify(item)).join('\n')
const fact = (from: string, relationType: string, to: string) => ({
  type: 'relation',
  from,
  relationType,
  to,
})
const note = (name: string, text: string) => ({ type: 'entity', name, entityType: '', observations: [text] })
const same = (name: string, sameAs: string) => ({ type: 'same', name, sameAs })

function resolved(...statements: [key: string, sameAs: string][]) {
  const identities = new Identities()
  for (const [key, sameAs] of statements) identities.add({ key, sameAs })
  return Object.fromEntries(identities.resolve())
}

t.test('the last statement about a key counts, and chains end at the one that stands for itself', async t => {
  t.same(resolved(), {})
  t.same(resolved(['a', 'b'], ['b', 'c'], ['x', 'b']), { a: 'c', b: 'c', x: 'c' })
  t.same(resolved(['a', 'b'], ['a', 'c']), { a: 'c' })
  t.same(resolved(['x', 'a'], ['a', 'b'], ['a', 'a']), { x: 'a' }, 'what was merged into it before stays')
  t.same(resolved(['a', 'b'], ['b', 'a']), { b: 'a' }, 'of a circle, the oldest statement is left out')
  t.same(resolved(['b', 'a'], ['a', 'c'], ['c', 'b'], ['x', 'c']), { a: 'b', c: 'b', x: 'b' })
})

t.test('50,000 statements in one chain, or one circle, take time in proportion', async t => {
  for (const isCircle of [false, true]) {
    const identities = new Identities()
    for (let at = 0; at < 50_000; at++) identities.add({ key: `k${at}`, sameAs: `k${at + 1}` })
    if (isCircle) identities.add({ key: 'k50000', sameAs: 'k0' })
    const started = performance.now()
    const roots = identities.resolve()
    t.ok(performance.now() - started < 5_000)
    t.equal(roots.size, 50_000)
    t.equal(new Set(roots.values()).size, 1)
  }
})

const smiths = [
  lines(fact('Jane Smith', 'leads', 'Lens Restoration'), note('Jane Smith', 'Jane knows lamps.')),
  lines(
    fact('J. Smith', 'leads', 'Lens Restoration'),
    fact('J. Smith', 'lives in', 'Lundvik'),
    note('J. Smith', 'Smith keeps the log.'),
    note('Log', 'The log was begun by J. Smith.'),
  ),
]
const indexOf = async (...files: string[]) => {
  const rows = new Rows()
  for (const file of files) await rows.add('jsonl', file)
  return { rows, index: await buildIndex(rows) }
}
const relationsOf = (index: Awaited<ReturnType<typeof indexOf>>['index'], name: string) => {
  const { found } = look(index, { kind: 'thing', name })
  if (found.key === null) return null
  const { key, relationCount, aboutCount, mentions, merged } = found
  return {
    key,
    relationCount,
    aboutCount,
    mentions: mentions.items.length,
    merged: merged.map(({ key }) => key),
  }
}

t.test('a merged entity is one: its relations, passages, mentions and names are those of both', async t => {
  const { index } = await indexOf(...smiths, lines(same('J. Smith', 'Jane Smith')))
  const one = { key: 'jane smith', relationCount: 2, aboutCount: 2, mentions: 1, merged: ['j. smith'] }
  t.same(relationsOf(index, 'Jane Smith'), one)
  t.same(relationsOf(index, 'J. Smith'), one, 'under either name')
  t.same(relationsOf(index, 'j. smith'), one, 'and under its old address')
  t.equal(index.named, 4)
  const leads = look(index, { kind: 'relations', predicate: 'leads', key: 'j. smith', limit: 5 }).found
  t.match(leads, { total: 1, items: [{ subject: 'jane smith', rows: [{ importId: 1 }, { importId: 2 }] }] })
  const { linked, facts } = evaluate(index, { query: 'Where does J. Smith live?', limit: 5, offset: 0 })
  t.match(linked, [{ entity: 'jane smith' }])
  t.match(facts[0], { subject: 'jane smith', object: 'lundvik' })
  t.same(evaluate(index, { mode: 'path', from: 'J. Smith', to: 'Lundvik', limit: 5, offset: 0 }).total, 1)
})

t.test('it is two again after a later statement', async t => {
  const { index } = await indexOf(
    ...smiths,
    lines(same('J. Smith', 'Jane Smith')),
    lines(same('J. Smith', 'J. Smith')),
  )
  t.match(relationsOf(index, 'J. Smith'), { key: 'j. smith', relationCount: 2, merged: [] })
  t.match(relationsOf(index, 'Jane Smith'), { key: 'jane smith', relationCount: 1, merged: [] })
})

t.test('an index without merged entities is no larger but for 60 bytes', async t => {
  const { index } = await indexOf(...smiths)
  const { merged, ...others } = index
  t.equal(merged.keys.size, 0)
  t.ok(byteLengthOf(index) - byteLengthOf(others as typeof index) <= 60)
})

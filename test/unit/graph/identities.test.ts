import t from 'tap'
import { browse } from '../../../engine/graph/browse/browse.js'
import { Identities } from '../../../engine/graph/index/merged.js'
import { evaluate } from '../../../engine/graph/modes/evaluate.js'
import { entity, lines, relation } from '../../jsonl.js'
import { indexOf } from './source.js'

const same = (name: string, sameAs: string) => JSON.stringify({ type: 'same', name, sameAs })

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

const smiths = [
  lines(relation('Jane Smith', 'leads', 'Lens Restoration'), entity('Jane Smith', '', 'Jane knows lamps.')),
  lines(
    relation('J. Smith', 'leads', 'Lens Restoration'),
    relation('J. Smith', 'lives in', 'Lundvik'),
    entity('J. Smith', '', 'Smith keeps the log.'),
    entity('Log', '', 'The log was begun by J. Smith.'),
  ),
]
const relationsOf = (index: Awaited<ReturnType<typeof indexOf>>['index'], name: string) => {
  const { found } = browse(index, { kind: 'thing', name })
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
  const { index } = await indexOf(...smiths, same('J. Smith', 'Jane Smith'))
  const one = { key: 'jane smith', relationCount: 2, aboutCount: 2, mentions: 1, merged: ['j. smith'] }
  t.same(relationsOf(index, 'Jane Smith'), one)
  t.same(relationsOf(index, 'J. Smith'), one, 'under either name')
  t.same(relationsOf(index, 'j. smith'), one, 'and under its old address')
  t.equal(index.named, 4)
  const leads = browse(index, { kind: 'relations', predicate: 'leads', key: 'j. smith', limit: 5 }).found
  t.match(leads, { total: 1, items: [{ subject: 'jane smith', rows: [{ importId: 1 }, { importId: 2 }] }] })
  const { linked, facts } = evaluate(index, { query: 'Where does J. Smith live?', limit: 5, offset: 0 })
  t.match(linked, [{ entity: 'jane smith' }])
  t.match(facts[0], { subject: 'jane smith', object: 'lundvik' })
  t.same(evaluate(index, { mode: 'path', from: 'J. Smith', to: 'Lundvik', limit: 5, offset: 0 }).total, 1)
})

t.test('it is two again after a later statement', async t => {
  const { index } = await indexOf(...smiths, same('J. Smith', 'Jane Smith'), same('J. Smith', 'J. Smith'))
  t.match(relationsOf(index, 'J. Smith'), { key: 'j. smith', relationCount: 2, merged: { length: 0 } })
  t.match(relationsOf(index, 'Jane Smith'), { key: 'jane smith', relationCount: 1, merged: { length: 0 } })
})

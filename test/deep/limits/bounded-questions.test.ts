import t from 'tap'
import { buildIndex } from '../../../engine/graph/index/build-index.js'
import { meaningsOf } from '../../../engine/graph/index/dictionary.js'
import { viewEntity } from '../../../engine/graph/modes/entity-view.js'
import { evaluate } from '../../../engine/graph/modes/evaluate.js'
import { findPaths } from '../../../engine/graph/modes/path.js'
import { walk } from '../../../engine/graph/modes/walk.js'
import { findName } from '../../../engine/graph/retrieval/find-entity.js'
import { link } from '../../../engine/graph/retrieval/link.js'
import { SimilarNames } from '../../../engine/graph/retrieval/similar-names.js'
import { costlyGraph } from './costly-graph.js'

const MANY = 100_000

t.test('a question reads a bounded amount, whatever a Safe contains (GRAPH §3.5)', async t => {
  const index = await buildIndex(costlyGraph)

  t.test('of many entities with one name a thousand are read, the best connected returned', async t => {
    t.equal(meaningsOf(index.dictionary, 'meeting').length, 1_000)
    const { entities, equal } = findName(index, 'Halt')
    t.ok(entities.length === 100 && equal === 100)
    t.ok(link(index, 'Who was at the meeting?').links.length <= 24)
    t.ok((new SimilarNames(index).best(['meetin'], 0.5)?.meanings.length ?? 0) <= 1_000)
  })

  t.test('a walk from many entities over many kinds of relations stops, and says so', async t => {
    const steps = Array.from({ length: 6 }, () => ({ relation: 'knows', direction: 'any' as const }))
    const work = { left: 1_000 }
    const cut = walk(index, [0, 1, 2], steps, work)
    t.ok(cut.truncated && work.left <= 0)
    t.notOk(walk(index, [0], steps.slice(0, 1)).truncated)
    const entities = Array.from({ length: 20 }, () => 'Meeting')
    const { summary } = evaluate(index, { mode: 'walk', entities, steps, limit: 50, offset: 0 })
    t.match(summary, { kind: 'walk', complete: false })
  })

  t.test('all pairs of entities that two names can mean share one search budget', async t => {
    const all = { edges: 10 }
    t.match(findPaths(index, 0, 99_999, 5, 4, all), { paths: { length: 0 }, truncated: true })
    t.ok(all.edges <= 0)
  })

  t.test('for a hub and a time range only the latest passages are read', async t => {
    const [hub = 0] = findName(index, 'Tagebuch').entities
    t.equal(viewEntity(index, hub, { since: 0 }, 1_000).passages.length, 1_000)
    t.equal(viewEntity(index, hub, { since: 0 }).passages.length, MANY)
  })
})

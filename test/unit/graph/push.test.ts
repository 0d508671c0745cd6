import fc from 'fast-check'
import t from 'tap'
import { buildIndex } from '../../../engine/graph/index/build-index.js'
import { passageOf, type SafeIndex, sharedBy } from '../../../engine/graph/index/safe-index.js'
import { forwardPush } from '../../../engine/graph/retrieval/push.js'
import { Rows } from './source.js'

const restart = 0.15
const epsilon = 7e-4
const noMatch = { ofMention: () => 0, ofPredicate: () => 0 }

interface Edge {
  to: number
  weight: number
}

/** The edges of GRAPH §3.5 from the index: to a passage 100 and back 10, mention 1 ÷ names shared, relation 0.3. */
function edgesOf(index: SafeIndex): Edge[][] {
  const { entities, passages, mentions, facts } = index
  const edges: Edge[][] = Array.from({ length: entities.size + passages.count }, () => [])
  const both = (one: number, other: number, weight: number, back = weight) => {
    edges[one]?.push({ to: other, weight })
    edges[other]?.push({ to: one, weight: back })
  }
  for (let fact = 0; fact < facts.count; fact++) both(facts.subject[fact] ?? 0, facts.object[fact] ?? 0, 0.3)
  for (const [passage, entity] of passages.entity.entries()) both(entity, entities.size + passage, 100, 10)
  for (const [at, entity] of mentions.entity.entries()) {
    both(entities.size + passageOf(mentions, at), entity, 1 / sharedBy(mentions, at))
  }
  return edges
}

/** Personalized PageRank by power iteration; a node without edges keeps its mass. */
function exact(edges: Edge[][], seeds: ReadonlyMap<number, number>): number[] {
  const pageRank = edges.map(() => 0)
  let waiting = edges.map((_, node) => seeds.get(node) ?? 0)
  for (let step = 0; step < 300; step++) {
    const next = edges.map(() => 0)
    for (const [node, mass] of waiting.entries()) {
      const out = edges[node] ?? []
      const total = out.reduce((sum, { weight }) => sum + weight, 0)
      pageRank[node] = (pageRank[node] ?? 0) + (total > 0 ? restart : 1) * mass
      for (const { to, weight } of out) next[to] = (next[to] ?? 0) + ((1 - restart) * mass * weight) / total
    }
    waiting = next
  }
  return pageRank
}

const graph = fc.record({
  relations: fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { minLength: 1, maxLength: 30 }),
  passages: fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 12 }),
  seeds: fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 3 }),
})
const name = (number: number) => `person${'abcdefghijkl'[number]}`

t.test('forward push is as near to PageRank as what it leaves (Andersen, Chung, Lang 2006)', async t => {
  await fc.assert(
    fc.asyncProperty(graph, async ({ relations, passages, seeds }) => {
      const lines = [
        ...Array.from({ length: 12 }, (_, i) => ({
          type: 'entity',
          name: name(i),
          entityType: 'x',
          observations: passages
            .filter(([about]) => about === i)
            .map(([, other], at) => `note ${at} on ${name(other)}`),
        })),
        ...relations.map(([from, to]) => ({
          type: 'relation',
          from: name(from),
          to: name(to),
          relationType: 'knows',
        })),
      ]
      const rows = await new Rows().add('jsonl', lines.map(line => JSON.stringify(line)).join('\n'))
      const index = await buildIndex(rows)
      const start = new Map(seeds.map(seed => [seed, 1 / seeds.length]))
      const edges = edgesOf(index)
      const expected = exact(edges, start)
      const { nodes, values } = forwardPush(index, start, noMatch)
      const pushed = new Map(nodes.map((node, at) => [node, values[at] ?? 0]))
      // A node leaves at most epsilon waiting for each of its edges; the restart share is reported as its own.
      const left = index.degrees.reduce((sum, degree) => sum + epsilon * degree, 0)
      const error = expected.reduce((sum, value, node) => sum + Math.abs(value - (pushed.get(node) ?? 0)), 0)
      t.ok(error <= (1 - restart) * left + 1e-4, `${error} of ${left}`)
      t.ok(
        values.reduce((sum, value) => sum + value, 0) <= 1 + 1e-5,
        'it never tells of more mass than the seeds had',
      )
    }),
    { numRuns: 60, seed: 4 },
  )
})

t.test('its cost is capped: only some edges of a hub are followed', async t => {
  const lines = Array.from({ length: 3_000 }, (_, i) => `hub,links to,thing ${i}`)
  const index = await buildIndex(await new Rows().add('csv', lines.join('\n')))
  const { nodes } = forwardPush(index, new Map([[0, 1]]), noMatch)
  t.equal(nodes.length, 301)
})

t.test('an edge that matches the question gets more', async t => {
  const csv = 'ann,likes,tea\nann,hates,mud'
  const index = await buildIndex(await new Rows().add('csv', csv))
  const { predicate } = index.facts
  const match = { ofMention: () => 0, ofPredicate: (number: number) => (number === predicate[0] ? 3 : 0) }
  const { nodes, values } = forwardPush(index, new Map([[0, 1]]), match)
  const mass = (node = 0) => values[nodes.indexOf(node)] ?? 0
  const { object } = index.facts
  const ratio = mass(object[0]) / mass(object[1])
  t.ok(
    ratio > 3.5 && ratio < 4.1,
    `${ratio}: 1 + 3 times as much, but for the little that comes back and is not looked at`,
  )
})

t.test('a push that breaks off leaves nothing behind for the next, which may be another Safe’s', async t => {
  const index = await buildIndex(await new Rows().add('csv', 'ann,likes,tea\nann,hates,mud'))
  const seeds = new Map([[0, 1]])
  const whole = forwardPush(index, seeds, noMatch)
  let checks = 0
  const broken = () => {
    if (++checks > 2) throw new Error('broken')
    return 0
  }
  t.throws(() => forwardPush(index, seeds, { ofMention: broken, ofPredicate: broken }), { message: 'broken' })
  t.strictSame(forwardPush(index, seeds, noMatch), whole)
})

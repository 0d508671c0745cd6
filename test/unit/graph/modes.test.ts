import t from 'tap'
import { stringAt } from '../../../engine/graph/collections/strings.js'
import {
  byteLengthOf,
  fromBuffers,
  LAYOUT_VERSION,
  type Layout,
  toBuffers,
} from '../../../engine/graph/index/buffers.js'
import { buildIndex } from '../../../engine/graph/index/build-index.js'
import { factAt, viewEntity } from '../../../engine/graph/modes/entity-view.js'
import { overview } from '../../../engine/graph/modes/overview.js'
import { findPaths } from '../../../engine/graph/modes/path.js'
import { walk } from '../../../engine/graph/modes/walk.js'
import { findName } from '../../../engine/graph/retrieval/find-entity.js'
import { query } from '../../../engine/graph/retrieval/query.js'
import { entity, lines } from '../../jsonl.js'
import { hub } from './hub.js'
import { Rows } from './source.js'

const crew = `subject,predicate,object
Ada,works for,Acme
Bo,works for,Acme
Cy,works for,Brix
Acme,located in,Oslo
Brix,located in,Oslo
Ada,knows,Cy
Oslo,capital of,Norway
Dee,lives in,Norway
Eve,knows,Eve
`
const people = lines(...['Ada', 'Bo', 'Cy'].map(name => entity(name, 'person', `${name} met Dee in Oslo.`)))

async function small() {
  const rows = await (await new Rows().add('csv', crew)).add('jsonl', people)
  const index = await buildIndex(rows)
  const entity = (name: string) => findName(index, name).entities[0] ?? -1
  const names = (entities: readonly number[]) => entities.map(number => stringAt(index.entities, number))
  return { rows, index, entity, names }
}

t.test('a hub of 10,000 relations costs no more than its caps', async t => {
  const index = await buildIndex(hub)
  const [center = -1] = findName(index, 'hub').entities
  const [thing = -1] = findName(index, 'thing 4999').entities
  const [part = -1] = findName(index, 'part 4999').entities
  const view = viewEntity(index, center)
  t.strictSame(
    view.kinds.map(({ count }) => count),
    [5_000, 5_000, 1],
  )
  const places = Array.from({ length: view.factCount }, (_, place) => place)
  t.equal(new Set(places.map(place => factAt(index, view, place))).size, 10_001, 'each fact has its place')
  const { paths } = findPaths(index, thing, part)
  t.equal(paths[0]?.facts.length, 2, 'the edges that the hub’s cap hides are found from the other ends')
  const walked = walk(index, [center], [{ relation: 'links to', direction: 'out' }])
  t.ok(walked.truncated && walked.entities.length === 2_000)
  t.strictSame(
    query(index, { query: 'Who is hub owned by?', limit: 1, offset: 0 }).facts[0]?.ref,
    { importId: 1, id: 10_001 },
    'and what answers is found though it stands behind the cap',
  )
})

t.test('an index goes through memory and comes back the same; other versions are refused', async t => {
  const { index } = await small()
  const { layout, bytes } = toBuffers(index, size => new SharedArrayBuffer(size))
  t.ok(bytes.buffer instanceof SharedArrayBuffer)
  t.ok(bytes.byteLength >= byteLengthOf(index))
  const written: Layout = JSON.parse(JSON.stringify(layout))
  const again = fromBuffers(written, bytes)
  t.ok(again)
  for (const question of ['Who works for Acme?', 'Where did Ada meet Dee?', 'Adda']) {
    const asked = { query: question, limit: 20, offset: 0 }
    t.strictSame(again && query(again, asked), query(index, asked), question)
  }
  t.strictSame(again && overview(again), overview(index))
  t.equal(fromBuffers({ ...written, version: LAYOUT_VERSION + 1 }, bytes), null)
  t.equal(fromBuffers(written, bytes.subarray(8)), null)
})

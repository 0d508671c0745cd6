import type { GraphSource, RelationRow } from '../../../engine/graph/model.js'

const relation = (id: number, subjectKey: string, predicate: string, objectKey: string): RelationRow => ({
  importId: 1,
  id,
  subjectKey,
  predicate,
  objectKey,
})

async function* none() {}

/** An entity with 10,000 relations of two kinds, and a pair that only it connects. */
export const hub: GraphSource = {
  identities: none,
  entities: none,
  aliases: none,
  passages: none,
  async *relations() {
    yield Array.from({ length: 5_000 }, (_, i) => relation(i + 1, 'hub', 'links to', `thing ${i}`))
    yield Array.from({ length: 5_000 }, (_, i) => relation(i + 5_001, `part ${i}`, 'belongs to', 'hub'))
    yield [relation(10_001, 'hub', 'owned by', 'ann')]
  },
}

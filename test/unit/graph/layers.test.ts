import fc from 'fast-check'
import t from 'tap'
import { Pause } from '../../../engine/graph/collections/pause.js'
import { toBuffers } from '../../../engine/graph/index/buffers.js'
import { buildIndex, indexOf } from '../../../engine/graph/index/build-index.js'
import { Layers } from '../../../engine/graph/index/layers.js'
import type { SafeIndex } from '../../../engine/graph/index/safe-index.js'
import type {
  AliasRow,
  EntityRow,
  GraphSource,
  IdentityRow,
  PassageRow,
  RelationRow,
  Succession,
} from '../../../engine/graph/model.js'
import { normalizeName } from '../../../engine/graph/text/text.js'
import { rounds } from '../../rounds.js'

/** The rows of one import. */
interface Rows {
  entities: Omit<EntityRow, 'importId'>[]
  aliases: Omit<AliasRow, 'importId'>[]
  identities: Omit<IdentityRow, 'importId'>[]
  relations: Omit<RelationRow, 'importId' | 'id'>[]
  passages: Omit<PassageRow, 'importId' | 'id'>[]
}

/** Few names and words, so that imports repeat each other's; several languages, two of them without spaces. */
const name = fc.constantFrom(
  'Ada',
  'Ada Byron',
  'The Byron',
  'Mill, Old',
  'Mühle',
  '東京',
  'a',
  'Nora (ship)',
)
const word = fc.oneof(
  name,
  fc.constantFrom('the', 'of', 'mill', 'Mill', 'mills', 'die', 'der', 'große', 'ist', 'war', 'le', 'est'),
  fc.constantFrom('東京は', 'USA', 'L’eau', 'turning', 'ran.', '-', 'Change', 'lámpa', '7', 'été'),
)
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map(words => words.join(' '))
const key = name.map(normalizeName)
const date = fc.option(fc.constantFrom('2019', '2020-05', '2021-06-07'), { freq: 2 })
/** Where somebody lives has one value at a time. */
const succession: Succession = {
  predicates: new Set(['lives in']),
  learnedOn: importId => Date.UTC(2020, importId),
}
const rows: fc.Arbitrary<Rows> = fc.record({
  entities: fc.uniqueArray(
    fc.record({
      key,
      name: fc.oneof(name, text),
      type: fc.option(fc.constantFrom('Person', 'person', 'place', ' ')),
    }),
    { maxLength: 3, selector: row => row.key },
  ),
  aliases: fc.array(fc.record({ entityKey: key, alias: fc.oneof(name, word) }), { maxLength: 2 }),
  identities: fc.array(fc.record({ key, sameAs: key }), { maxLength: 1 }),
  relations: fc.array(
    fc.record({
      subjectKey: key,
      predicate: fc.constantFrom('knows', 'is_a', 'isA', 'lives in'),
      objectKey: key,
      validFrom: date,
      validTo: date,
      learnedOn: date,
    }),
    { maxLength: 3 },
  ),
  passages: fc.array(
    fc.record({
      entityKey: key,
      title: fc.oneof(name, text),
      text,
      time: fc.option(fc.constantFrom(0, -1, 1.7e12)),
    }),
    { maxLength: 4 },
  ),
})

/** New imports, and the numbers of those to hide or, if they are hidden, to show again. */
const change = fc.record({
  added: fc.array(rows, { maxLength: 3 }),
  toggled: fc.array(fc.nat(20), { maxLength: 3 }),
})

t.test('an index built from rows that were read before is that of all rows, byte for byte', async t => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rows, { maxLength: 6 }),
      fc.array(change, { maxLength: 6 }),
      async (first, changes) => {
        const imports: Rows[] = []
        const visible = new Set<number>()
        const layers = new Layers()
        let known = new Set<number>()
        for (const { added, toggled } of [{ added: first, toggled: [] }, ...changes]) {
          for (const rows of added) visible.add(imports.push(rows))
          for (const at of toggled) {
            if (at === 0 || at > imports.length) continue
            if (!visible.delete(at)) visible.add(at)
          }
          const ids = [...visible].sort((a, b) => a - b)
          layers.keep(id => visible.has(id))
          const missing = ids.filter(id => !known.has(id))
          known = new Set(ids)
          await layers.read(sourceOf(imports, missing), new Pause())
          const [kept, all] = [
            bytesOf(await indexOf(layers, succession)),
            bytesOf(await buildIndex(sourceOf(imports, ids))),
          ]
          t.ok(kept.bytes.equals(all.bytes) && kept.layout === all.layout)
        }
      },
    ),
    { numRuns: rounds(40, 150) },
  )
})

t.test('removed rows take no memory', async t => {
  const layers = new Layers()
  const note = (at: number): Rows => ({
    entities: [{ key: 'ada', name: 'Ada', type: null }],
    aliases: [{ entityKey: 'ada', alias: 'Lady Ada' }],
    identities: [{ key: 'countess', sameAs: 'ada' }],
    relations: [{ subjectKey: 'ada', predicate: 'knows', objectKey: 'byron' }],
    passages: [{ entityKey: 'ada', title: 'Ada', text: `${at % 7} turning mills. `.repeat(99), time: at }],
  })
  const replace = async (at: number) => {
    layers.keep(() => false)
    await layers.read(sourceOf(Array(at).fill(note(at)), [at]), new Pause())
    await indexOf(layers, succession)
  }
  for (let at = 1; at <= 10; at++) await replace(at)
  const { byteLength, strings } = layers
  for (let at = 11; at <= 30; at++) await replace(at)
  t.equal(layers.byteLength, byteLength)
  t.equal(layers.strings, strings)
})

function bytesOf(index: SafeIndex): { bytes: Buffer; layout: string } {
  const { layout, bytes } = toBuffers(index)
  return { bytes: Buffer.from(bytes), layout: JSON.stringify(layout) }
}

/** The rows of some imports, in the order of a database. */
function sourceOf(imports: readonly Rows[], ids: readonly number[]): GraphSource {
  const of = <Row>(rowsOf: (rows: Rows) => Row[]) =>
    ids.flatMap(importId =>
      rowsOf(
        imports[importId - 1] ?? { entities: [], aliases: [], identities: [], relations: [], passages: [] },
      ).map((row, at) => ({ ...row, importId, id: at + 1 })),
    )
  return {
    identities: () => pages(of(rows => rows.identities)),
    entities: () => pages(of(rows => rows.entities)),
    aliases: () => pages(of(rows => rows.aliases)),
    relations: () => pages(of(rows => rows.relations)),
    passages: () => pages(of(rows => rows.passages)),
    succession: async () => succession,
  }
}

async function* pages<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += 2) yield rows.slice(at, at + 2)
}

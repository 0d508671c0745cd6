import fc from 'fast-check'
import t from 'tap'
import { RowCollector } from '../../../domain/safes/imports/rows.js'
import { StatedNames } from '../../../domain/safes/imports/stated-names.js'
import type { RowBatch } from '../../../domain/safes/stores/types.js'
import type { GraphRecord } from '../../../engine/graph/model.js'
import { normalizeName } from '../../../engine/graph/text/text.js'
import { rounds } from '../../rounds.js'

/** Few names, so that they repeat, in several forms. */
const name = fc.constantFrom('Ada', 'ada', 'ADA', 'Mühle', 'Muhle', 'mühle', '東京', 'thing', 'Bo')
const date = fc.option(fc.constantFrom('2019', '2020-05'), { nil: undefined })
const record: fc.Arbitrary<GraphRecord> = fc.oneof(
  fc.record({
    kind: fc.constant('entity' as const),
    id: name,
    name,
    type: fc.option(fc.constantFrom('thing', 'Person', 'place'), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('passage' as const), entity: name, title: name, text: name }),
  fc.record({
    kind: fc.constant('relation' as const),
    subject: name,
    predicate: fc.constantFrom('knows', 'thing', 'Ada'),
    object: name,
    validFrom: date,
    validTo: date,
  }),
) as fc.Arbitrary<GraphRecord>
/** Records, and where the rows are taken. */
const file = fc.array(fc.tuple(record, fc.boolean()), { maxLength: 60 })

/** The content of tables after these batches. */
function tablesOf(batches: readonly RowBatch[]) {
  const things = new Map<string, { name: string; type: string | null }>()
  const relations: string[] = []
  let passages = 0
  for (const {
    entities,
    relations: some,
    passages: { length },
  } of batches) {
    for (const { key, name, type, named } of entities) {
      const row = things.get(key) ?? { name, type: null }
      things.set(key, { name: named ? name : row.name, type: type ?? row.type })
    }
    for (const { id: _, ...relation } of some) relations.push(JSON.stringify(relation))
    passages += length
  }
  return { things, relations, passages }
}

function batchesOf(records: readonly [GraphRecord, boolean][], collector: RowCollector): RowBatch[] {
  const batches: (RowBatch | null)[] = []
  for (const [record, ends] of records) {
    collector.add(record)
    while (ends && collector.isFull) batches.push(collector.take())
    if (ends) batches.push(collector.take())
  }
  collector.end()
  while (collector.isFull) batches.push(collector.take())
  return [...batches, collector.take()].filter(batch => batch !== null)
}

/** The content of the records, each by itself. */
function saidIn(records: readonly [GraphRecord, boolean][]) {
  const things = new Map<string, { name: string; type: string | null; isNamed: boolean }>()
  const relations = new Set<string>()
  let passages = 0
  const mention = (name: string) => {
    const key = normalizeName(name)
    const thing = things.get(key) ?? { name, type: null, isNamed: false }
    things.set(key, thing)
    return { key, thing }
  }
  for (const [record] of records) {
    if (record.kind === 'entity') {
      const { thing } = mention(record.id)
      if (record.name !== record.id && !thing.isNamed)
        Object.assign(thing, { name: record.name, isNamed: true })
      thing.type = record.type ?? thing.type
    } else if (record.kind === 'relation') {
      const ends = { subjectKey: mention(record.subject).key, objectKey: mention(record.object).key }
      const { predicate, validFrom = null, validTo = null } = record
      const dated = validFrom || validTo ? { validFrom, validTo, learnedOn: null } : {}
      const { subjectKey, objectKey } = ends
      relations.add(JSON.stringify({ subjectKey, predicate, objectKey, ...dated }))
    } else if (record.kind === 'passage') {
      mention(record.entity)
      passages++
    }
  }
  return { things, relations, passages }
}

for (const held of [0, 1, 5])
  t.test(
    `every row that records state is written, what repeats once; ${held} things are held back`,
    async t => {
      fc.assert(
        fc.property(file, records => {
          const said = saidIn(records)
          const { things, relations, passages } = tablesOf(batchesOf(records, new RowCollector(held)))
          t.strictSame(relations, [...said.relations])
          t.equal(passages, said.passages)
          const sorted = <Value>(rows: Iterable<Value>) => [...rows].sort()
          const written = [...said.things].map(([key, { name, type }]) => [key, { name, type }])
          t.strictSame(sorted(things), sorted(written))
        }),
        { numRuns: rounds(50, 5_000) },
      )
    },
  )

t.test(
  'things that are held back come in the order of their keys, in batches of one transaction',
  async t => {
    const collector = new RowCollector(2_000)
    const taken: [number, number][] = []
    const keys: string[] = []
    const take = () => {
      const { entities = [], relations = [] } = collector.take() ?? {}
      taken.push([entities.length, relations.length])
      keys.push(...entities.map(({ key }) => key))
    }
    for (let at = 0; at < 1_500; at++) {
      collector.add({ kind: 'relation', subject: `s${at}`, predicate: 'p', object: `o${at}` })
      while (collector.isFull) take()
    }
    collector.end()
    while (collector.isFull) take()
    take()
    t.strictSame(
      taken.filter(([entities, relations]) => entities + relations > 500),
      [],
    )
    t.ok(
      taken.some(([entities]) => entities === 0),
      'relations do not wait',
    )
    t.equal(keys.length, 3_000)
    t.strictSame(keys.slice(0, 2_000), keys.slice(0, 2_000).sort())
  },
)

t.test('when everything is forgotten all the time, no row is lost', async t => {
  fc.assert(
    fc.property(file, records => {
      const said = saidIn(records)
      const written = tablesOf(batchesOf(records, new RowCollector(0, new StatedNames(0))))
      t.strictSame([...new Set(written.relations)], [...said.relations])
      t.equal(written.passages, said.passages)
      const typesOf = (things: Map<string, { type: string | null }>) =>
        [...things].map(([key, { type }]) => [key, type]).sort()
      t.strictSame(typesOf(written.things), typesOf(said.things))
    }),
    { numRuns: rounds(50, 5_000) },
  )
})

t.test('a thing that is mentioned again and again is one row, however many others there are', async t => {
  const collector = new RowCollector()
  const add = (subject: string, predicate: string, object: string) => {
    collector.add({ kind: 'relation', subject, predicate, object })
    return collector.take()?.entities.length
  }
  const many = 60_000
  for (let at = 0; at < many; at++) add('Hub', 'knows', `Thing ${at}`)
  for (let at = 0; at < many; at += 1_000) t.equal(add('hub', 'likes', `THING ${at}`), 0)
})

import fc from 'fast-check'
import t from 'tap'
import { itemsOf } from '../../../engine/graph/collections/groups.js'
import { Pause } from '../../../engine/graph/collections/pause.js'
import { stringAt } from '../../../engine/graph/collections/strings.js'
import { buildIndex, indexWith } from '../../../engine/graph/index/build-index.js'
import { meaningsOf } from '../../../engine/graph/index/dictionary.js'
import { Layers } from '../../../engine/graph/index/layers.js'
import { Unpacked, unpack } from '../../../engine/graph/index/postings.js'
import { rowsOf, type SafeIndex } from '../../../engine/graph/index/safe-index.js'
import { normalizeName } from '../../../engine/graph/text/text.js'
import { rounds } from '../../rounds.js'
import { changeOf, englishRows, type Rows, sourceOf } from './random-rows.js'

/**
 * Without merged names, which need a complete build, and with dates for all facts of a predicate or none: which of two
 * dated facts is repeated by one without dates depends on all rows.
 */
const withoutMerging = (imports: readonly Rows[]) =>
  imports.map(one => ({
    ...one,
    identities: [],
    relations: one.relations.map(({ validFrom, validTo, ...fact }) =>
      fact.predicate === 'lives in'
        ? { ...fact, validFrom: validFrom ?? '2019', validTo: validTo ?? null }
        : fact,
    ),
  }))

t.test('an index with parts has the facts, passages and things of one that is built at once', async t => {
  let [parts, complete] = [0, 0]
  await fc.assert(
    fc.asyncProperty(
      fc.array(englishRows, { minLength: 1, maxLength: 6 }),
      fc.array(changeOf(englishRows), { maxLength: 6 }),
      async (first, changes) => {
        const imports = withoutMerging(first)
        let ids = imports.map((_, at) => at + 1)
        let index = await buildIndex(sourceOf(imports, ids, null))
        for (const { added, toggled } of changes) {
          const visible = new Set(ids)
          for (const one of withoutMerging(added)) visible.add(imports.push(one))
          for (const at of toggled) {
            if (at === 0 || at > imports.length) continue
            if (!visible.delete(at)) visible.add(at)
          }
          const next = [...visible].sort((a, b) => a - b)
          const all = await buildIndex(sourceOf(imports, next, null))
          const changed = await changedTo(index, imports, ids, next)
          if (changed) parts++
          else complete++
          index = changed ?? all
          ids = next
          t.strictSame(contentOf(index), contentOf(all))
          t.strictSame([...index.degrees].length, index.entities.size + index.passages.count)
        }
      },
    ),
    { numRuns: rounds(60, 400) },
  )
  t.ok(parts > complete, `${parts} parts, ${complete} complete builds`)
})

async function changedTo(index: SafeIndex, imports: readonly Rows[], from: number[], to: number[]) {
  const layers = new Layers()
  const added = to.filter(id => !from.includes(id))
  await layers.read(sourceOf(imports, added, null), new Pause())
  const gone = from.filter(id => !to.includes(id))
  return indexWith(index, layers, { imports: new Set(gone), names: [] }, index.built)
}

/**
 * The content that an index has from rows, by names instead of numbers. Things that only other rows name may differ.
 */
function contentOf(index: SafeIndex) {
  const { facts, passages } = index
  const keyOf = (entity = 0) => stringAt(index.entities, entity)
  const ref = ({ importId, id }: { importId: number; id: number }) => `${importId}/${id}`
  const refsOf = (rows: typeof facts.rows, item: number) => rowsOf(rows, item).map(ref).sort()
  const factOf = (fact: number) =>
    [
      keyOf(facts.subject[fact]),
      stringAt(index.predicates, facts.predicate[fact] ?? 0),
      keyOf(facts.object[fact]),
      stringAt(facts.periods.texts, facts.periods.of[fact] ?? 0),
      ...refsOf(facts.rows, fact),
    ].join('|')
  const entities = Array.from({ length: index.entities.size }, (_, entity) => entity)
  const each = (groups: typeof facts.incoming, of: (item: number) => string) =>
    entities
      .flatMap(entity => Array.from(itemsOf(groups, entity), item => `${keyOf(entity)}: ${of(item)}`))
      .sort()
  const live = Array.from({ length: passages.count }, (_, passage) => passage).filter(
    passage => index.text.gone[passage] !== 1,
  )
  const passageOf = (passage: number) => refsOf(passages.rows, passage).join(' ')
  const named = entities.filter(entity => index.isNamed[entity] === 1 && connected(index, entity))
  return {
    facts: Array.from({ length: facts.count }, (_, fact) => factOf(fact)).sort(),
    incoming: each(facts.incoming, factOf),
    about: each(passages.about, passageOf),
    passages: live
      .map(
        passage =>
          `${passageOf(passage)}: ${keyOf(passages.entity[passage])}, ${passages.times[passage] ?? Number.NaN}`,
      )
      .sort(),
    counts: [
      facts.count,
      passages.count - passages.gone,
      passages.timed,
      passages.timed && passages.first,
      passages.timed && passages.last,
    ],
    stems: stemsOf(index, live)
      .map(stems => stems.sort().join(' '))
      .sort(),
    named: named.map(keyOf).sort(),
    mentioning: live.filter(
      passage => (index.mentions.offsets[passage + 1] ?? 0) < (index.mentions.offsets[passage] ?? 0),
    ),
  }
}

/** Whether a row states something about it. A thing that is only named may be missing until the next complete build. */
function connected({ facts, passages }: SafeIndex, entity: number): boolean {
  const isSubject = (facts.outgoing[entity] ?? 0) < (facts.outgoing[entity + 1] ?? 0)
  return isSubject || itemsOf(facts.incoming, entity).length + itemsOf(passages.about, entity).length > 0
}

/** The stems of some passages, each with how often it is in the passage. */
function stemsOf({ text }: SafeIndex, passages: readonly number[]): string[][] {
  const unpacked = new Unpacked()
  const stems = new Map(passages.map(passage => [passage, [] as string[]]))
  for (let term = 0; term < text.vocabulary.size; term++) {
    const numbers = unpack(text.postings, term, Number.POSITIVE_INFINITY, unpacked)
    for (const [at, passage] of numbers.entries())
      stems.get(passage)?.push(`${stringAt(text.vocabulary, term)} ${unpacked.times[at]}`)
  }
  return [...stems.values()]
}

t.test('a part finds names of the index, and its names are found in passages from before', async t => {
  const imports = [
    note('Lens Works', 'They grind lenses for Harbour Light, says Ada Byron.'),
    note('Harbour Light', 'A tower.'),
  ]
  const index = await buildIndex(sourceOf(imports, [1, 2], null))
  imports.push(
    note('Ada Byron', 'She owns the Lens Works with Otto Mill.'),
    note('Family', 'The brother of Otto Mill.'),
  )
  const changed = await changedTo(index, imports, [1, 2], [1, 2, 3, 4])
  t.ok(changed)
  const mentioned = mentionsOf(changed ?? index)
  t.strictSame(mentioned, mentionsOf(await buildIndex(sourceOf(imports, [1, 2, 3, 4], null))))
  t.strictSame(mentioned, [
    '1: ada byron',
    '1: harbour light',
    '3: lens works',
    '3: otto mill',
    '4: otto mill',
  ])
})

t.test(
  'a name that only a gone import gave is not found any more, and one that a new import repeats is',
  async t => {
    const named = (name: string) => ({
      ...note('a', 'Something.'),
      entities: [{ key: 'a', name, type: null }],
    })
    const imports = [note('a', 'First.'), named('Lamp Doctor'), named('Lamp Keeper'), named('Lamp Keeper')]
    const index = await buildIndex(sourceOf(imports, [1, 2, 3], null))
    const layers = new Layers()
    await layers.read(sourceOf(imports, [4], null), new Pause())
    const names = ['Lamp Doctor', 'Lamp Keeper'].map(name => ({ key: 'a', name }))
    const gone = { imports: new Set([2, 3]), names }
    const changed = await indexWith(index, layers, gone, index.built)
    const entitiesOf = (name: string) => meaningsOf((changed ?? index).dictionary, name).length
    t.strictSame(['a', 'lamp doctor', 'lamp keeper'].map(entitiesOf), [1, 0, 1])
  },
)

/** A note with one passage. */
const note = (name: string, text: string): Rows => ({
  entities: [{ key: normalizeName(name), name, type: null }],
  aliases: [],
  identities: [],
  relations: [],
  passages: [{ entityKey: normalizeName(name), title: name, text, time: null }],
})

function mentionsOf({ passages, mentions, entities }: SafeIndex): string[] {
  const found: string[] = []
  for (let passage = 0; passage < passages.count; passage++)
    for (let at = mentions.offsets[passage] ?? 0; at < (mentions.offsets[passage + 1] ?? 0); at++)
      found.push(
        `${rowsOf(passages.rows, passage)[0]?.importId}: ${stringAt(entities, mentions.entity[at] ?? 0)}`,
      )
  return found.sort()
}

import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  type Browsed,
  type BrowseKind,
  type BrowseQuery,
  browse,
} from '../../../engine/graph/browse/browse.js'
import { stringAt } from '../../../engine/graph/collections/strings.js'
import { buildIndex } from '../../../engine/graph/index/build-index.js'
import type { SafeIndex } from '../../../engine/graph/index/safe-index.js'
import { entity, lines, relation } from '../../jsonl.js'
import { indexOf, Rows } from './source.js'

const sample = readFileSync(new URL('../../fixtures/lighthouse-cooperative.jsonl', import.meta.url))
const indexed = async (...files: (string | Uint8Array)[]) => (await indexOf(...files)).index
const find = <Kind extends BrowseKind>(index: SafeIndex, asked: BrowseQuery<Kind>): Browsed<Kind>['found'] =>
  browse(index, asked).found

/** All pages of a list, each requested with the end of the previous one. */
function walk<Item>(page: (after: Item | undefined) => { items: Item[]; hasMore: boolean }): Item[] {
  const all: Item[] = []
  for (;;) {
    const { items, hasMore } = page(all.at(-1))
    all.push(...items)
    if (!hasMore) return all
    if (items.length === 0) throw new Error('an empty page in the middle')
  }
}

t.test('entities are kept in the order of their keys, whatever imports they come from', async t => {
  const names = ['Zoë', 'Ada', 'Ål', 'ada b', '東京', 'Bo', '!', 'Adam', 'ad']
  const index = await indexed(
    lines(...names.slice(0, 5).map(name => entity(name, 'x'))),
    lines(...names.slice(5).map(name => entity(name, 'x')), relation('Last', 'knows', 'Aaa')),
  )
  const keys = Array.from(index.byKey, entity => stringAt(index.entities, entity))
  t.equal(keys.length, 11)
  t.strictSame(
    keys,
    keys.toSorted((a, b) => Buffer.from(a).compare(Buffer.from(b))),
  )
})

t.test('pages of things show each once, by name and by relations, of all types and of one', async t => {
  const index = await indexed(sample)
  for (const type of [undefined, 'person']) {
    for (const sort of ['name', 'relations'] as const) {
      const asked = { kind: 'things' as const, sort, ...(type ? { type } : {}) }
      const all = find(index, { ...asked, limit: 1000 }).items
      t.equal(all.length, type ? 11 : 46)
      const walked = walk<(typeof all)[number]>(last =>
        find(index, { ...asked, limit: 7, ...(last ? { after: last.key } : {}) }),
      )
      t.strictSame(walked, all, `${type} by ${sort}`)
      const expected = all.toSorted(
        (a, b) => (sort === 'name' ? 0 : b.relations - a.relations) || (a.key < b.key ? -1 : 1),
      )
      t.strictSame(all, expected)
      if (type) for (const item of all) t.equal(item.type, type)
    }
  }
  t.same(find(index, { kind: 'things', sort: 'name', type: 'dragon', limit: 5 }).items, [])
  t.same(find(index, { kind: 'things', sort: 'relations', after: 'nobody', limit: 5 }).items, [])
})

t.test('a search finds names and aliases by the beginning of a word', async t => {
  const index = await indexed(sample)
  const keysOf = (search: string) =>
    find(index, { kind: 'things', sort: 'name', search, limit: 50 }).items.map(({ key }) => key)
  t.strictSame(keysOf('Lens'), ['fresnel lens', 'lens restoration'])
  t.strictSame(keysOf('lens rest'), ['lens restoration'])
  t.strictSame(keysOf('ens'), [], 'not in the middle of a word')
  t.strictSame(keysOf(''), keysOf('  '))
  const named = find(index, { kind: 'names', text: 'skerry', limit: 2 })
  t.strictSame(
    named.map(({ key }) => key),
    ['skerry light cooperative', 'skerry island'],
    'the best connected first',
  )
  t.equal(
    find(index, { kind: 'names', text: 'Skerry Island', limit: 3 })[0]?.key,
    'skerry island',
    'an exact name first',
  )
})

t.test('a search for what very many names have is cut, and says so', async t => {
  const many = Array.from({ length: 5000 }, (_, at) => entity(`Item ${at}`, 'x'))
  const index = await indexed(lines(...many))
  const found = find(index, { kind: 'things', sort: 'name', search: 'item', limit: 10 })
  t.match(found, { isCut: true, hasMore: true })
  t.equal(found.items.length, 10)
})

t.test('relations with a predicate come in pages, of the Safe and of one thing', async t => {
  const facts = Array.from({ length: 30 }, (_, at) => relation(`P${at % 5}`, 'worksFor', `Q${at}`))
  const index = await indexed(lines(relation('P1', 'knows', 'Q1'), ...facts, relation('Hub', 'likes', 'P1')))
  const ends = ({ subject, object }: Record<'subject' | 'object', string>) => [subject, object] as const
  const asked = { kind: 'relations', predicate: 'works for', limit: 4 } as const
  const page = (more: object) => (last: Record<'subject' | 'object', string> | undefined) =>
    find(index, { ...asked, ...more, ...(last ? { after: ends(last) } : {}) })
  const all = walk(page({}))
  t.equal(all.length, 30)
  t.equal(new Set(all.map(item => ends(item).join())).size, 30)
  const own = walk(page({ key: 'p1', direction: 'out' }))
  t.equal(own.length, 6)
  t.ok(own.every(({ subject }) => subject === 'p1'))
  t.equal(walk(page({ key: 'q7', direction: 'in' })).length, 1)
  t.equal(page({ key: 'p1', direction: 'out' })(undefined).total, 6)
  t.same(find(index, { kind: 'relations', predicate: 'no such', limit: 4 }).items, [])
  t.same(page({ key: 'nobody', direction: 'out' })(undefined).items, [])
})

t.test('passages come in pages: all, those about a thing, and those that mention it', async t => {
  const index = await indexed(
    lines(...Array.from({ length: 12 }, (_, at) => entity(`P${at}`, 'x', `Lens Hall is near ${at}.`))),
    lines(entity('Lens Hall', 'hall', 'It is old.', 'It is tall.')),
  )
  const page = (more: object) => (last: { ref: { importId: number; id: number } } | undefined) =>
    find(index, { kind: 'passages', limit: 5, ...more, ...(last ? { after: last.ref } : {}) })
  const refs = (all: { ref: object }[]) => new Set(all.map(({ ref }) => JSON.stringify(ref))).size
  const all = walk(page({}))
  t.strictSame([all.length, refs(all)], [14, 14])
  t.equal(walk(page({ key: 'lens hall' })).length, 2)
  const mentions = walk(page({ key: 'lens hall', mentioning: true }))
  t.strictSame([mentions.length, refs(mentions)], [12, 12])
  t.same(page({ key: 'nobody' })(undefined).items, [])
})

t.test('two rings: each neighbour with its own, none twice, the rest as chords', async t => {
  const index = await indexed(
    lines(
      relation('A', 'knows', 'B'),
      relation('A', 'knows', 'C'),
      relation('B', 'leads', 'D'),
      relation('E', 'owns', 'B'),
      relation('C', 'leads', 'D'),
      relation('C', 'leads', 'A'),
      relation('D', 'knows', 'E'),
      relation('F', 'knows', 'G'),
    ),
  )
  const found = find(index, { kind: 'around', key: 'a' })
  if (!found) throw new Error('not found')
  const name = (of: number | null) => (of === null ? 'a' : found.neighbours[of]?.key)
  t.strictSame(found.neighbours.map(({ key, of, direction }) => `${name(of)} ${direction} ${key}`).sort(), [
    'a in c',
    'a out b',
    'b in e',
    'c out d',
  ])
  t.strictSame(found.chords.map(pair => pair.map(at => found.neighbours[at]?.key).join(' ')).sort(), [
    'b d',
    'd e',
  ])
  t.equal(find(index, { kind: 'around', key: 'nobody' }), null)
})

t.test('two rings around a hub are at most 150 things, shared fairly', async t => {
  const near = Array.from({ length: 60 }, (_, at) => relation('Hub', 'knows', `N${at}`))
  const far = Array.from({ length: 3_000 }, (_, at) => relation(`N${at % 60}`, `p${at % 9}`, `F${at}`))
  const index = await indexed(lines(...near, ...far))
  const found = find(index, { kind: 'around', key: 'hub' })
  if (!found) throw new Error('not found')
  t.equal(found.neighbours.length, 149)
  t.equal(new Set(found.neighbours.map(({ key }) => key)).size, 149)
  t.equal(found.neighbours.filter(({ of }) => of === null).length, 40)
  t.equal(found.otherNeighbours, 20)
  for (let of = 0; of < 40; of++) {
    const count = found.neighbours.filter(neighbour => neighbour.of === of).length
    t.ok(count === 2 || count === 3)
  }
  t.same(find(index, { kind: 'around', key: 'hub' }), found)
})

t.test('a hub is described in bounded lists, with the number of everything', async t => {
  const facts = Array.from({ length: 3000 }, (_, at) => relation('Hub', `predicate ${at % 50}`, `N${at}`))
  const index = await indexed(lines(...facts))
  const found = find(index, { kind: 'thing', name: 'hub' })
  if (found.key === null) throw new Error('not found')
  t.equal(found.relationCount, 3000)
  t.equal(found.kinds.length, 40)
  t.equal(found.moreKinds, 10)
  t.ok(found.kinds.every(({ relations, count }) => relations.length === 3 && count === 60))
  t.equal(found.neighbours.length, 40)
  t.equal(found.otherNeighbours, 2960)
})

t.test('a name is resolved: the key, a name, an alias, a name with its key; or what is like it', async t => {
  const rows = await new Rows().add(
    'ntriples',
    [
      ['bank.n.01', 'bank'],
      ['bank.n.02', 'bank'],
      ['river', 'Stream'],
    ]
      .map(([id, name]) => `<http://x/${id}> <http://www.w3.org/2000/01/rdf-schema#label> "${name}" .`)
      .join('\n'),
  )
  const index = await buildIndex(rows)
  const keyOf = (name: string) => find(index, { kind: 'thing', name }).key
  t.equal(keyOf('river'), 'river')
  t.equal(keyOf('STREAM'), 'river')
  t.equal(keyOf('bank (bank.n.02)'), 'bank.n.02')
  t.strictSame(find(index, { kind: 'thing', name: 'Bank' }), {
    key: null,
    alike: ['bank.n.01', 'bank.n.02'],
    exact: true,
  })
  t.match(find(index, { kind: 'thing', name: 'streem' }), { key: null, alike: ['river'], exact: false })
})

import t from 'tap'
import { duplicates } from '../../../graph/browse/duplicates.js'
import { isOneEdit, singular } from '../../../graph/duplicates/alike.js'
import { buildIndex } from '../../../graph/index/build-index.js'
import type { GraphSource } from '../../../graph/model.js'
import { Rows } from './source.js'

const lines = (...items: object[]) => items.map(item => JSON.stringify(item)).join('\n')
const fact = (from: string, to: string) => ({ type: 'relation', from, relationType: 'knows', to })
const thing = (name: string, entityType = '', key?: string) => ({
  ...{ type: 'entity', name, entityType, observations: [] },
  ...(key === undefined ? {} : { key }),
})

/** Pairs that are found in these files: names and why. */
async function found(...files: object[][]) {
  const rows = new Rows()
  for (const file of files) await rows.add('jsonl', lines(...file))
  const { found } = await duplicates(await buildIndex(rows), { apart: [], limit: 100 })
  return found.map(({ one, other, how, commonCount }) => [...[one.key, other.key].sort(), how, commonCount])
}
const ofNames = (...names: string[]) => found(names.map(name => thing(name)))

t.test('names of one thing are alike in one of these ways', async t => {
  t.same(await ofNames('Lens Restoration', 'LensRestoration'), [
    ['lens restoration', 'lensrestoration', 'letters', 0],
  ])
  t.same(await ofNames('Straße Nord', 'Strasse-Nord'), [['strasse-nord', 'straße nord', 'name', 0]])
  t.same(await ofNames('Jonas Lindqvist', 'Lindqvist, Jonas'), [
    ['jonas lindqvist', 'lindqvist, jonas', 'order', 0],
  ])
  t.same(await ofNames('Jane Smith', 'J. Smith'), [['j. smith', 'jane smith', 'initials', 0]])
  t.same(await ofNames('Jane Smith', 'Smith J'), [['jane smith', 'smith j', 'initials', 0]])
  t.same(await ofNames('John Ronald Tolkien', 'J. R. Tolkien'), [
    ['j. r. tolkien', 'john ronald tolkien', 'initials', 0],
  ])
  t.same(await ofNames('Jane Smith', 'Jane E. Smith'), [['jane e. smith', 'jane smith', 'middle', 0]])
  t.same(await ofNames('Lighthouse', 'Lighthouses'), [['lighthouse', 'lighthouses', 'plural', 0]])
  t.same(await ofNames('Jonas Lindqvist', 'Jonas Lindqivst'), [
    ['jonas lindqivst', 'jonas lindqvist', 'spelling', 0],
  ])
})

t.test('names that differ in what tells things apart are not offered', async t => {
  const different = [
    ...[
      ['Chapter 1', 'Chapter 2'],
      ['2024-1-11', '2024-11-1'],
      ['Otto I of Guelders', 'Otto II of Guelders'],
    ],
    ...[
      ['Iran', 'Iraq'],
      ['Otto IV', 'Otto VI'],
      ['Jane Smith', 'Jane Smithson'],
      ['University Press', 'University of Press'],
    ],
    ...[
      ['World Health Organization', 'WHO'],
      ['fascism', 'fascist'],
      ['Jane Smith', 'Paul Smith'],
      ['A B', 'B A C'],
    ],
  ]
  for (const pair of different) t.same(await ofNames(...pair), [], pair.join(', '))
})

t.test('neighbours in common and types decide where names say too little', async t => {
  const who = [thing('World Health Organization'), thing('WHO')]
  const knows = (...places: string[]) =>
    places.flatMap(place => [fact('World Health Organization', place), fact('WHO', place)])
  t.same(await found(who, knows('Geneva')), [])
  t.same(await found(who, knows('Geneva', 'Health', 'Doctors')), [
    ['who', 'world health organization', 'acronym', 3],
  ])
  t.same(await found([thing('Mercury', 'planet'), thing('Mercurys', 'god')]), [], 'of different types')
  t.match(await found([thing('Jane Smith', 'person'), thing('J. Smith', 'person')]), { length: 1 })
  const smiths = ['Jane Smith', 'John Smith', 'J. Smith'].map(name => thing(name))
  t.same(await found(smiths), [], 'initials that fit two')
  t.same(
    await found(
      smiths,
      ['Boat', 'Log'].flatMap(to => [fact('J. Smith', to), fact('John Smith', to)]),
    ),
    [['j. smith', 'john smith', 'initials', 2]],
  )
})

t.test('ids that one file gives tell things of one name apart; ids of two files do not', async t => {
  const senses = [thing('bank', '', 'bank.n.01'), thing('bank', '', 'bank.n.02')]
  t.same(await found(senses), [])
  t.match(await found(senses.slice(0, 1), senses.slice(1)), [['bank.n.01', 'bank.n.02', 'name', 0]])
})

t.test('what is the same, or was said to be different, is not offered', async t => {
  const smiths = [thing('Jane Smith'), thing('J. Smith')]
  t.same(await found(smiths, [{ type: 'same', name: 'J. Smith', sameAs: 'Jane Smith' }]), [])
  const rows = new Rows()
  await rows.add('jsonl', lines(...smiths))
  const index = await buildIndex(rows)
  t.same((await duplicates(index, { apart: [['j. smith', 'jane smith']], limit: 9 })).found, [])
})

t.test('the likeliest come first, and no more than asked for', async t => {
  const rows = new Rows()
  const names = ['Jane Smith', 'J. Smith', 'Log Book', 'Logbook', 'Lighthouse', 'Lighthouses']
  await rows.add('jsonl', lines(...names.map(name => thing(name))))
  const index = await buildIndex(rows)
  const hows = async (limit: number) =>
    (await duplicates(index, { apart: [], limit })).found.map(({ how }) => how)
  t.same(await hows(9), ['letters', 'plural', 'initials'])
  t.same(await hows(1), ['letters'])
})

t.test('names of one block cost bounded time, however many they are', async t => {
  const none = async function* () {}
  const source: GraphSource = {
    ...{ identities: none, aliases: none, relations: none, passages: none },
    // All begin and end alike, and differ in the middle.
    async *entities() {
      const letters = (at: number) =>
        at.toString(26).replace(/\d/g, digit => 'qrstuvwxyz'[Number(digit)] ?? '')
      yield Array.from({ length: 50_000 }, (_, at) => {
        const name = `harbour ${letters(at)} lighthouse`
        return { importId: 1, key: name, name, type: null }
      })
    },
  }
  const index = await buildIndex(source)
  const started = performance.now()
  await duplicates(index, { apart: [], limit: 100 })
  t.ok(performance.now() - started < 10_000)
})

t.test('one edit, and plurals', async t => {
  for (const [one, other] of [
    ['ab', 'abc'],
    ['abc', 'ac'],
    ['abc', 'abd'],
    ['abcd', 'acbd'],
    ['a', ''],
  ])
    t.ok(isOneEdit(one ?? '', other ?? '') && isOneEdit(other ?? '', one ?? ''), `${one}, ${other}`)
  for (const [one, other] of [
    ['abc', 'abc'],
    ['abc', 'a'],
    ['abcd', 'badc'],
    ['abc', 'cba'],
  ])
    t.notOk(isOneEdit(one ?? '', other ?? ''), `${one}, ${other}`)
  const plurals = {
    cats: 'cat',
    categories: 'category',
    boxes: 'box',
    glasses: 'glass',
    glass: 'glass',
    bus: 'bus',
    gas: 'gas',
  }
  for (const [plural, one] of Object.entries(plurals)) t.equal(singular(plural), one)
})

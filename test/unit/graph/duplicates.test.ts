import t from 'tap'
import { duplicates } from '../../../engine/graph/browse/duplicates.js'
import { isOneEdit, singular } from '../../../engine/graph/duplicates/alike.js'
import { lines, relation } from '../../jsonl.js'
import { indexOf } from './source.js'

const fact = (from: string, to: string) => relation(from, 'knows', to)
const thing = (name: string, entityType = '', key?: string) =>
  JSON.stringify({
    type: 'entity',
    name,
    entityType,
    observations: [],
    ...(key === undefined ? {} : { key }),
  })

/** Pairs found in these files: names and reasons. */
async function found(...files: string[][]) {
  const { index } = await indexOf(...files.map(file => lines(...file)))
  const { found } = await duplicates(index, { apart: [], limit: 100 })
  return found.map(({ one, other, how, commonCount }) => [...[one.key, other.key].sort(), how, commonCount])
}
const ofNames = (...names: string[]) => found(names.map(name => thing(name)))

t.test('names of one thing are alike in one of these ways', async t => {
  const alike: [one: string, other: string, how: string][] = [
    ['Lens Restoration', 'LensRestoration', 'letters'],
    ['Strasse-Nord', 'Straße Nord', 'name'],
    ['Jonas Lindqvist', 'Lindqvist, Jonas', 'order'],
    ['J. Smith', 'Jane Smith', 'initials'],
    ['Jane Smith', 'Smith J', 'initials'],
    ['J. R. Tolkien', 'John Ronald Tolkien', 'initials'],
    ['Jane E. Smith', 'Jane Smith', 'middle'],
    ['Lighthouse', 'Lighthouses', 'plural'],
    ['Jonas Lindqivst', 'Jonas Lindqvist', 'spelling'],
  ]
  for (const [one, other, how] of alike)
    t.same(await ofNames(one, other), [[one.toLowerCase(), other.toLowerCase(), how, 0]])
})

t.test('names with different numbers, initials or endings are not offered', async t => {
  const different = [
    'Chapter 1, Chapter 2',
    '2024-1-11, 2024-11-1',
    'Otto I of Guelders, Otto II of Guelders',
  ]
    .concat(['Iran, Iraq', 'Otto IV, Otto VI', 'Jane Smith, Jane Smithson', 'A B, B A C', 'fascism, fascist'])
    .concat([
      'University Press, University of Press',
      'World Health Organization, WHO',
      'Jane Smith, Paul Smith',
    ])
  for (const pair of different) t.same(await ofNames(...pair.split(', ')), [], pair)
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
  t.same(await found(smiths, ['{"type":"same","name":"J. Smith","sameAs":"Jane Smith"}']), [])
  const { index } = await indexOf(lines(...smiths))
  t.same((await duplicates(index, { apart: [['j. smith', 'jane smith']], limit: 9 })).found, [])
})

t.test('the likeliest come first, and no more than asked for', async t => {
  const names = ['Jane Smith', 'J. Smith', 'Log Book', 'Logbook', 'Lighthouse', 'Lighthouses']
  const { index } = await indexOf(lines(...names.map(name => thing(name))))
  const hows = async (limit: number) =>
    (await duplicates(index, { apart: [], limit })).found.map(({ how }) => how)
  t.same(await hows(9), ['letters', 'plural', 'initials'])
  t.same(await hows(1), ['letters'])
})

t.test('one edit, and plurals', async t => {
  for (const pair of ['ab abc', 'abc ac', 'abc abd', 'abcd acbd', 'a ']) {
    const [one = '', other = ''] = pair.split(' ')
    t.ok(isOneEdit(one, other) && isOneEdit(other, one), pair)
  }
  for (const pair of ['abc abc', 'abc a', 'abcd badc', 'abc cba']) {
    const [one = '', other = ''] = pair.split(' ')
    t.notOk(isOneEdit(one, other), pair)
  }
  const plurals = 'cats cat, categories category, boxes box, glasses glass, glass glass, bus bus, gas gas'
  for (const pair of plurals.split(', ')) t.equal(singular(pair.split(' ')[0] ?? ''), pair.split(' ')[1])
})

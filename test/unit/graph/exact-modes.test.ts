import t from 'tap'
import { Pause } from '../../../engine/graph/collections/pause.js'
import { DictionaryBuilder, meaningsOf } from '../../../engine/graph/index/dictionary.js'
import { entity, lines, relation } from '../../jsonl.js'
import { askerOf } from './source.js'

const over = async (...file: [format: string, content: string]) => (await askerOf(file)).ask

const chains = (ranking: { summary: unknown }) => {
  const { paths } = ranking.summary as {
    paths: { entities: string[]; steps: { predicate: string; direction: string }[] }[]
  }
  return paths
    .map(({ entities, steps }) =>
      steps.reduce((chain, { predicate, direction }, at) => {
        const arrow = direction === 'out' ? `-${predicate}>` : `<${predicate}-`
        return `${chain} ${arrow} ${entities[at + 1]}`
      }, entities[0] ?? ''),
    )
    .sort()
}

t.test('path: every shortest one, in each direction, through cycles, within its depth', async t => {
  const ask = await over(
    'csv',
    `a,r,b
b,r,d
a,r,c
d,r,c
d,r,e
e,r,a
e,r,f
f,r,g
g,r,h
h,r,i
i,r,i`,
  )
  t.strictSame(chains(ask({ from: 'a', to: 'd' })), ['a -r> b -r> d', 'a -r> c <r- d', 'a <r- e <r- d'])
  t.strictSame(chains(ask({ from: 'd', to: 'a' })), ['d -r> c <r- a', 'd -r> e -r> a', 'd <r- b <r- a'])
  t.strictSame(chains(ask({ from: 'a', to: 'h' })), ['a <r- e -r> f -r> g -r> h'], 'four relations')
  t.strictSame(chains(ask({ from: 'a', to: 'i' })), [], 'five are too many')
  for (const depth of [1, 2, 3]) t.strictSame(chains(ask({ from: 'a', to: 'h', depth })), [], `${depth}`)
  t.strictSame(chains(ask({ from: 'a', to: 'e', depth: 1 })), ['a <r- e'])
  t.match(ask({ from: 'a', to: 'h' }).summary, { complete: true })
})

t.test('path: through the same entities once, by the relation that leads on', async t => {
  const ask = await over(
    'csv',
    `dog,is a,canine
canine,has kind,dog
canine,has kind,wolf
wolf,is a,canine`,
  )
  t.strictSame(chains(ask({ from: 'dog', to: 'wolf' })), ['dog -is a> canine -has kind> wolf'])
  t.strictSame(ask({ from: 'dog', to: 'wolf' }).said, ['dog | is a | canine', 'canine | has kind | wolf'])
})

t.test('a name that is also a part of another name of the same thing is its whole name', async t => {
  const builder = new DictionaryBuilder()
  builder.addName(0, 'Port (town)', ['port', 'town'])
  builder.addName(0, 'Port', ['port'])
  builder.addName(1, 'Port (wine)', ['port', 'wine'])
  const dictionary = await builder.build(new Pause())
  t.strictSame(meaningsOf(dictionary, 'port'), [
    { entity: 0, whole: true },
    { entity: 1, whole: false },
  ])
})

const banks = `@prefix e: <http://x/> . @prefix l: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix s: <http://www.w3.org/2004/02/skos/core#> .
e:bank1 l:label "bank" ; s:definition "Sloping land." ; e:borders e:river .
e:bank2 l:label "bank" ; s:definition "Holds money." ; e:owns e:vault ; e:owns e:safe ; e:located_in e:town .
e:shore l:label "shore" ; s:altLabel "bank", "river side" ; s:definition "Where land ends." .
e:river l:label "river" ; s:definition "Water that flows." .`

t.test('entity: a name of several meanings shows each, what it is first (GRAPH §4)', async t => {
  const ask = await over('turtle', banks)
  const bank = ask({ query: 'Bank?' })
  t.equal(bank.mode, 'entity')
  t.match(bank.summary, {
    kind: 'entities',
    entities: [
      { name: 'bank2', facts: 3 },
      { name: 'bank1', facts: 1 },
      { name: 'shore', facts: 0 },
    ],
  })
  t.strictSame(bank.texts, ['Holds money.', 'Sloping land.', 'Where land ends.'])
  const scores = [...bank.passages, ...bank.facts].map(({ score }) => score)
  t.strictSame(
    scores,
    scores.toSorted((a, b) => b - a),
    'passages before facts',
  )
  t.equal(bank.total, 7)
  t.match(ask({ query: 'bank (bank1)' }), { summary: { kind: 'entity', name: 'bank1' }, total: 2 })
  t.match(ask({ query: 'river side' }).summary, { name: 'shore' }, 'an alias is a name')
})

t.test('entity: of a note its text comes first, and last what only links, each once', async t => {
  const notes = ['Roses', 'Tulips', 'Soil', 'Water', 'Tools', 'Paths', 'Hedges', 'Compost']
  const garden = lines(
    entity('Garden', '', 'Behind the house.', 'Planted in May.', 'Watered daily.'),
    entity('Roses', '', 'Roses grow in the Garden.'),
    ...notes.map(to => relation('Garden', 'links to', to)),
    relation('Roses', 'links to', 'Garden'),
    relation('Garden', 'tagged', 'plants'),
  )
  const { rows, ask } = await askerOf(['jsonl', garden])
  const order = (limit: number, offset = 0) => {
    const { facts, passages, total } = ask({ query: 'garden', limit, offset })
    t.equal(total, 14)
    return [...facts, ...passages]
      .toSorted((a, b) => b.score - a.score)
      .map(found => ('sources' in found ? rows.fact(found.ref) : rows.passage(found.ref).text))
  }
  const all = order(50)
  t.strictSame(all.slice(0, 4), [
    'Behind the house.',
    'Garden | tagged | plants',
    'Planted in May.',
    'Watered daily.',
  ])
  t.ok(all.slice(4).every(said => said.includes('links to') || said === 'Roses grow in the Garden.'))
  t.ok(all.indexOf('Roses grow in the Garden.') === 7, 'what mentions it follows after three links')
  t.equal(new Set(all).size, 14)
  t.strictSame([...order(5), ...order(5, 5), ...order(5, 10)], all, 'pages go on where the one before ends')
})

t.test('entity: of several names each, by turns, each fact once; who is unknown is said', async t => {
  const ask = await over('turtle', banks)
  const two = ask({ entities: ['river', 'bank (bank1)', 'rivver'] })
  t.match(two.summary, { kind: 'entities', entities: [{ name: 'river' }, { name: 'bank1' }] })
  t.strictSame(two.unmatched, ['rivver'])
  t.strictSame(two.nearest.includes('river'), true)
  t.strictSame(two.said, ['bank1 | borders | river'], 'the fact that both have')
  t.strictSame(two.texts, ['Water that flows.', 'Sloping land.'])
  t.equal(two.total, 3)
  const pages = [0, 1, 2].map(offset => ask({ entities: ['river', 'bank (bank1)'], limit: 1, offset }))
  t.strictSame(
    pages.flatMap(page => [...page.texts, ...page.said]),
    [...two.texts, ...two.said],
  )
})

t.test('path and walk: of a name with several meanings the one that leads there', async t => {
  const ask = await over('turtle', banks)
  t.strictSame(chains(ask({ from: 'bank', to: 'river' })), ['bank1 -borders> river'])
  t.strictSame(ask({ from: 'bank', to: 'river' }).alsoMeant.toSorted(), ['bank2', 'shore'])
  const steps = [{ relation: 'borders', direction: 'out' as const }]
  t.strictSame(ask({ entities: ['bank'], steps }).entities, ['river'])
})

t.test('walk: directions, cycles, steps back, unknown relations and types', async t => {
  const ask = await over(
    'csv',
    `ann,knows,bo
bo,knows,cy
cy,knows,ann
ann,knows,ann
bo,works for,acme
cy,works for,acme`,
  )
  const to = (start: string, ...steps: [string, 'out' | 'in' | 'any'][]) =>
    ask({ entities: [start], steps: steps.map(([relation, direction]) => ({ relation, direction })) })
  const ends = (start: string, ...steps: [string, 'out' | 'in' | 'any'][]) =>
    to(start, ...steps).entities.toSorted()
  t.strictSame(ends('ann', ['knows', 'out']), ['ann', 'bo'])
  t.strictSame(ends('ann', ['knows', 'in']), ['ann', 'cy'])
  t.strictSame(ends('ann', ['knows', 'any']), ['ann', 'bo', 'cy'])
  t.strictSame(ends('bo', ['works', 'out']), ['acme'], 'words of a predicate are enough to find it')
  t.strictSame(ends('bo', ['works for', 'out'], ['works for', 'in']), ['bo', 'cy'], 'colleagues')
  t.strictSame(ends('bo', ['knows', 'out'], ['knows', 'out'], ['knows', 'out']), ['ann', 'bo'])
  t.match(to('bo', ['works for', 'in']), { total: 0, summary: { reached: 0 } })
  t.strictSame(to('bo', ['works for', 'out'], ['sleeps', 'out']).unknownRelation, {
    relation: 'sleeps',
    known: ['works for'],
  })
})

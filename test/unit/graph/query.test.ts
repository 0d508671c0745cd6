import t from 'tap'
import { entity, lines } from '../../jsonl.js'
import { askerOf } from './source.js'

/** Answers by a table of facts and a file of entities. */
async function over(csv: string, jsonl = '') {
  const { search } = await askerOf(['csv', csv], ['jsonl', jsonl])
  return (question: string, limit = 10, offset = 0) => {
    const { ranking, said: facts, texts: passages } = search(question, { limit, offset })
    return { ranking, facts, passages }
  }
}

const books = `subject,predicate,object
Ursula Vance,wrote,The Glass Tide
The Glass Tide,published by,Harbour Press
The Glass Tide,has genre,Novel
Tomas Ek,translated,The Glass Tide
Tomas Ek,lives in,Turku
Harbour Press,located in,Oslo
Ursula Vance,wrote,Nine Winters
Ursula Vance,born in,Bergen
dog,is a kind of,canine
poodle,is a kind of,dog
dog,has part,tail
canine,is a kind of,carnivore
Aurora,uses,Redis
Aurora,uses,Fastify
Aurora,owned by,Platform Team
Beacon,uses,Redis
`
const types = lines(entity('Redis', 'database'), entity('Fastify', 'framework'))

t.test('the fact that answers comes first (GRAPH §3)', async t => {
  const ask = await over(books, types)
  for (const [question, fact] of [
    ['Who wrote The Glass Tide?', 'Ursula Vance | wrote | The Glass Tide'],
    ['who is the author of the glass tide', 'Ursula Vance | wrote | The Glass Tide'],
    ['What did Ursula Vance write?', 'Ursula Vance | wrote | The Glass Tide'],
    ['Who translated Glass Tide?', 'Tomas Ek | translated | The Glass Tide'],
    ['Where does Tomas Ek live?', 'Tomas Ek | lives in | Turku'],
    ['What is a dog a kind of?', 'dog | is a kind of | canine'],
    ['What is a kind of dog?', 'poodle | is a kind of | dog'],
    ['Which database does Aurora use?', 'Aurora | uses | Redis'],
    ['Which framework does Aurora use?', 'Aurora | uses | Fastify'],
    ['Who owns Aurora?', 'Aurora | owned by | Platform Team'],
    ['Does Beacon use Redis?', 'Beacon | uses | Redis'],
  ] as const) {
    t.equal(ask(question).facts[0], fact, question)
  }
})

t.test('a question can need two steps', async t => {
  const ask = await over(books)
  const isFound = (question: string, fact: string) =>
    t.ok(ask(question).facts.slice(0, 3).includes(fact), fact)
  isFound('Where does the translator of The Glass Tide live?', 'Tomas Ek | lives in | Turku')
  isFound('Where is the publisher of The Glass Tide located?', 'Harbour Press | located in | Oslo')
})

t.test('a typo in a name still finds it (GRAPH §3, trigram fallback)', async t => {
  const ask = await over(books)
  for (const name of ['Ursual Vance', 'Ursula Vanse', 'ursulla vance']) {
    const { facts, ranking } = ask(`Where was ${name} born?`)
    t.equal(facts[0], 'Ursula Vance | born in | Bergen', name)
    t.strictSame(ranking.linked[0], { text: name, entity: 'ursula vance' })
  }
})

t.test('longest names link first, each word once, ambiguous names to every entity', async t => {
  const ask = await over(
    'New York,in,United States\nYork,in,England\n"Paris (Texas)",in,Texas\n"Paris (France)",in,France\nC,by,Ritchie\nC++,by,Stroustrup',
  )
  t.strictSame(
    ask('Where is New York?').ranking.linked.map(({ entity }) => entity),
    ['new york'],
  )
  t.strictSame(ask('Where is Paris?').ranking.linked, [
    { text: 'Paris', entity: 'paris (texas)' },
    { text: 'Paris', entity: 'paris (france)' },
  ])
  t.equal(ask('Who made C++?').facts[0], 'C++ | by | Stroustrup')
  t.equal(ask('Who made C?').facts[0], 'C | by | Ritchie')
})

t.test('aliases link, in any script', async t => {
  const { search } = await askerOf([
    'turtle',
    `@prefix e: <http://e/> . @prefix s: <http://www.w3.org/2004/02/skos/core#> .
     e:Q1490 s:prefLabel "Tokyo" ; s:altLabel "\u6771\u4eac", "Edo" ; e:capitalOf e:Japan .`,
  ])
  for (const name of ['Tokyo', '\u6771\u4eac', 'edo', 'Q1490'])
    t.equal(search(`${name}?`).linked[0]?.entity, 'q1490', name)
})

t.test('passages: by their words, and before others those about the entity', async t => {
  const boiler = entity('Boiler', 'x', 'Serviced every spring by the harbour crew.', 'Burns wood pellets.')
  const kitchen = entity('Kitchen', 'x', 'The boiler of the kitchen is small.', 'Painted green.')
  const ask = await over('', lines(boiler, kitchen))
  t.equal(ask('What does the boiler burn?').passages[0], 'Burns wood pellets.')
  t.equal(ask('pellets').passages[0], 'Burns wood pellets.')
  t.equal(ask('something painted').passages[0], 'Painted green.')
})

t.test('equal facts and passages of several imports are one, with every source (GRAPH §1)', async t => {
  const tea = entity('Ada', 'p', 'Likes tea.')
  const { search } = await askerOf(
    ['csv', 'Ada,worksFor,Acme\nAda,knows,Bo'],
    ['csv', 'ADA,works_for,acme\nBo,knows,Ada'],
    ...[tea, tea].map((text): [string, string] => ['jsonl', text]),
  )
  const { ranking } = search('Ada')
  t.equal(ranking.facts.length, 3)
  t.equal(ranking.passages.length, 1)
  t.equal(ranking.total, 4)
  const both = ranking.facts.find(({ sources }) => sources.length > 1)
  t.match(both?.sources, [{ importId: 1 }, { importId: 2 }])
  t.strictSame(both?.ref, both?.sources[0])
})

t.test('an empty answer names what matched nothing and what came near (graphiti#838)', async t => {
  const { ranking } = (await over(books))('zzyzx quux')
  t.match(ranking, {
    facts: { length: 0 },
    passages: { length: 0 },
    total: 0,
    linked: { length: 0 },
    unmatched: ['zzyzx', 'quux'],
  })
  t.strictSame((await over(books))('Who is Bergan?').ranking.nearest, ['bergen'])
  t.match((await over(''))('anything at all').ranking, {
    total: 0,
    unmatched: ['anything'],
    nearest: { length: 0 },
  })
})

t.test('pages follow without gap or repeat, and the same question has the same answer', async t => {
  const lines = Array.from({ length: 40 }, (_, i) => `Hub,links to,Thing ${i}`).join('\n')
  const observations = Array.from({ length: 20 }, (_, i) => `Hub was seen on day ${i}.`)
  const hub = entity('Hub', 'x', ...observations)
  const ask = await over(lines, hub)
  const whole = ask('Hub', 50)
  t.equal(whole.ranking.total, 60)
  const facts: string[] = []
  const passages: string[] = []
  for (let offset = 0; offset < 50; offset += 7) {
    const page = ask('Hub', Math.min(7, 50 - offset), offset)
    facts.push(...page.facts)
    passages.push(...page.passages)
  }
  t.strictSame({ facts, passages }, { facts: whole.facts, passages: whole.passages })
  t.ok(passages.length > 5 && facts.length > 5, 'both kinds are in it')
  t.strictSame(ask('Hub', 50).ranking, whole.ranking)
  t.strictSame(ask('Hub', 10, 1_000).ranking.facts, [])
})

t.test('questions of every kind of text are answered without a fault', async t => {
  const ask = await over(books, types)
  const short = ['', '   ', '?!', '\ud800', '__proto__ constructor', 'the who is a', '\u{1f680}\u202e\u0301']
  const long = ['('.repeat(2_000), 'a '.repeat(1_000), 'Redis '.repeat(300), '<script>"\'\\']
  for (const question of [...short, ...long])
    t.ok(Array.isArray(ask(question).ranking.facts), question.slice(0, 20))
})

const notes = (...texts: string[]) => texts.map((text, i) => entity(`Note ${i}`, 'note', text))

t.test('GRAPH §3 what hardly anything led to is not in the answer or its total', async t => {
  const common = Array.from(
    { length: 120 },
    (_, i) => `The boat log of day ${i} says: rain, fog, wind and rain again.`,
  )
  const ask = await over('', [...notes('Zebedee Quill repaired the boat.', ...common)].join('\n'))
  const { ranking, passages } = ask('What about Zebedee Quill and the boat?', 50)
  t.equal(passages[0], 'Zebedee Quill repaired the boat.')
  const [best] = ranking.passages
  t.ok(ranking.passages.every(({ score }) => score >= 0.004 * (best?.score ?? 0)))
  const whole = [...ranking.facts, ...ranking.passages].length
  t.equal(whole, Math.min(50, ranking.total))
})

t.test('GRAPH §3 words that are a small part of a name are not recognised beside a whole one', async t => {
  const csv = 'Ursula Vance,wrote,The Glass Tide\n"The Life of a Director of Ships",by,Tomas Ek\n'
  const ask = await over(csv)
  const linked = (question: string) => ask(question).ranking.linked.map(({ entity }) => entity)
  t.strictSame(linked('Which director knows Ursula Vance?'), ['ursula vance'])
  t.strictSame(linked('a director'), ['the life of a director of ships'], 'alone it counts')
})

t.test('GRAPH §3 what belongs to something that the question names before comes first', async t => {
  const ask = await over(
    lines(
      'subject,predicate,object',
      'Call the baker,in database,Tasks',
      'Call the baker,project,Big garden party in Oslo',
      'Paint the fence,in database,Tasks',
      'Paint the fence,project,New house',
      'Ada,likes,Big garden party in Oslo',
      'Thin crust,disjoint with,Deep crust',
      'Thin crust,kind of,Named crust',
      'Named crust,kind of,Crust',
      'Thin crust,holds,Ham on top',
      'Deep crust,holds,Cheese',
      'Cheese,kind of,Food',
    ),
  )
  const first = (question: string) => ask(question).facts.slice(0, 1)
  const answer = ['Call the baker | project | Big garden party in Oslo']
  t.strictSame(first('Which tasks belong to the garden party?'), answer)
  t.strictSame(first('Which crust has ham?'), ['Thin crust | holds | Ham on top'], 'a kind of a kind')
})

t.test('GRAPH §3 a part of a name is recognised where another name identifies the thing', async t => {
  const { search } = await askerOf([
    'turtle',
    '<https://a.example/c17> <http://www.w3.org/2000/01/rdf-schema#label> "Alcools Chevalier" .',
  ])
  t.strictSame(
    search('What do we know about Chevalier?').ranking.linked.map(({ entity }) => entity),
    ['c17'],
  )
})

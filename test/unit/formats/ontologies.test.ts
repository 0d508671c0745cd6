import t from 'tap'
import { identify } from '../../../engine/formats/identify.js'
import { chunks, problems, read, shown } from './read.js'

const PREFIXES =
  '@prefix : <https://a.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n'
const turtle = async (body: string) => shown(await read('turtle', chunks(PREFIXES + body, 999)))
const some = (value: string) =>
  `[ a owl:Restriction ; owl:onProperty :topping ; owl:someValuesFrom ${value} ]`

t.test('OWL: what a class without a name says is said of the class that refers to it', async t => {
  for (const [body, facts] of [
    [`:American rdfs:subClassOf :Pizza, ${some(':Tomato')} .`, ['subClassOf → Pizza', 'topping → Tomato']],
    [
      `:American owl:equivalentClass [ owl:intersectionOf ( :Pizza ${some('[ owl:unionOf ( :Ham :Egg ) ]')} ) ] .`,
      ['subClassOf → Pizza', 'topping → Ham', 'topping → Egg'],
    ],
    [
      ':American rdfs:subClassOf [ owl:onProperty :topping ; owl:allValuesFrom :Tomato ] .',
      ['topping only → Tomato'],
    ],
    [':American owl:equivalentClass [ owl:oneOf ( :One :Two ) ] .', ['oneOf → One', 'oneOf → Two']],
    [':American rdfs:domain [ owl:unionOf ( :Pizza :Pie ) ] .', ['domain → Pizza', 'domain → Pie']],
    [':American rdfs:subClassOf [ owl:complementOf :Pie ; a owl:Class ] .', []],
    [':American :slices ( "one" :Two ) .', ['slices → one', 'slices → Two']],
    ['[] a owl:AllDisjointClasses ; owl:members ( :American :Pie ) .', []],
  ] as const)
    t.strictSame(
      await turtle(body),
      facts.map(fact => `American — ${fact}`),
      body,
    )
})

t.test('other blank nodes are things, wherever they are described', async t => {
  t.strictSame(
    (await turtle(':a :knows _:b . :a :is :c . _:b :is :d . :e :knows _:b .')).map(line =>
      line.replace(/n3-\d+_|b\d+_/g, ''),
    ),
    ['a — is → c', '_:b — is → d', 'e — knows → _:b', 'a — knows → _:b'],
  )
})

t.test('nodes that refer to each other without bounds are read within bounds', async t => {
  const layers = Array.from({ length: 30 }, (_, at) => {
    const next = `_:n${at + 1}`
    return `_:n${at} owl:unionOf _:l${at} . _:l${at} <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> ${next} ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> _:m${at} . _:m${at} <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> ${next} ; <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> <http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> .`
  })
  const circle = '_:x owl:intersectionOf _:x ; owl:onProperty :p ; owl:someValuesFrom _:x . :a :is _:x .'
  const found = await turtle(`${layers.join('\n')} :a :is _:n0 . ${circle}`)
  t.ok(found.length < 100, `${found.length}`)
})

t.test('ontologies in another form than their name says are read, or refused with what to do', async t => {
  for (const name of ['a.owl', 'a.rdf'])
    t.match(identify(name, Buffer.from(`${PREFIXES}:a :is :b .`)), { format: { id: 'turtle' } }, name)
  const owlXml =
    '<?xml version="1.0"?><Ontology xmlns="http://www.w3.org/2002/07/owl#"><Declaration><Class IRI="#a"/></Declaration></Ontology>'
  for (const content of [owlXml, 'Prefix(:=<https://a.example/>)\nOntology(<https://a.example/>)'])
    t.match(problems(await read('rdfxml', chunks(content, 999))), [[1, /save it as RDF\/XML or Turtle/]])
})

t.test(
  'labels: one in English or in no language is the name, several words in one are known apart',
  async t => {
    const label = (text: string) => turtle(`:HamTopping rdfs:label ${text} .`)
    t.strictSame(await label('"CoberturaDePresunto"@pt, "Ham"@en-GB'), [
      'HamTopping is Ham',
      'HamTopping is CoberturaDePresunto',
      'HamTopping alias Cobertura De Presunto',
      'HamTopping alias Ham Topping',
    ])
    t.strictSame(await label('"Schinken"@de, "Jambon"@fr'), [
      'HamTopping is Schinken',
      'HamTopping is Jambon',
      'HamTopping alias Ham Topping',
    ])
    t.strictSame(await label('"Ham topping"'), ['HamTopping is Ham topping'])
    t.strictSame(await turtle(':XMLSchemaFile a owl:Class . :OWL a owl:Class .'), [
      'XMLSchemaFile is XMLSchemaFile (Class)',
      'XMLSchemaFile alias XML Schema File',
      'OWL is OWL (Class)',
    ])
    const dated = ':s rdf:subject :HamTopping ; rdf:predicate rdfs:label ; rdf:object "Ham" .'
    const rdf = '@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .'
    t.strictSame(await turtle(rdf + dated), ['HamTopping is Ham', 'HamTopping alias Ham Topping'])
    const many = Array.from({ length: 1_002 }, (_, at) => `"Name ${at}"@de`).join(', ')
    t.equal((await label(many)).length, 1_003)
  },
)

import t from 'tap'
import { badLines, chunks, problems, read, shown, text } from './read.js'

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const rdf = (body: string, doctype = '') =>
  `<?xml version="1.0"?>\n${doctype}<rdf:RDF xmlns:rdf="${RDF}" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:s="https://schema.org/">\n${body}\n</rdf:RDF>`

t.test('RDF: IRIs that differ in case or namespace are different things (RFC 3987 §5.3.1)', async t => {
  const turtle = `@prefix s: <https://schema.org/> . @prefix o: <http://other.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    s:Recipe rdfs:label "Recipe" ; rdfs:comment "How to cook." . s:recipe rdfs:label "recipe" ; s:domain s:Recipe .
    o:Recipe s:same s:recipe . <http://schema.org/Recipe> s:is s:Recipe .`
  const prefix = 'https://schema.org/'
  t.strictSame(shown(await text('turtle', turtle)), [
    'Recipe is Recipe',
    'Recipe: How to cook.',
    `${prefix}recipe is recipe`,
    `${prefix}recipe — domain → Recipe`,
    `http://other.example/%52ecipe — same → ${prefix}recipe`,
    'Recipe — is → Recipe',
    'http://other.example/%52ecipe is Recipe',
  ])
})

t.test('RDF/XML: as Turtle, with the entities of its DTD (RDF 1.1 XML Syntax; OWL files)', async t => {
  const parsed = await text(
    'rdfxml',
    rdf(
      '<rdf:Description rdf:about="&s;Cake"><rdfs:label>Cake</rdfs:label><rdf:type rdf:resource="&s;Food"/>\n<s:madeBy rdf:resource="https://a.example/Ada"/></rdf:Description>',
      '<!DOCTYPE rdf:RDF [<!ENTITY s "https://schema.org/">]>\n',
    ),
  )
  t.strictSame(shown(parsed), ['Cake is Cake', 'Cake is Cake (Food)', 'Cake — madeBy → Ada'])
})

t.test('RDF/XML made to harm loads nothing, expands nothing, and errors have their line', async t => {
  const laughs = Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join(
    '',
  )
  const label = (value: string) =>
    `<rdf:Description rdf:about="https://a.example/x"><rdfs:label>${value}</rdfs:label></rdf:Description>`
  const laughing = await text(
    'rdfxml',
    rdf(label('&a20;'), `<!DOCTYPE rdf:RDF [<!ENTITY a0 "ha">${laughs}]>`),
  )
  t.ok(JSON.stringify(laughing).length < 1_000)
  const outside = await text(
    'rdfxml',
    rdf(label('&f;'), '<!DOCTYPE rdf:RDF [<!ENTITY f SYSTEM "file:///etc/passwd">]>'),
  )
  t.notMatch(JSON.stringify(outside), /root:/)
  t.strictSame(badLines(await text('rdfxml', rdf(`${label('a')}\n<rdf:Description>\n</rdf:Nothing>`))), [5])
  const long = await read('rdfxml', chunks(rdf(label('x'.repeat(1_100_000))), 65_536))
  t.match(problems(long), [[3, /longer than 1 MiB/]])
  t.strictSame(shown(await text('rdfxml', '')), [])
})

const label = { '@id': 'http://www.w3.org/2000/01/rdf-schema#label' }
const context = { '@vocab': 'https://a.example/', label, knows: { '@type': '@id' }, id: '@id', type: '@type' }
const jsonld = (document: unknown) => text('jsonld', JSON.stringify(document, null, 1))

t.test('JSON-LD: a thing, list or graph, its context anywhere in it (JSON-LD 1.1)', async t => {
  const ada = { label: 'Ada', knows: 'https://a.example/Bob', id: 'https://a.example/Ada', type: 'Person' }
  const bob = { '@id': 'https://a.example/Bob', label: 'Bob "[{"', height: 1.75, born: 1800 }
  const expected = ['Ada is Ada (Person)', 'Ada is Ada', 'Ada — knows → Bob']
  const both = [...expected, 'Bob is Bob "[{"', 'Bob — height → 1.75', 'Bob — born → 1800']
  const documents: [unknown, string[]][] = [
    [{ '@context': context, ...ada }, expected],
    [{ ...ada, '@context': context }, expected],
    [
      [
        { '@context': context, ...ada },
        { '@context': context, ...bob },
      ],
      both,
    ],
    [{ '@context': context, '@graph': [ada, bob] }, both],
    [{ '@graph': [ada, bob], '@context': context }, both],
    [{ '@context': context, '@graph': ada }, expected],
    [{ '@context': context, '@graph': [], ...ada }, expected],
    [{ '@context': [context, { '@language': 'en' }], '@graph': [ada] }, expected],
    [{ '@context': context, '@graph': [{ ...bob, knows: ada }] }, [...both, 'Bob — knows → Ada']],
  ]
  for (const [document, lines] of documents) {
    t.strictSame(shown(await jsonld(document)).sort(), lines.toSorted(), JSON.stringify(document))
  }
})

t.test('JSON-LD: common contexts are known, others refused by name, and none is fetched', async t => {
  const recipe = {
    '@context': 'https://schema.org/',
    '@type': 'Recipe',
    '@id': 'https://a.example/Cake',
    name: 'Cake',
  }
  t.strictSame(shown(await jsonld(recipe)), ['Cake is Cake', 'Cake is Cake (Recipe)'])
  const note = { id: 'https://a.example/1', name: 'A note', attributedTo: 'https://a.example/Ada' }
  const social = { '@context': ['https://www.w3.org/ns/activitystreams', context], ...note }
  t.strictSame(shown(await jsonld(social)), ['1 — name → A note', '1 — attributedTo → Ada'])
  const number = { '@type': 'http://www.w3.org/2001/XMLSchema#integer', '@value': 1 }
  t.strictSame(shown(await jsonld([{ '@id': 'http://e.org/a', 'http://e.org/step': number }])), [
    'a — step → 1',
  ])
  const elsewhere = 'https://a.example/context.jsonld'
  for (const unknown of [
    elsewhere,
    [context, elsewhere],
    { '@import': elsewhere },
    { a: { '@id': 'https://a.example/a', '@context': elsewhere } },
  ]) {
    const refused = [[/^The context https:\/\/a\.example\/context\.jsonld is not known here/]]
    const parts = [
      { '@context': unknown, ...note },
      { '@context': context, '@graph': [{ '@context': unknown, ...note }] },
      { '@graph': [note], '@context': unknown },
    ]
    for (const part of parts) {
      const parsed = await jsonld(part)
      t.match(
        problems(parsed).map(([, problem]) => [problem]),
        refused,
      )
      t.strictSame(shown(parsed), [])
    }
  }
})

t.test('JSON-LD made to harm: bounded, and errors have their line', async t => {
  const wide = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, i) => [`t${i}`, `https://a.example/t${i}`]),
  )
  const cases: [string, RegExp][] = [
    [`{"@context":{},"a":${'['.repeat(300)}${']'.repeat(300)}}`, /nested more than 200/],
    [`{"@context":{},"@graph":[${'{"@graph":['.repeat(300)}${']}'.repeat(300)}]}`, /nested more than 200/],
    [`[{"a":"${'x'.repeat(4_200_000)}"}]`, /larger than 4 MiB/],
    [JSON.stringify({ '@context': wide, '@graph': Array(250).fill({ '@context': {}, a: 1 }) }), /too large/],
    [
      JSON.stringify({ '@graph': Array(3).fill({ a: 'x'.repeat(3_000_000) }), '@context': {} }),
      /more than 8 MiB/,
    ],
    ['{"@context":{"@vocab":"https://a.example/"},\n"@graph":[\n{"name":tru}]}', /JSON/],
    ['{"@context":{"a":{"@id":"b","@container":"@nothing"}},"a":1}', /container/i],
    ['{"@context":', /ends before|JSON/],
    ['<rdf>', /not a list/],
  ]
  for (const [content, problem] of cases) {
    const parsed = await read('jsonld', chunks(content, 65_536))
    t.match(problems(parsed)[0]?.[1], problem, content.slice(0, 60))
  }
  t.strictSame(badLines(await text('jsonld', '{"@context":{},\n"@graph":[\n{"a":tru}]}')), [3])
  const odd = {
    '@context': { '@vocab': 'https://a.example/' },
    '@id': 'https://a.example/x',
    constructor: 'a',
    toString: 'b',
  }
  const proto = JSON.stringify(odd).replace('"toString"', '"__proto__":{"y":1},"toString"')
  t.strictSame(shown(await text('jsonld', proto)), ['x — constructor → a', 'x — toString → b'])
  t.equal(Reflect.get({}, 'y'), undefined)
})

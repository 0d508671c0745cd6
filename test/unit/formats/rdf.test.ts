import t from 'tap'
import { badLines, problems, shown, text } from './read.js'

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const rdf = (body: string, doctype = '') =>
  `<?xml version="1.0"?>\n${doctype}<rdf:RDF xmlns:rdf="${RDF}" xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:s="https://schema.org/">\n${body}\n</rdf:RDF>`

t.test(
  'RDF: IRIs that differ in case, or by more than their local part, are different things (RFC 3987 §5.3.1)',
  async t => {
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
  },
)

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

t.test(
  'RDF/XML made to harm: nothing is loaded or expanded without end, and errors have their line',
  async t => {
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
    t.match(problems(await text('rdfxml', rdf(label('x'.repeat(1_100_000))))), [[3, /longer than 1 MiB/]])
    t.strictSame(shown(await text('rdfxml', '')), [])
  },
)

import t from 'tap'
import type { Parsed } from '../../../engine/graph/model.js'
import { problems, records, text } from './read.js'

const dated = (parsed: Parsed[]) =>
  records(parsed).flatMap(record =>
    record.kind === 'relation'
      ? [[record.object, record.validFrom ?? null, record.validTo ?? null, record.learnedOn ?? null]]
      : [],
  )

const line = (object: string, dates: object) =>
  JSON.stringify({ type: 'relation', from: 'Ada', to: object, relationType: 'works for', ...dates })

t.test('JSONL: relations have dates', async t => {
  const lines = [
    line('Acme', { validFrom: '2019', validTo: '2021-05', learnedOn: '2024-01-31T10:00:00+01:00' }),
    line('Bell', { validFrom: '2021-06-01T00:00:00Z', validTo: null }),
    line('Core', { validFrom: '' }),
  ]
  t.strictSame(dated(await text('jsonl', lines.join('\n'))), [
    ['Acme', '2019', '2021-05', '2024-01-31T10:00:00+01:00'],
    ['Bell', '2021-06-01', null, null],
    ['Core', null, null, null],
  ])
})

t.test('a bad date is reported with its line and what was meant', async t => {
  const lines = [
    line('Acme', { validFrom: 'May 2019' }),
    line('Bell', { validTo: 2019 }),
    line('Core', { validFrom: '2021', validTo: '2020-12' }),
    line('Dock', { learnedOn: '2021-02-30\ud800' }),
  ]
  t.strictSame(problems(await text('jsonl', lines.join('\n'))), [
    [1, 'The beginning is not a date like 2019, 2019-05, 2019-05-01 or 2019-05-01T09:30:00Z: “May 2019”.'],
    [2, '"validTo" is missing or not a text.'],
    [3, 'The fact ends (2020-12) before it begins (2021).'],
    [
      4,
      'The day it was learned on is not a date like 2019, 2019-05, 2019-05-01 or 2019-05-01T09:30:00Z: “2021-02-30\ufffd”.',
    ],
  ])
})

t.test('CSV: columns with dates, in any spelling and order', async t => {
  for (const header of [
    'subject,valid_from,predicate,object,valid to,LearnedOn',
    'from,start date,relation,to,endTime,learned-on',
  ])
    t.strictSame(
      dated(await text('csv', `${header}\nAda,2019,works for,Acme,2021,2024-01-31\nAda,,knows,Bo,,\n`)),
      [
        ['Acme', '2019', '2021', '2024-01-31'],
        ['Bo', null, null, null],
      ],
    )
  t.strictSame(problems(await text('csv', 'subject,predicate,object,valid_from\nAda,knows,Bo,soon\n')), [
    [2, 'The beginning is not a date like 2019, 2019-05, 2019-05-01 or 2019-05-01T09:30:00Z: “soon”.'],
  ])
})

t.test('CSV: an export of an earlier version, without dates, is still read', async t => {
  const header = 'kind,subject,predicate,object,type,title,text,source,seq,time,subject_key,object_key'
  const old = `${header}\r\nrelation,Ada,knows,Bo,,,,,,,,\r\n`
  t.strictSame(dated(await text('csv', old)), [['Bo', null, null, null]])
})

const prefixes = '@prefix : <http://x/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .'

t.test('Turtle: statements about facts give their dates (RDF 1.2, RDF-star)', async t => {
  const turtle = [
    prefixes,
    '<< :Ada :worksFor :Acme >> :since "2019" ; :until "2021-05" ; :certainty 0.9 .',
    ':Ada :worksFor :Bell {| :startDate "2021-06-01"^^<http://www.w3.org/2001/XMLSchema#date> |} , :Core .',
    '_:s a rdf:Statement ; rdf:subject :Ada ; rdf:predicate :worksFor ; rdf:object :Dock ; :endTime "2018" .',
    ':Ada :knows :Bo .',
  ]
  t.strictSame(dated(await text('turtle', turtle.join('\n'))), [
    ['Acme', '2019', '2021-05', null],
    ['Bell', null, null, null],
    ['Bell', '2021-06-01', null, null],
    ['Core', null, null, null],
    ['Dock', null, '2018', null],
    ['Bo', null, null, null],
  ])
  t.strictSame(
    records(await text('turtle', turtle.join('\n'))).filter(({ kind }) => kind !== 'relation'),
    [],
    'the node of a statement is no entity',
  )
})

t.test('RDF: a statement about a fact that is incomplete, or has a bad date, is a bad line', async t => {
  const turtle = [
    prefixes,
    '_:a rdf:subject :Ada ; :since "2019" .',
    '<< :Ada :worksFor :Acme >> :since "soon" .',
  ]
  t.strictSame(problems(await text('turtle', turtle.join('\n'))), [
    [2, 'This statement about a fact does not name its subject, predicate and object.'],
    [3, 'The beginning is not a date like 2019, 2019-05, 2019-05-01 or 2019-05-01T09:30:00Z: “soon”.'],
  ])
  const nt = '_:r <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( <x:a> <x:b> <x:c> )>> .\n'
  t.strictSame(dated(await text('ntriples', `${nt}_:r <x:since> "2019" .`)), [['x:c', '2019', null, null]])
})

t.test('Wikidata: qualifiers give the dates of a statement', async t => {
  const statement = 'http://www.wikidata.org/entity/statement/'
  const date = (text: string) => `"${text}"^^<http://www.w3.org/2001/XMLSchema#dateTime>`
  const turtle = `
    @prefix wd: <http://www.wikidata.org/entity/> . @prefix p: <http://www.wikidata.org/prop/> .
    @prefix ps: <http://www.wikidata.org/prop/statement/> . @prefix pq: <http://www.wikidata.org/prop/qualifier/> .
    @prefix wdt: <http://www.wikidata.org/prop/direct/> . @prefix s: <${statement}> .
    @prefix wikibase: <http://wikiba.se/ontology#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    wd:Q42 rdfs:label "Douglas Adams" ; wdt:P69 wd:Q691283 ; p:P69 s:Q42-0E9C4724-C954 , s:q42-1111-2222 , s:Q42-3 .
    s:Q42-0E9C4724-C954 a wikibase:Statement, wikibase:BestRank ; wikibase:rank wikibase:NormalRank ;
      ps:P69 wd:Q691283 ; pq:P580 ${date('1971-01-01T00:00:00Z')} ; pq:P582 ${date('1974-01-01T00:00:00Z')} ;
      pq:P812 wd:Q186579 .
    s:q42-1111-2222 a wikibase:Statement ; wikibase:rank wikibase:DeprecatedRank ; ps:P69 wd:Q1 .
    s:Q42-3 a wikibase:Statement ; wikibase:rank wikibase:NormalRank ; ps:P69 wd:Q2 ; pq:P585 ${date('1959-00-00')} .
  `
  const parsed = await text('turtle', turtle)
  t.strictSame(problems(parsed), [])
  t.strictSame(dated(parsed), [
    ['Q691283', null, null, null],
    ['Q691283', '1971-01-01', '1974-01-01', null],
    ['Q2', '1959', '1959', null],
  ])
  t.ok(records(parsed).every(record => record.kind !== 'relation' || record.subject === 'Q42'))
})

const note = (content: string) => text('markdown', content, { path: 'Ada.md' })

t.test('Markdown: dates in brackets behind the value of a property', async t => {
  const content = `---
lives in: "[[Oslo]] (since 2020-05)"
roles:
  - "[[Keeper]] (2015 – 2018-06)"
  - Painter (until 2014; learned on 2024-01-31)
type: "[[Person]] (2019 – )"
---
works for:: [[Acme]] (2015-01-01 to 2018), [[Bell]](2018-)
knows:: [[Bo|Bob]] (a friend), [[Cy]] (..2021)
hometown:: Rome (1987 – 2005)
studied at:: [[MIT]] (2005/2010) and [[ETH]] (2010 - now)
`
  t.strictSame(dated(await note(content)), [
    ['Oslo', '2020-05', null, null],
    ['Keeper', '2015', '2018-06', null],
    ['Painter', null, '2014', '2024-01-31'],
    ['Acme', '2015-01-01', '2018', null],
    ['Bell', '2018', null, null],
    ['Bo', null, null, null],
    ['Cy', null, '2021', null],
    ['Rome', '1987', '2005', null],
    ['MIT', '2005', '2010', null],
    ['ETH', '2010', null, null],
  ])
  t.match(records(await note(content)), [{ kind: 'entity' }])
  t.ok(records(await note(content)).some(record => record.kind === 'entity' && record.type === 'Person'))
})

t.test('Markdown: brackets that are no dates stay part of the value, and nothing is refused', async t => {
  const values = [
    'Blade Runner (1982)',
    'Ada (2021 – 2019)',
    'Ada (2019-13 – 2020)',
    'Ada (since May)',
    'Ada (2019 – 2020, in Rome)',
    'Ada (2019 – 20210',
    'A 2019 – 20210',
    'Ada ()',
    '(2019 – 2020)',
    `Ada (${'2019 – 2020,'.repeat(10)}2019 – 2020)`,
  ]
  const short = values.filter(value => value.length <= 80)
  const parsed = await note(values.map(value => `film:: ${value}`).join('\n'))
  t.strictSame(problems(parsed), [])
  t.strictSame(
    dated(parsed),
    short.map(value => [value, null, null, null]),
  )
})

t.test('RDF 1.2: a fact as the object of another statement is left out, and the report says so', async t => {
  const remarks: [number, string][] = []
  const remark = (line: number, sentence: string) => void remarks.push([line, sentence])
  const turtle = [prefixes, ':Ada :says <<( :Bo :is :Bad )>> .', ':Ada :knows :Bo .'].join('\n')
  const parsed = await text('turtle', turtle, { path: 'a.ttl', remark })
  t.strictSame(problems(parsed), [])
  t.strictSame(dated(parsed), [['Bo', null, null, null]])
  t.match(remarks, [[2, /left out\.$/]])
})

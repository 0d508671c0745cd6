import type { EventEmitter } from 'node:events'
import { Parser } from 'n3'
import t from 'tap'
import { NoteNames } from '../../../engine/formats/notes/note-names.js'
import { partsOf } from '../../../engine/formats/notes/text.js'
import { turtle } from '../../../engine/formats/rdf/n3-formats.js'
import { badLines, chunks, linesOf, passages, read, records, shown, text } from './read.js'

t.test('RDF: a blank node is another one in every file (RDF 1.1 §3.4)', async t => {
  for (const [format, line] of [
    ['ntriples', '_:x <http://e/p> _:x .'],
    ['turtle', '_:x <http://e/p> _:x .'],
  ] as const) {
    const [one] = shown(await text(format, line, { path: 'a', scope: 'one' }))
    const [two] = shown(await text(format, line, { path: 'a', scope: 'two' }))
    t.strictSame([one, two], ['_:x-one — p → _:x-one', '_:x-two — p → _:x-two'], format)
  }
})

t.test('Turtle: more than a megabyte of prefixes is read', async t => {
  const prefixes = Array.from({ length: 30_000 }, (_, i) => `@prefix p${i}: <http://example.org/${i}/> .\n`)
  const parsed = await read(
    'turtle',
    (async function* () {
      yield Buffer.from(`${prefixes.join('')}p1:a p2:b p3:c .`)
    })(),
  )
  t.strictSame(shown(parsed), ['a — b → c'])
})

t.test('CSV: headers of Neo4j are names of columns like any other', async t => {
  const nodes = 'movieId:ID,title,:LABEL\ntt1,The Matrix,Movie\ntt2,Alien,Movie'
  t.strictSame(shown(await text('csv', nodes)), [
    'movie id tt1 is The Matrix (movie id)',
    'movie id tt1 alias tt1',
    'movie id tt1 alias movie id tt1',
    'movie id tt1 — label → Movie',
    'The Matrix: movie id id: tt1',
    'movie id tt2 is Alien (movie id)',
    'movie id tt2 alias tt2',
    'movie id tt2 alias movie id tt2',
    'movie id tt2 — label → Movie',
    'Alien: movie id id: tt2',
  ])
  const relations = ':START_ID,role,:END_ID,:TYPE\nkeanu,Neo,tt1,ACTED_IN'
  t.strictSame(shown(await text('csv', relations)), [
    'start keanu is Neo (start)',
    'start keanu alias keanu',
    'start keanu alias start keanu',
    'start keanu — end → end tt1',
    'start keanu — type → ACTED_IN',
    'Neo: start id: keanu',
  ])
})

t.test('Markdown: a day that no calendar has is no time', async t => {
  const times = async (date: string) =>
    records(await text('markdown', `---\ndate: ${date}\n---\nText.`)).flatMap(record =>
      record.kind === 'passage' ? [record.time] : [],
    )
  t.strictSame(await times('2024-02-29'), [Date.UTC(2024, 1, 29)])
  for (const date of ['2023-02-29', '2024-02-30', '2024-04-31', '2024-13-01'])
    t.strictSame(await times(date), [undefined], date)
})

t.test('Markdown: notes of the same name go by their paths, and links find them', async t => {
  const names = new NoteNames(['a/README.md', 'b/README.md', 'Ada.md', 'project___alpha.md'])
  t.equal(names.ofFile('a/README.md'), 'a/README')
  t.equal(names.ofLink('a/README'), 'a/README')
  t.equal(names.ofFile('Ada.md'), 'Ada')
  t.equal(names.ofLink('ada'), 'Ada')
  t.equal(names.ofFile('project___alpha.md'), 'project/alpha')
  t.equal(names.ofLink('project/alpha'), 'project/alpha')
  t.equal(names.ofLink('Nowhere v1.5'), 'Nowhere v1.5')
})

t.test('Markdown: a line of the front matter that is no property is text, and said once', async t => {
  const content =
    '---\ngood: yes\nnot a [[Property]]\n- nor this\nquoted: "never closed\nlist:\n  - [a, b\n---\nText.'
  const { parsed, remarks } = await remarked(content)
  t.strictSame(badLines(parsed), [])
  t.match(remarks, [[3, /line of the front matter is not “name: value”/]])
  t.match(records(parsed).at(-1), {
    kind: 'passage',
    text: 'Text.\n\ngood: yes\nnot a [[Property]]\n- nor this',
  })
  t.ok(shown(parsed).includes('note — links to → Property'))
  const long = `---\na: b\nlong: ${'word '.repeat(1_000)}\n---\nText.`
  const said = await remarked(long)
  t.match(said.remarks, [[3, /is not “name: value”/]])
  t.match(passages(said.parsed), [{ text: /^long: word/ }, { text: /Text\.$/ }])
})

t.test('Markdown: front matter in TOML', async t => {
  const content =
    '+++\ntitle = "Harbour"\ndate = 2024-01-31\nup = "[[Coast]]"\ndraft = true\n[taxonomies]\ntags = [\n  "boats",\n  "a, b",\n]\n[extra]\nauthor = \'Ada\'\n[owner]\nname = "Bo"\n+++\nText.'
  const { parsed, remarks } = await remarked(content)
  t.strictSame([badLines(parsed), remarks], [[], []])
  t.strictSame(
    shown(parsed).filter(line => / → | alias /.test(line)),
    [
      'note alias note',
      'note alias Harbour',
      'note — up → Coast',
      'note — tagged → boats',
      'note — tagged → a',
      'note — tagged → b',
      'note — author → Ada',
      'note — owner name → Bo',
    ],
  )
  t.match(records(parsed).at(-1), { time: Date.UTC(2024, 0, 31), text: 'Text.\n\ndate: 2024-01-31' })
  const odd = await remarked('+++\na = """\nMore\n"""\nb = 1\n+++\nText.')
  t.match(odd.remarks, [[2, /is not/]])
  t.match(passages(odd.parsed), [{ text: /^Text\.\n\na = """\nMore\n"""\nb: 1$/ }])
})

const ENDLESS: Record<string, string> = {
  'has no end': '---\na: [[B]]\nnot a property',
  'has too many lines': `---\na: [[B]]\n${'c: d\n'.repeat(2_100)}\n---\nText.`,
  'has too many characters': `---\na: [[B]]\n${`c: ${'d'.repeat(3_000)}\n`.repeat(70)}\n---\nText.`,
}

for (const [name, content] of Object.entries(ENDLESS))
  t.test(`Markdown: front matter that ${name} is text, every line of it`, async t => {
    const { parsed, remarks } = await remarked(content)
    t.strictSame(badLines(parsed), [])
    t.match(remarks, [[1, /never ends/]])
    t.ok(shown(parsed).includes('note — a → B'))
    const read = passages(parsed)
      .map(({ text }) => text)
      .join('\n')
    t.equal(read.match(/\w+/g)?.length, content.match(/\w+/g)?.length)
  })

t.test('Markdown: a paragraph between two rules at the top is text', async t => {
  const { parsed, remarks } = await remarked('---\nA [[Poem]]\n---\nText.')
  t.strictSame(remarks, [])
  t.match(passages(parsed), [{ title: 'note > A Poem', text: 'Text.' }])
  t.ok(shown(parsed).includes('note — links to → Poem'))
})

async function remarked(content: string) {
  const remarks: [line: number, sentence: string][] = []
  const parsed = await text('markdown', content, {
    path: 'note.md',
    remark: (line, sentence) => remarks.push([line, sentence]),
  })
  return { parsed, remarks }
}

const PROPERTIES: Record<string, [yaml: string, values: string[]]> = {
  'links beside each other': ['up: [[A]], [[B|b]]', ['up → A', 'up → B']],
  'a list over several lines, the last of them not indented': [
    'is: [\n  \'a, b\', # c\n  "d \\"e\\"",\n  C#,\n]\nup: f',
    ['is → a, b', 'is → d "e"', 'is → C#', 'up → f'],
  ],
  'a list that never ends': ['is: [a,\nup: b', ['is → [a,', 'up → b']],
  'a long list': [`is: [${'abcdefgh, '.repeat(40)}[[A]]]`, [...Array(40).fill('is → abcdefgh'), 'is → A']],
  // It does not become a thing; the passage has it.
  'a long text in quotes': [`is: "${'abcd '.repeat(80)}e"`, []],
  'a quotation mark that is never closed': ['is: "a', ['is → "a']],
}
for (const [name, [yaml, values]] of Object.entries(PROPERTIES))
  t.test(`front matter: ${name}`, async t => {
    const parsed = await text('markdown', `---\n${yaml}\n---\nText.`)
    t.strictSame(badLines(parsed), [])
    const relations = records(parsed).flatMap(record => (record.kind === 'relation' ? [record] : []))
    t.strictSame(
      relations.map(({ predicate, object }) => `${predicate} → ${object}`),
      values,
    )
  })

t.test('plain text: paragraphs in sequence about the file; long ones are cut between sentences', async t => {
  const long = 'A sentence of some length. '.repeat(400)
  const parsed = await text('text', `One\nof two lines.\r\n\r\n\n${long}\n\nLast.`, { path: 'My notes.txt' })
  const passages = records(parsed)
  t.strictSame(passages[0], {
    kind: 'passage',
    entity: 'My notes',
    title: 'My notes',
    text: 'One\nof two lines.',
    seq: 1,
  })
  t.ok(passages.every(record => record.kind === 'passage' && record.text.length <= 4_000))
  t.ok(passages.every(record => record.kind === 'passage' && /\.\s*$/.test(record.text)))
  t.strictSame(linesOf(parsed), [1, 5, 5, 5, 7])
  t.strictSame([...partsOf(`${'x'.repeat(4_000)} `)], ['x'.repeat(4_000)])
})

t.test('Turtle: an error that the parser throws is a problem of the line it was at', async t => {
  const { parse } = Parser.prototype
  t.teardown(() => Object.assign(Parser.prototype, { parse }))
  Object.assign(Parser.prototype, {
    parse(input: EventEmitter) {
      input.on('data', (piece: string) => {
        if (piece.includes('throw')) throw new RangeError('Too deep.')
      })
    },
  })
  const parsed = []
  for await (const batch of turtle.parse(chunks('<a> <b> <c> .\nthrow\nmore\n'))) parsed.push(...batch)
  t.strictSame(parsed, [{ line: 2, problem: 'Too deep.' }])
})

import t from 'tap'
import { findFormat } from '../../../engine/formats/formats.js'
import { NoteNames } from '../../../engine/formats/notes/note-names.js'
import { MAX_BATCH } from '../../../engine/formats/shared/lines.js'
import { words } from '../../words.js'
import { chunks, problems, records, shown, text } from './read.js'

const note = (content: string, path = 'My note.md') => text('markdown', content, { path })
const passages = async (content: string, path?: string) =>
  records(await note(content, path)).flatMap(record => (record.kind === 'passage' ? [record] : []))
const titles = async (content: string, path?: string) =>
  (await passages(content, path)).map(({ title }) => title)

t.test('the title of a passage is the full path of its headings', async t => {
  const content = [
    'Start.',
    '# Setup',
    'a',
    '## On Linux ##',
    'b',
    '#### Packages {#packages .wide}',
    'c',
    '## On C#',
    'd',
    '# Use',
    'e',
  ].join('\n\n')
  t.strictSame(await titles(content), [
    'My note',
    'My note > Setup',
    'My note > Setup > On Linux',
    'My note > Setup > On Linux > Packages',
    'My note > Setup > On C#',
    'My note > Use',
  ])
})

t.test('a heading that repeats the name of the note is not said twice', async t => {
  t.strictSame(await titles('# My Note\n\na\n\n## Part\n\nb'), ['My Note', 'My Note > Part'])
  t.strictSame(await titles('# Getting started\n\na', 'guide/getting-started.md'), ['Getting started'])
})

t.test('headings too long for a title leave its inner part', async t => {
  const long = (letter: string) => letter.repeat(500)
  const content = [1, 2, 3, 4, 5, 6].map(level => `${'#'.repeat(level)} ${long(String(level))}`).join('\n')
  const [title = ''] = await titles(`${content}\ntext`)
  t.ok(title.length <= 1_000)
  t.ok(title.startsWith('1111'))
  t.ok(title.endsWith('6'))
})

t.test('a heading with nothing under it is a passage of its own', async t => {
  t.strictSame(shown(await note('# Ideas\n## Sail around the lake\n## Learn to knit\n')), [
    'My note is My note',
    'My note is Ideas',
    'My note alias My note',
    'Ideas > Sail around the lake: Sail around the lake',
    'Ideas > Learn to knit: Learn to knit',
  ])
})

t.test('settings of programs and web sites are not facts about a note', async t => {
  const settings =
    'permalink slug image cover layout lang icon cssclasses publish public hl-color query-sort-by'.split(' ')
  const content = `---\n${settings.map(key => `${key}: something`).join('\n')}\n---\nText.`
  t.strictSame(shown(await note(content)), ['My note is My note', 'My note: Text.'])
})

t.test('numbers, booleans, dates, addresses and descriptions are text of the first passage', async t => {
  const properties = [
    'rating: 4.5',
    'pages: 1,024',
    'done: true',
    'born: 1815-12-10',
    'at: 2024-05-06 07:08',
    'url: example.org/a',
    'source: https://example.org/b',
    'description: How to sail',
  ]
  const parsed = await note(`---\n${properties.join('\n')}\nauthor: Ada\n---\n# Boats\nText.`)
  t.strictSame(problems(parsed), [])
  t.strictSame(
    shown(parsed).filter(line => line.includes(' → ')),
    ['My note — author → Ada'],
  )
  const [passage] = records(parsed).filter(record => record.kind === 'passage')
  t.equal(passage?.text, `Text.\n\n${properties.join('\n')}`)
  t.equal(passage?.title, 'Boats')
})

t.test(
  'a note is shown under its title; other names are text of its first passage, and it is found by them',
  async t => {
    const parsed = await note(
      '---\ntitle: The long way\naliases: [Detour, My Note]\n---\nText.\n## More\nText.',
    )
    t.strictSame(shown(parsed), [
      'My note is The long way',
      'My note alias My note',
      'My note alias The long way',
      'My note alias Detour',
      'My note alias My Note',
      'The long way: Text.',
      'The long way > More: Text.',
    ])
    t.match(await passages('---\ntitle: The long way\naliases: Detour\n---\nText.'), [
      { text: 'Text.\n\naliases: Detour' },
    ])
  },
)

t.test('a link in a property needs no quotes, which makes it a list in a list for YAML', async t => {
  for (const value of [
    '[[Ada]]',
    '[[Ada]] # c',
    '[[[Ada]]]',
    '\n  - [[Ada|her, again]]',
    '[ [[Ada]] ]',
    '["[[Ada]]"]',
  ]) {
    const parsed = await note(`---\nup: ${value}\n---\nText.`)
    t.strictSame([shown(parsed).slice(1, -1), problems(parsed)], [['My note — up → Ada'], []], value)
  }
  t.strictSame(shown(await note('---\nup: [[[Ada]], [[Bob, Cy]], Di]\nno: [[a, b], [c]]\n---\n')).slice(1), [
    ...['Ada', 'Bob, Cy', 'Di'].map(name => `My note — up → ${name}`),
    ...['a', 'b', 'c'].map(name => `My note — no → ${name}`),
  ])
})

t.test('lists in a property are read as YAML, and keep their digits', async t => {
  const value = '["a, b", \'it\'\'s\', 007, null, x\n  y, # no\n  "\\u00e9\\"", {m: n}] # no'
  t.strictSame(shown(await note(`---\nis: ${value}\n---\n`)).slice(1), [
    ...['a, b', "it's", 'x y', 'é"'].map(name => `My note — is → ${name}`),
    'My note: is: 007',
  ])
})

t.test('a text of several lines in a property is one, and so is a map in a list', async t => {
  const front = 'by:\n  - name: "Ada"\n    year: 1815\n  - Bo\nis: long\n  and wide'
  t.strictSame(shown(await note(`---\n${front}\n---\n`)).slice(1), [
    'My note — by → name: Ada, year: 1815',
    'My note — by → Bo',
    'My note — is → long and wide',
  ])
})

t.test('properties of a note without text are a passage', async t => {
  t.strictSame(shown(await note('---\nrating: 5\n---\n')), ['My note is My note', 'My note: rating: 5'])
})

t.test('properties longer than a passage are several, and endless ones end', async t => {
  const long = Array.from({ length: 9 }, (_, i) => `text${i}: |\n  ${'word '.repeat(300)}`).join('\n')
  const some = await passages(`---\n${long}\n---\nText.`)
  t.equal(some.length, 10)
  t.ok(some.every(({ text }) => text.length <= 3_600))
  t.equal(some[0]?.text, 'Text.')
  t.match(some.at(-1)?.text, /^text8: (?:word ?)+$/)
  const many = Array.from({ length: 99 }, (_, i) => `text${i}: ${'word '.repeat(300)}`).join('\n')
  t.ok((await passages(`---\n${many}\n---\nText.`)).length < 20)
  const parsed = await note(`---\nlong: ${'word '.repeat(20_000)}\nrating: 5\n---\nText.`)
  t.strictSame(problems(parsed), [])
  const texts = records(parsed).flatMap(record => (record.kind === 'passage' ? [record.text] : []))
  t.equal(texts.join(' ').match(/word/g)?.length, 20_000)
  t.match(texts.at(-1), /Text\.$/)
})

t.test('the time of a note is what says best when it was written', async t => {
  const times = async (content: string, path?: string) =>
    (await passages(content, path)).map(({ time }) => time)
  const day = Date.UTC(2024, 0, 31)
  t.strictSame(await times('---\nupdated: 2025-02-01\ndate: 2024-01-31\n---\na'), [day])
  t.strictSame(await times('---\ndate: 2024-01-31\nupdated: 2025-02-01\n---\na'), [day])
  t.strictSame(await times('---\nupdated: 2024-01-31\n---\na'), [day])
  t.strictSame(await times('---\nborn: 1815-12-10\n---\na'), [undefined], 'a day in the text is not its time')
  t.strictSame(await times('a', 'journal/2024-01-31.md'), [day])
  t.strictSame(await times('---\ncreated: "[[2024-01-31]]"\n---\na'), [day])
  for (const [written, hour, minute] of [
    ['2024-01-31T10:20:30', 10, 20],
    ['2024-01-31 10:20', 10, 20],
    ['2024-01-31T10:20:30+02:00', 8, 20],
    ['2024-01-31T10:20:30 +0200', 8, 20],
  ] as const) {
    const [time] = await times(`---\ndate: ${written}\n---\na`)
    t.equal(Math.floor((time ?? 0) / 60_000), Date.UTC(2024, 0, 31, hour, minute) / 60_000, written)
  }
})

const folder = words(`
  README.md setup/index.md setup/colors.md plugins/index.md plugins/Search.md plugins/deep/Notes.md
  Notes.md
`)
const links = async (content: string, path: string, paths = folder) =>
  shown(await text('markdown', content, { path, notes: new NoteNames(paths) })).flatMap(line =>
    line.includes(' — links to → ') ? [line.split(' → ')[1]] : [],
  )

t.test('a link between files is followed from the folder of its note', async t => {
  const from = 'plugins/Search.md'
  t.strictSame(await links('[a](../setup/colors.md#dark) [b](index.md)', from), ['colors', 'plugins/index'])
  t.strictSame(await links('[a](./deep/Notes.md) [b](/setup/index.md)', from), [
    'plugins/deep/Notes',
    'setup/index',
  ])
  t.strictSame(await links('[a](../setup/) [b](../setup/colors) [c](..)', from), [
    'setup/index',
    'colors',
    'README',
  ])
  t.strictSame(await links('[a](../gone/Old%20page.md)', from), ['Old page'], 'a note that is not there')
  const written =
    "[a](@/setup/colors.md#b) [b]({{ '/docs/post/' | relative_url }}) [c]({{site.baseurl}}{% link _docs/more.md %})"
  t.strictSame(
    await links(written, 'a/b.md', words('site/setup/colors.md site/_docs/post.md _docs/more.md')),
    ['colors', 'post', 'more'],
  )
  t.strictSame(
    await links(
      '[a](shot.png) [b](x.pdf) [c](https://e.org/a.md) [d](../LICENSE) [e](#here) [f](mailto:a@b.md)',
      from,
    ),
    [],
    'attachments, addresses and headings are no notes',
  )
})

t.test('a link by name goes to the closest note of that name', async t => {
  t.strictSame(await links('[[Notes]]', 'plugins/deep/Other.md'), ['plugins/deep/Notes'])
  t.strictSame(await links('[[notes|my notes]]', 'setup/colors.md'), ['Notes'])
  t.strictSame(await links('[[deep/Notes#Part]]', 'setup/colors.md'), ['plugins/deep/Notes'])
  t.strictSame(await links('[[../plugins/index]] [[Nowhere]]', 'setup/colors.md'), [
    'plugins/index',
    'Nowhere',
  ])
})

t.test('a note says once where it links to, and never to itself', async t => {
  t.strictSame(
    await links('[[Search]] [[Search#Part]]\n[[Search]] [[colors]] [[#Part]]', 'setup/colors.md'),
    ['Search'],
  )
})

t.test('the names of pages that Logseq escapes in file names', t => {
  const names = new NoteNames(['pages/Why%3F.md', 'pages/a___b.md', 'pages/100%.md'])
  t.equal(names.ofFile('pages/Why%3F.md'), 'Why?')
  t.equal(names.ofFile('pages/%2Eplist.md'), '.plist')
  t.equal(names.ofLink('Why?'), 'Why?')
  t.equal(names.ofFile('pages/a___b.md'), 'a/b')
  t.equal(names.ofFile('pages/100%.md'), '100%')
  t.end()
})

t.test('a heading inside of a bullet (Logseq) is a heading, until its bullet ends', async t => {
  const content = [
    'type:: Feature',
    '- ## Usage',
    '\t- Press a key.',
    '\t- ### On a phone',
    '\t\t- Tap.',
    '\t- And so on.',
    '- A block of its own.',
    '- ## More',
    '\t- Text.',
  ].join('\n')
  t.match(await passages(content), [
    { title: 'My note', text: 'type:: Feature' },
    { title: 'My note > Usage', text: '- Press a key.' },
    { title: 'My note > Usage > On a phone', text: '- Tap.' },
    { title: 'My note > Usage', text: '- And so on.' },
    { title: 'My note', text: '- A block of its own.' },
    { title: 'My note > More', text: '- Text.' },
  ])
})

t.test('headings of bullets that are not indented under each other go by their levels', async t => {
  t.strictSame(await titles('- # One\n- a\n- ## Two\n- b\n- # Three\n- c'), [
    'My note > One',
    'My note > One > Two',
    'My note > Three',
  ])
})

t.test('underlined paragraphs and headings of HTML are headings; a rule is none', async t => {
  const content =
    'Title\n=====\n\na\n\nPart\n----\n\nb\n\n<h2 align="center">More</h2>\n\nc\n\n---\n\nd\n\n- e\n---\nf'
  t.match(await passages(content), [
    { title: 'My note > Title', text: 'a' },
    { title: 'My note > Title > Part', text: 'b' },
    { title: 'My note > Title > More', text: 'c\n\nd\n\n- e\n\nf' },
  ])
})

t.test('a heading is said without its markup', async t => {
  const heading = '## **Bold** `code` [[Ada|her]] [site](https://e.org) <small>2024</small> { id="x" }'
  t.strictSame(await titles(`${heading}\na`), ['My note > Bold code her site 2024'])
  for (const name of ['{/*stored-value*/}', '{/* two words */}', '{#stored-value}', '##'])
    t.strictSame(await titles(`## A *value* ${name}\na`), ['My note > A value'], name)
  t.strictSame(await titles('## In {braces} {/**/}\na'), ['My note > In {braces} {//}'], 'no name')
})

t.test('properties of a block are not those of its page', async t => {
  const content =
    'alias:: Other\n\n- Text\n  type:: [[Command]]\n  name:: Delete\n  title:: Else\n  author:: [[Ada]]'
  t.strictSame(
    shown(await note(content)).filter(line => !line.startsWith('My note:')),
    ['My note is My note', 'My note alias Other', 'My note — author → Ada'],
  )
})

t.test('settings of blocks and drawers are no text', async t => {
  const content =
    '- Text ^a1b2c3\n  id:: 63b70dc8-58a5-4a43-ae19-28143edb7752\n  collapsed:: true\n  logseq.order-list-type:: number\n  :LOGBOOK:\n  CLOCK: [2021-05-29 Sat 10:00:00]\n  :END:\n- More ((63b70dc8-58a5-4a43-ae19-28143edb7752)) [here](((63b70dc8-58a5-4a43-ae19-28143edb7752)))'
  t.match(await passages(content), [{ text: '- Text\n- More  here' }])
})

t.test('pictures, HTML, comments and addresses inside the folder are no text', async t => {
  const lines: [written: string, read: string][] = [
    ['![A boat at sea](boat.png "Boat") and ![](x.png)![boat.png](boat.png)', 'A boat at sea and '],
    ['![[boat.png|300]] ![[Sails#Kinds]]', ' [[Sails#Kinds]]'],
    [
      'See [the sails](../Sails.md#kinds), [below](#here), [the web](https://e.org/a).',
      'See the sails, below, [the web](https://e.org/a).',
    ],
    ['A <kbd>key</kbd> for Map<String> and <your name>', 'A  key  for Map<String> and <your name>'],
    ['`<div>` and `![x](y.png)` <!-- a `b` c -->stay', '`<div>` and `![x](y.png)` stay'],
    ['<!-- md:option theme.icon --> is a path', 'theme.icon is a path'],
    ['`<!-- more -->` <!-- hidden --> text', '`<!-- more -->`  text'],
    ['![](a.png){:height 344, :width 566} A {height}', 'A {height}'],
    ['Press :material-check: now { .button #go }', 'Press  now '],
    ['[text][ref] and [ref]', 'text and [ref]'],
  ]
  t.match(await passages('[ref]: https://e.org/a\nText.'), [{ text: 'Text.' }], 'an address above all text')
  for (const [written, read] of lines) t.match(await passages(written), [{ text: read.trim() }], written)
})

t.test('styles, scripts, components, imports and marks of containers are no text', async t => {
  const content = [
    "import Tabs from '@theme/Tabs'",
    '<style>',
    '# a { color: red }',
    '</style>',
    '<Tabs>',
    ':::note[Careful]',
    'Text.',
    ':::',
    '[other]: ../Other.md',
    '[site]: https://e.org',
    '</Tabs>',
  ].join('\n')
  const parsed = await note(content)
  t.match(records(parsed).at(-1), {
    title: 'My note',
    text: ':::note[Careful]\nText.\n[site]: https://e.org',
  })
  t.ok(shown(parsed).includes('My note — links to → Other'))
})

t.test('a script that never ends hides 200 lines at most', async t => {
  const [passage] = await passages(`<script>\n${'x\n'.repeat(300)}Text.`)
  t.match(passage?.text, /^x\nx\n[x\n]*Text\.$/)
})

t.test('what looks like a heading, link or tag is code inside of a fence, wherever that stands', async t => {
  for (const content of [
    '```sh\n# no [[link]] #tag\n```',
    '- Item\n  ~~~\n  # no [[link]] #tag\n  ~~~',
    '> ```\n> # no [[link]] #tag\n> ```',
    '- #+BEGIN_SRC sh\n  # no [[link]] #tag\n  #+END_SRC',
    '````\n```\n# no [[link]] #tag\n```\n````',
  ]) {
    const parsed = await note(`${content}\n\n# Yes\n[[Link]]`)
    t.strictSame(
      shown(parsed).flatMap(line => (line.includes(' → ') ? [line] : [])),
      ['My note — links to → Link'],
      content,
    )
    t.equal(records(parsed).filter(({ kind }) => kind === 'passage').length, 2)
  }
})

t.test('a fence inside of a list that is never closed ends with its item', async t => {
  t.strictSame(await titles('- Item\n  ```\n  code\n\n# Heading\na'), ['My note', 'My note > Heading'])
})

t.test('a table that is cut repeats its head, and its columns are narrow', async t => {
  const row = (at: number) => `| ${at}    | ${'word '.repeat(20)}      |`
  const odd = ['| 0 | - |', '| - | x |', '|0|a-b|', '|  |  |']
  const rows = [...odd, ...Array.from({ length: 30 }, (_, at) => row(at))].join('\n')
  const found = await passages(`| Number   | Text    |\n|----------|---------|\n${rows}`)
  t.ok(found.length > 1)
  for (const { text } of found) t.match(text, /^\| Number \| Text \|\n\|---\|---\|\n\| \d/)
  t.equal(found.flatMap(({ text }) => text.match(/^\| \d+ \| word/gm) ?? []).length, 30)
  const wide = await passages(`| ${'wide '.repeat(100)} |\n|---|\n${rows}`)
  t.equal(wide.filter(({ text }) => text.includes('wide')).length, 1, 'a long head is not repeated')
})

t.test('code that is cut is code in every part', async t => {
  const found = await passages(`Run:\n\n\`\`\`js\n${'const a = 1 // some code\n'.repeat(200)}\`\`\`\n\nDone.`)
  t.ok(found.length > 2)
  for (const { text } of found) t.equal((text.match(/^```/gm) ?? []).length, 2)
  t.match(found.at(-1)?.text, /Done\.$/)
  t.equal(found.flatMap(({ text }) => text.match(/const a/g) ?? []).length, 200)
})

t.test('a list that is cut says the bullets above', async t => {
  const items = Array.from({ length: 40 }, (_, at) => `\t\t- Item ${at} ${'word '.repeat(20)}`).join('\n')
  const found = await passages(`- Boats\n\t- Sails\n${items}`)
  t.ok(found.length > 1)
  for (const { text } of found) t.match(text, /^- Boats\n\t- Sails\n\t\t- Item/)
})

t.test('a long list is cut between its outermost bullets', async t => {
  const item = (at: number) => `- Item ${at}\n${`  - ${'word '.repeat(20)}\n`.repeat(4)}`
  const found = await passages(Array.from({ length: 9 }, (_, at) => item(at)).join(''))
  t.ok(found.length > 2)
  for (const { text } of found) t.match(text, /^- Item \d/)
})

t.test('an introduction stays with what it announces, a short ending with the one before', async t => {
  const long = 'word '.repeat(180)
  t.match(await passages(`${long}\n\nAs follows:\n\n- a\n\nThe end.`), [
    { text: /As follows:\n\n- a\n\nThe end\.$/ },
  ])
  t.equal((await passages(`${long}\n\n${long}\n\nThe end.`)).length, 2)
})

t.test('a page is called by its first heading, and also by the name of its file', async t => {
  const aliases = async (content: string) =>
    shown(await note(content)).flatMap(line => (line.includes(' alias ') ? [line.split(' alias ')[1]] : []))
  t.strictSame(await aliases('# Setting up\ntext\n# More'), ['My note'])
  t.strictSame(await aliases('Text.\n\n# Not this'), [])
  t.strictSame(await aliases('## Nor this'), [])
})

t.test('a journal page is also called by its day', async t => {
  t.strictSame(shown(await note('- Text', 'journals/2024_01_22.md')).slice(0, 3), [
    '2024_01_22 is 2024_01_22',
    '2024_01_22 alias 2024-01-22',
    '2024_01_22 alias Jan 22nd, 2024',
  ])
})

t.test('tags above the text are read with its first passage', async t => {
  const parsed = await note('<span>#feature/dates #ui</span>\n\n# Dates\n\nText.')
  t.ok(shown(parsed).includes('My note — tagged → feature/dates'))
  t.match(records(parsed).at(-1), { title: 'Dates', text: 'Text.\n\n#feature/dates #ui' })
})

t.test('queries and links in code link to nothing', async t => {
  t.strictSame(shown(await note('{{query (page [[Ada]])}} and `[[Bob]]` #1')).slice(1), [
    'My note: {{query (page [[Ada]])}} and `[[Bob]]` #1',
  ])
})

t.test('a map of the front matter is read by its parts', async t => {
  const content =
    '---\ndate:\n  created: 2024-01-31\n  updated: 2024-02-01\nauthor:\n  name: Ada\ntags:\n  - a\n---\nText.'
  const parsed = await note(content)
  t.strictSame(
    shown(parsed).filter(line => line.includes(' → ')),
    ['My note — author name → Ada', 'My note — tagged → a'],
  )
  t.match(records(parsed).at(-1), {
    time: Date.UTC(2024, 0, 31),
    text: 'Text.\n\ndate updated: 2024-02-01\ndate created: 2024-01-31',
  })
})

t.test('many odd lines of front matter come in small batches', async t => {
  const content = `---\na: b\n${'no [[property]]\n'.repeat(1_200)}---\nText.`
  const sizes = []
  for await (const batch of findFormat('markdown')!.parse(chunks(content, 4_096))) sizes.push(batch.length)
  t.ok(Math.max(...sizes) <= MAX_BATCH, `${Math.max(...sizes)} at most`)
  const kept = (await passages(content)).map(({ text }) => text.match(/property/g)?.length ?? 0)
  t.equal(
    kept.reduce((sum, count) => sum + count),
    1_200,
  )
})

t.test('an alias in front matter is the value that has its name, or text (YAML 1.2.2 §7.1)', async t => {
  const content =
    '---\nbase: &oslo Oslo\nhome: *oslo\nlist: [*oslo, Bergen]\nstar: *bold*\nlost: *nowhere\nmany: &many\n  - One\n  - &two Two\nagain: *many\nlast: *two\n---\n# Ada\n\nText.\n'
  t.strictSame(
    shown(await note(content)).filter(line => line.includes('→')),
    [
      'My note — base → Oslo',
      'My note — home → Oslo',
      'My note — list → Oslo',
      'My note — list → Bergen',
      'My note — star → *bold*',
      'My note — lost → *nowhere',
      'My note — many → One',
      'My note — many → Two',
      'My note — again → One',
      'My note — again → Two',
      'My note — last → Two',
    ],
  )
})

t.test(
  'a word is found wherever it may be divided: soft hyphens are no text (Unicode 5.0 §16.2)',
  async t => {
    t.strictSame(await titles('# Light\u00adhouse\n\nOil.'), ['Lighthouse'])
    t.strictSame(
      (await passages('so\u00adft \u2060light')).map(({ text }) => text),
      ['soft light'],
    )
  },
)

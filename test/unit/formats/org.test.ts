import t from 'tap'
import { noteIds } from '../../../engine/formats/notes/note-ids.js'
import { NoteNames } from '../../../engine/formats/notes/note-names.js'
import { chunks, passages, problems, read, records, shown } from './read.js'
import { documentSink } from './sink.js'

/** The content of an Org file, and its Markdown. */
async function org(content: string, path = 'note.org', notes?: NoteNames, size = 13) {
  const document = documentSink()
  const parsed = await read('org', chunks(content, size), { path, document, ...(notes ? { notes } : {}) })
  return { parsed, document: document.said[0], markdown: document.said[0]?.text ?? '' }
}

/** The Markdown of some text without a header. */
const text = async (content: string) => (await org(content)).markdown.trimEnd()

t.test('Org: the header of a file is its title, tags, other names and date', async t => {
  const content = [
    ':PROPERTIES:\n:ID: 7f7e-1\n:ROAM_ALIASES: "Great soup" broth\n:END:',
    '#+title: Leek /soup/\n#+filetags: :food:@home:\n#+DATE: [2024-05-03 Fri]\n#+STARTUP: overview\n',
    '# nobody sees this\nHot and *thick*.',
  ].join('\n')
  for (const size of [1, 100_000]) {
    const { parsed, document, markdown } = await org(content, '20240503101500-leek_soup.org', undefined, size)
    t.equal(
      markdown,
      '# Leek *soup*\n\ntags:: food, home  \nalias:: Great soup, broth  \ndate:: 2024-05-03\n\nHot and **thick**.\n\n',
    )
    t.strictSame(shown(parsed), [
      '20240503101500-leek_soup is Leek soup',
      '20240503101500-leek_soup — tagged → food',
      '20240503101500-leek_soup — tagged → home',
      '20240503101500-leek_soup alias Great soup',
      '20240503101500-leek_soup alias broth',
      'Leek soup: Hot and **thick**.',
    ])
    t.match(document, { title: 'Leek soup', tags: ['food', 'home'], time: Date.UTC(2024, 4, 3) })
    t.match(passages(parsed), [
      { text: /^Hot and \*\*thick\*\*\.\n\n(?:.+\n)*date: 2024-05-03$/, line: undefined },
    ])
  }
})

t.test('Org: what a header says besides, in lines or in its drawer', async t => {
  const content = [
    ':PROPERTIES:\n:ROAM_REFS: https://a.example "cite b"\n: no property\n:CATEGORY: Food\n:Effort: 1:00\n:END:',
    '#+AUTHOR: Ada /L/\n#+description: Hot\n#+SUBTITLE: With *leek*\n#+roam_key: https://c.example\n#+SETUPFILE: x\n',
    'Text.',
  ].join('\n')
  const lines = (await org(content)).markdown.trimEnd().split(/ {2}\n|\n\n/)
  t.strictSame(lines, [
    'source:: https://a.example, cite b',
    'category:: Food',
    'author:: Ada *L*',
    'description:: Hot',
    'subtitle:: With **leek**',
    'source:: https://c.example',
    'Text.',
  ])
})

t.test('Org: headings keep their states and say their tags, dates and properties', async t => {
  const content = [
    '#+TITLE: Work',
    '* TODO [#A] Write it [1/2] :deep:@office:',
    'SCHEDULED: <2024-01-02 Tue 10:00-11:30 +1w> DEADLINE: <2024-02-02>',
    ':PROPERTIES:\n:CUSTOM_ID: write-it\n:Effort: 1:00\n:VISIBILITY: folded\n:END:',
    ':LOGBOOK:\nCLOCK: [2024-01-01 Mon 10:00]--[2024-01-01 Mon 11:00] =>  1:00\n:END:',
    '   Until <2024-03-01 Fri>--<2024-03-03 Sun>, see [[#write-it][above]] and [[*Later]].',
    '********* Later',
  ]
  const { parsed, markdown } = await org(content.join('\n'))
  t.equal(
    markdown,
    [
      '# Work\n\n## TODO Write it (1/2) ^write-it\n\n#deep #office',
      'Priority: A · Scheduled: 2024-01-02 10:00–11:30 (every 1w) · Deadline: 2024-02-02 · Effort: 1:00',
      'Until 2024-03-01 – 2024-03-03, see [[#^write-it|above]] and [[#Later|Later]].\n\n###### Later\n\n',
    ].join('\n\n'),
  )
  t.match(shown(parsed), [
    'note is Work',
    'note alias note',
    'note — tagged → deep',
    'note — tagged → office',
  ])
  t.match(
    passages(parsed).map(({ title }) => title),
    ['Work > TODO Write it (1/2)', 'Work > TODO Write it (1/2) > Later'],
  )
})

t.test('Org: what stands in a text', async t => {
  for (const [written, markdown] of [
    ['*a* /b/ _c_ +d+ =e*f= ~g~ h_i 1/2 and/or', '**a** *b* *c* ~~d~~ `e*f` `g` h_i 1/2 and/or'],
    ['/over\ntwo lines/ and *bold /and/ =code=*', '*over\ntwo lines* and **bold *and* `code`**'],
    [
      '[[https://e.org/a_(b)][the *site*]] https://e.org/c_d_ <https://e.org>',
      '[the **site**](https://e.org/a_%28b%29) https://e.org/c_d_ https://e.org',
    ],
    ['[[file:a b.png]] [[./notes/x.org::*Plan][x]]', '![](a%20b.png) [[./notes/x#Plan|x]]'],
    ['[[elisp:(foo)][run]] [[doi:10.1/2]]', 'run [10.1/2](https://doi.org/10.1/2)'],
    ['#+LINK: wp https://w.org/%s\n[[wp:Org][Org]]', '[Org](https://w.org/Org)'],
    ['a[fn:1] b[fn:: see [[https://e.org][e]]]', 'a[^1] b^[see [e](https://e.org)]'],
    ['[fn:1] The note.\n\n* Footnotes', '[^1]: The note.'],
    ['a \\to b, \\(x_1\\), $a*b*c$ @@html:<b>@@ <<here>> [cite:@key]', 'a → b, $x_1$, $a*b*c$   (@key)'],
    ['one\\\\\ntwo', 'one  \ntwo'],
    ['> a\n=====\n-----', '\\> a\n\\=====\n\n---'],
    ['#+CAPTION: A boat\n#+NAME: fig\n[[./boat.png]]', 'A boat\n![](./boat.png)'],
  ] as const)
    t.equal(await text(written), markdown, written)
})

t.test('Org: lists, blocks and tables', async t => {
  for (const [written, markdown] of [
    ['- a\n  b\n  - [X] c\n    + d :: e\n- f\nend', '- a\n  b\n  - [x] c\n    - **d**: e\n- f\n\nend'],
    ['  1. a\n  2) b\n  5. [@5] c\n\n\n  text', '1. a\n2. b\n5. c\n\ntext'],
    ['#+begin_src js :tangle a\n  let a\n,* b\n#+end_src', '```js\n  let a\n* b\n```'],
    ['- a\n  #+BEGIN_EXAMPLE\n  ~~~~\n  #+END_EXAMPLE', '- a\n  ~~~~\n  ~~\n  ~~~~'],
    [': a\n: b\nc', '~~~~\na\nb\n~~~~\nc'],
    ['#+begin_quote\n- a\n#+end_quote\nb', '> - a\n\nb'],
    ['#+begin_verse\na\nb\n#+end_verse', '> a  \n> b'],
    ['#+begin_tip\na\n#+end_tip', '> [!tip]\n> a'],
    ['#+begin_comment\na\n#+end_comment\n:NOTES:\nb\n:END:', 'b'],
    [
      '\\begin{align}\na_{1} &= b \\to c\n\\end{align}\nd',
      '```latex\n\\begin{align}\na_{1} &= b \\to c\n\\end{align}\n```\nd',
    ],
    [
      '| a | b |\n|---+---|\n| =x= | [[y][z]] | 3 |\n#+TBLFM: $1=2\nc',
      '| a | b |  |\n| --- | --- | --- |\n| `x` | [[#y\\|z]] | 3 |\n\nc',
    ],
  ] as const)
    t.equal(await text(written), markdown, written)
})

t.test('Org: links by id, by file and by title lead to notes of the folder', async t => {
  const files = {
    'roam/20240101120000-leek_soup.org':
      ':PROPERTIES:\n:ID: AA-1\n:END:\n#+title: Leek soup\n* Stock\n:PROPERTIES:\n:ID: bb-22\n:END:\nSalt.',
    'roam/20240102120000-plan.org': 'a',
    'home.org':
      '[[id:aa-1][the soup]] [[id:bb-22][stock]] [[id:nowhere][lost]] [[id:gone][Plan]] [[file:roam/20240102120000-plan.org][plan]] [[denote:20240102120000]]',
  }
  const notes = new NoteNames(
    Object.keys(files),
    await noteIds(
      Object.entries(files).map(([path, content]) => ({ path, open: async () => chunks(content) })),
    ),
  )
  const { parsed, markdown } = await org(files['home.org'], 'home.org', notes)
  t.equal(
    markdown.trimEnd(),
    '[[roam/20240101120000-leek_soup|the soup]] [[roam/20240101120000-leek_soup#^bb-22|stock]] lost [[roam/20240102120000-plan|Plan]] [[roam/20240102120000-plan|plan]] [[roam/20240102120000-plan|20240102120000-plan]]',
  )
  t.strictSame(
    records(parsed).flatMap(record => (record.kind === 'relation' ? [record.object] : [])),
    ['20240101120000-leek_soup', '20240102120000-plan'],
  )
})

t.test('Org: a file that is only a header, empty, or never closes what it opens', async t => {
  t.match((await org('#+TITLE: Alone')).parsed, [{ record: { name: 'Alone' } }])
  t.strictSame(shown((await org('')).parsed), ['note is note'])
  for (const content of [
    '#+begin_src js\nlet a',
    ':LOGBOOK:\na',
    '#+begin_quote\n'.repeat(1000),
    '[[a][b'.repeat(1000),
    `${'*'.repeat(5000)} a`,
    Array.from({ length: 400 }, (_, at) => `${' '.repeat(at)}- a`).join('\n'),
    '[[id:a][[[id:a][[[id:a][b]]]]]]',
    `#+LINK: a a:%s\n[[a:a:a][b]]`,
  ])
    t.strictSame(problems((await org(content)).parsed), [], content.slice(0, 30))
})

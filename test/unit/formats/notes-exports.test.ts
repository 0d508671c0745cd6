import { Readable } from 'node:stream'
import t from 'tap'
import { chooseFiles } from '../../../domain/safes/imports/import-files.js'
import { identify } from '../../../engine/formats/identify.js'
import { chunks, passages, problems, read, records, shown, text } from './read.js'
import { documentSink } from './sink.js'

const enex = (notes: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">\n<en-export>${notes}</en-export>`
const note = (title: string, body: string, more = '') =>
  `<note><title>${title}</title><created>20240503T101500Z</created>${more}<content><![CDATA[<!DOCTYPE en-note SYSTEM "x"><en-note>${body}</en-note>]]></content><resource><data encoding="base64">AAAA</data></resource></note>`

t.test('Evernote: each note is a document with its date, tags and links', async t => {
  const text = enex(
    note('Soup', '<div>Leeks &amp; <a href="evernote:///view/1/s1/a/b/">Stock</a></div>', '<tag>food</tag>') +
      note(
        'Soup',
        '<div><en-media hash="1"/></div>',
        '<note-attributes><author>Ada</author></note-attributes>',
      ),
  )
  for (const size of [1, 100_000]) {
    const document = documentSink()
    const parsed = await read('evernote', chunks(text, size), { path: 'my.enex', document })
    t.strictSame(shown(parsed), [
      'Soup is Soup',
      'Soup — tagged → food',
      'Soup — links to → Stock',
      'Soup: Leeks & Stock',
      'Soup (2) is Soup (2)',
      'Ada is Ada (person)',
      'Soup (2) — author → Ada',
      'Soup (2): Soup (2)',
    ])
    t.equal(passages(parsed)[0]?.time, Date.UTC(2024, 4, 3, 10, 15))
    t.match(document.said, [{ name: 'Soup', tags: ['food'], text: /^Leeks & Stock/ }, { name: 'Soup (2)' }])
  }
})

t.test('Evernote: code, boxes, tasks and what is encrypted', async t => {
  const code = '<div style="--en-codeblock:true"><div>if x:</div><div>&nbsp; y<br/></div></div>'
  const list =
    '<ul style="--en-todo:true"><li style="--en-checked:true"><div>Leeks</div></li><li style="--en-checked:false">Salt</li></ul>'
  const secret =
    '<en-crypt>U2FsdGVk</en-crypt><div><en-todo checked="true"/>Stock</div><a href="evernote:///a">evernote:///a</a>'
  const task =
    '<task><title>Cook</title><created>20240101T000000Z</created><taskStatus>completed</taskStatus></task>'
  const due =
    '<task><title>Eat</title><taskStatus>open</taskStatus><dueDate>20240504T100000Z</dueDate></task>'
  const parsed = await read('evernote', chunks(enex(note('Soup', code + list + secret, task + due))), {
    path: 'a.enex',
  })
  t.strictSame(
    passages(parsed).map(({ title, text }) => [title, text]),
    [
      [
        'Soup',
        '```\nif x:\n  y\n```\n\n- [x] Leeks\n- [ ] Salt\n\n[x] Stock\n\nevernote:///a\n- [x] Cook\n- [ ] Eat (due 2024-05-04)',
      ],
    ],
  )
  t.notOk(shown(parsed).some(line => line.includes('links to')))
})

t.test('Google Keep: text, lists, links and labels; what is in the bin is left out', async t => {
  const keep = (value: object) =>
    read('keep', chunks(JSON.stringify(value)), { path: 'Keep/Shopping.json', document: documentSink() })
  const parsed = await keep({
    title: ' To\n buy ',
    listContent: [
      { text: 'paint', isChecked: true },
      { text: 'brush', isChecked: false },
    ],
    labels: [{ name: 'boat' }],
    annotations: [{ title: 'Shop', url: 'https://example.org/paint' }],
    createdTimestampUsec: 1_714_730_000_000_000,
  })
  t.strictSame(shown(parsed), [
    'To buy is To buy',
    'To buy alias Shopping',
    'To buy — tagged → boat',
    'To buy: - [x] paint',
  ])
  t.match(passages(parsed), [
    { text: /- \[ \] brush\n\nShop https:\/\/example\.org\/paint/, time: 1_714_730_000_000 },
  ])
  const long = await keep({ title: 'x'.repeat(201), textContent: 'y' })
  t.equal(passages(long)[0]?.title, 'x'.repeat(200))
  t.strictSame(await keep({ title: 'Old', textContent: 'x', isTrashed: true }), [])
  const untitled = async (value: object) =>
    shown(await read('keep', chunks(JSON.stringify(value)), { path: '2023-08-01T14_29_43.842+10_00.json' }))
  const moment = '2023-08-01T14_29_43.842+10_00'
  const isPinned = false
  t.strictSame(
    await untitled({
      isPinned,
      textContent: '\nCall the harbour office about the mast, and ask for the price\nToday',
    }),
    [
      `${moment} is Call the harbour office about the mast, and ask for the…`,
      `${moment} alias ${moment}`,
      'Call the harbour office about the mast, and ask for the…: Call the harbour office about the mast, and ask for the price',
    ],
    'its first words are its name',
  )
  t.match(await untitled({ isPinned, listContent: [{ text: 'Milk', isChecked: true }] }), [
    `${moment} is Milk`,
    `${moment} alias ${moment}`,
    'Milk: - [x] Milk',
  ])
  t.match(await untitled({ isPinned, textContent: '字'.repeat(70) }), [`${moment} is ${'字'.repeat(60)}…`])
  t.match(await untitled({ isPinned }), [`${moment} is ${moment}`])
})

t.test('Roam: pages are notes, with links, tags, attributes and references to blocks', async t => {
  const pages = [
    {
      title: 'The boat',
      'create-time': 1_714_730_000_000,
      children: [
        { string: 'Owner:: [[Ada]]', uid: 'aaaaaaaaa' },
        { string: '{{[[TODO]]}} paint it #summer', uid: 'bbbbbbbbb', children: [{ string: 'in red' }] },
      ],
    },
    { title: 'project/plan', children: [{ string: 'First ((bbbbbbbbb))' }] },
  ]
  const document = documentSink()
  const parsed = await read('roam', chunks(JSON.stringify(pages, null, 1)), { path: 'roam.json', document })
  t.strictSame(shown(parsed), [
    'The boat is The boat',
    'The boat — Owner → Ada',
    'The boat — tagged → summer',
    'The boat: - Owner:: [[Ada]]',
    'project/plan is project/plan',
    'project/plan — tagged → summer',
    'project/plan: - First [ ] paint it #summer',
  ])
  t.match(passages(parsed)[0], { time: 1_714_730_000_000, text: /\n {2}- in red$/ })
  t.match(document.said, [
    { name: 'The boat', tags: ['summer'], text: '- Owner:: [[Ada]]\n- [ ] paint it #summer\n  - in red\n' },
    { name: 'project/plan' },
  ])
})

t.test('Roam: what only it can show is no text and no link; code ends where it ends', async t => {
  const strings = [
    [
      '{{[[video]]: https://example.org/v}} {{youtube: https://example.org/y}}',
      'https://example.org/v https://example.org/y',
    ],
    ['Seen {{[[query]]: {and: [[Ada]] {or: [[Bob]] [[Eve]]}}}}{{word-count}}', 'Seen '],
    ['`{{query: {and: [[A]]}}}` is a query', '`{{query: {and: [[A]]}}}` is a query'],
    ['{{or: options | versions}} {{Open it}} {{open', 'options Open it {{open'],
    ['{{embed: ((bbbbbbbbb))}} and [so](((bbbbbbbbb)))', 'Paint it and so'],
    ['[her]([[Ada]]) and [x](https://example.org)', '[[Ada|her]] and [x](https://example.org)'],
    ['See ```js\nconst a = 1```then', 'See \n  ```js\n  const a = 1\n  ```\n  then'],
    ['```\nb\n```', '```\n  b\n  ```'],
    ['an ` open one', 'an ` open one'],
  ] as const
  for (const [string, expected] of strings) {
    const pages = [
      { title: 'Block', children: [{ string: 'Paint it', uid: 'bbbbbbbbb' }] },
      { title: 'Page', children: [{ string }, { string: 'After' }] },
    ]
    const document = documentSink()
    const parsed = await read('roam', chunks(JSON.stringify(pages)), { path: 'roam.json', document })
    t.equal(document.said[1]?.text, `- ${expected}\n- After\n`)
    t.strictSame(
      shown(parsed).filter(line => / — /.test(line)),
      expected.startsWith('[[Ada') ? ['Page — links to → Ada'] : [],
      string,
    )
  }
})

t.test('bookmarks: each is a thing in its folder, with its address, tags and date', async t => {
  const list = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
<DL><p>
<DT><H3>Cooking</H3>
<DL><p>
<DT><A HREF="https://example.org/soup" ADD_DATE="1714730000" TAGS="leek,winter">Leek soup</A>
<DD>With potatoes
<DT><A HREF="javascript:${'x'.repeat(900)}">Tool</A>
</DL><p>
<DT><A HREF="https://example.org/">Home</A>
<DT><A HREF="place:sort=8&amp;maxResults=10">Most visited</A>
</DL><p>`
  for (const size of [1, 10_000]) {
    const parsed = await read('bookmarks', chunks(list, size), { path: 'bookmarks.html' })
    t.strictSame(shown(parsed).slice(0, 5), [
      'https://example.org/soup is Leek soup (bookmark)',
      'https://example.org/soup — in folder → Cooking',
      'https://example.org/soup — tagged → leek',
      'https://example.org/soup — tagged → winter',
      'bookmarks > Cooking > Leek soup: Leek soup',
    ])
    t.match(passages(parsed), [
      { text: 'Leek soup\nhttps://example.org/soup\nWith potatoes', time: 1_714_730_000_000 },
      { text: /^Tool\njavascript:x/ },
      { text: 'Home\nhttps://example.org/', title: 'bookmarks > Home' },
    ])
  }
})

t.test('OPML: outlines are text, feeds are things in their folder', async t => {
  const outline =
    '<?xml version="1.0"?><opml version="2.0"><head><title>Reading</title></head><body><outline text="Science"><outline text="Nature &amp; more" type="rss" xmlUrl="https://example.org/rss" htmlUrl="https://example.org/"/><outline text="Sea" xmlUrl="https://example.org/sea" htmlUrl="https://example.org/"/></outline><outline text="Plan"><outline text="Read" _note="Slowly"/></outline></body></opml>'
  const parsed = await read('opml', chunks(outline), { path: 'feeds.opml', document: documentSink() })
  t.strictSame(
    passages(parsed).map(({ title, text }) => [title, text]),
    [
      ['Reading > Science > Nature & more', 'Nature & more\nhttps://example.org/rss\nhttps://example.org/'],
      ['Reading > Science > Sea', 'Sea\nhttps://example.org/sea\nhttps://example.org/'],
      ['Reading > Science', '- Nature & more https://example.org/rss\n- Sea https://example.org/sea'],
      ['Reading > Plan', '- Read\nSlowly'],
    ],
  )
  t.ok(shown(parsed).includes('https://example.org/rss — in folder → Science'))
})

t.test('exports of notes are told by how they begin', t => {
  const cases = {
    evernote: ['x.txt', enex('')],
    keep: ['Note.json', '{"color":"DEFAULT","isTrashed":false,"textContent":"a"}'],
    roam: ['me.json', '[ { "title": "a", "children": [] } ]'],
    bookmarks: ['b.html', '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META>'],
    opml: ['feeds.txt', '<?xml version="1.0"?>\n<opml version="1.0">'],
  } as const
  for (const [id, [name, text]] of Object.entries(cases))
    t.match(identify(name, Buffer.from(text)), { format: { id } }, id)
  const chatgpt = Buffer.from('[{"title": "Bread", "create_time": 1, "mapping": {}}]')
  for (const name of ['conversations.json', 'chatgpt.json'])
    t.match(identify(name, chatgpt), { format: { id: 'chats' } }, 'chats begin alike')
  t.end()
})

t.test('exports of notes: entities are not expanded, depth and sizes are bounded', async t => {
  const bomb = `<!DOCTYPE a [<!ENTITY b "${'x'.repeat(1_000)}"><!ENTITY c "&b;&b;&b;">]>`
  const expanded = await read('evernote', chunks(bomb + enex(note('A &c;', '&c;')), 9_999))
  t.notMatch(JSON.stringify(records(expanded)), 'xxx')
  t.match(problems(await read('evernote', chunks('<a>'.repeat(100_000), 9_999))), [[1, /not an export/]])
  const deepFolders = `<!DOCTYPE NETSCAPE-Bookmark-file-1>${'<DT><H3>f</H3><DL>'.repeat(20_000)}<DT><A HREF="https://e.org">x</A>`
  const [found] = passages(await read('bookmarks', chunks(deepFolders, 9_999)))
  t.ok(found && found.title.length <= 1_000)
  const deepOutline = `<opml><body>${'<outline text="a">'.repeat(20_000)}</body></opml>`
  await t.rejects(read('opml', chunks(deepOutline, 9_999)), { message: /more than 5,000 levels/ })
  const deepPage = JSON.stringify([{ title: 'a', children: [] }]).replace(
    '[]',
    `${'[{"children":'.repeat(90)}[]${'}]'.repeat(90)}`,
  )
  t.strictSame(problems(await read('roam', chunks(deepPage))), [])
  t.match(problems(await read('roam', chunks(`[{"title":${'['.repeat(500)}`))), [[1, /nested|ends before/]])
  await t.rejects(read('keep', chunks('{"a":')), /not JSON/)
})

t.test(
  'Kindle: what was marked in a book is one document, with its place and time in any language',
  async t => {
    const clipping = (title: string, about: string, text: string) =>
      `\ufeff${title}\r\n- ${about}\r\n\r\n${text}\r\n==========\r\n`
    const dates: [string, string][] = [
      ['Added on Sunday, February 23, 2020 2:58:27 PM', '2020-02-23T14:58'],
      ['Hinzugefügt am Montag, 3. März 2025 22:15:32', '2025-03-03T22:15'],
      ['Ajouté le lundi 17 décembre 2012 à 08:27:45', '2012-12-17T08:27'],
      ['Añadido el sábado, 17 de diciembre de 2022 2:30:30 p. m.', '2022-12-17T14:30'],
      ['Adicionado: sábado, 16 de maio de 2015 13:16:48', '2015-05-16T13:16'],
      ['添加于 2013年12月24日星期二 下午09:10:24', '2013-12-24T21:10'],
      ['Lisätty maanantaina', ''],
    ]
    const marked = dates.map(([date], at) =>
      clipping('Bees (Ada Lovelace;Roe, Cy)', `Place ${at} | ${date}`, `Text ${at}`),
    )
    const more = [
      clipping('Wax', 'Note on page 7', 'Mine'),
      clipping('Wax', 'Bookmark on page 8', ''),
      'no clipping\n==========\n',
    ]
    const all = [...marked.slice(0, 3), ...more, ...marked.slice(3)].join('')
    const parsed = await text('kindle', all)
    t.strictSame(problems(parsed), [])
    t.strictSame(
      shown(parsed).filter(line => / is | — /.test(line)),
      [
        'Bees is Bees (book)',
        'Ada Lovelace is Ada Lovelace (person)',
        'Bees — author → Ada Lovelace',
        'Cy Roe is Cy Roe (person)',
        'Bees — author → Cy Roe',
        'Wax is Wax (book)',
      ].filter(line => / is | — /.test(line)),
    )
    const said = passages(parsed).map(({ title, text, time }) => [
      title,
      text,
      time === undefined ? '' : new Date(time).toISOString().slice(0, 16),
    ])
    t.strictSame(said, [
      ...dates.map(([, time], at) => [`Bees > Place ${at}`, `Text ${at}`, time]),
      ['Wax > Note on page 7', 'Mine', ''],
    ])
    t.match(identify('My Clippings (1).txt', Buffer.from('x')), { format: { id: 'kindle' } })
    t.match(identify('clips.txt', Buffer.from(all)), { format: { id: 'kindle' } })
    t.match(identify('list.txt', Buffer.from('Shop\n- tea\n- salt\n')), { format: { id: 'text' } })
    t.match(problems(await text('kindle', 'nothing')), [[1, /no highlights/]])
    const much = clipping('Bees', 'Note', 'x'.repeat(900_000)).repeat(10)
    t.match(problems(await read('kindle', chunks(much, 65_536))), [[46, /more than 8 MB/]])
  },
)

t.test('Google Keep: each note is read once, from a folder of any name that has its list of labels', t => {
  const open = async () => Readable.from([])
  const readOf = (...paths: string[]) =>
    chooseFiles({ files: paths.map(path => ({ path, open })), problems: [] }).read.map(
      ({ file }) => file.path,
    )
  const twins = ['a.json', 'a.html']
  t.strictSame(readOf(...twins.map(path => `Takeout/Keep/${path}`)), ['Takeout/Keep/a.json'])
  t.strictSame(readOf(...twins, 'Labels.txt'), ['a.json'])
  t.strictSame(readOf(...twins), twins, 'a web page beside data')
  t.end()
})

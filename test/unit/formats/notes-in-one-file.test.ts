import t from 'tap'
import { identify } from '../../../engine/formats/identify.js'
import { NoteNames } from '../../../engine/formats/notes/note-names.js'
import { passages, shown, text } from './read.js'
import { documentSink } from './sink.js'

/** The content of a file, read in the format that its beginning shows. */
async function read(path: string, content: string) {
  const found = identify(path, Buffer.from(content))
  const format = found && 'format' in found ? found.format.id : 'none'
  const document = documentSink()
  const parsed = await text(format, content, { path, document })
  return { format, parsed, documents: document.said.map(({ name, title }) => title || name) }
}

t.test('TiddlyWiki: tiddlers as JSON are notes, without those of the program', async t => {
  const tiddlers = [
    {
      title: 'Wick',
      text: "''Cotton'' for [[Lamp / East]]",
      tags: 'store [[dry room]]',
      modified: '20260501090000000',
    },
    { title: 'Lamp / East', text: '! Glass\n\nClear.', tags: '' },
    { title: '$:/StoryList', text: '', tags: '' },
    { title: 'pic.png', text: 'iVBORw0', type: 'image/png', tags: '' },
  ]
  const { format, parsed, documents } = await read('tiddlers.json', JSON.stringify(tiddlers))
  t.equal(format, 'tiddlers')
  t.strictSame(documents, ['Wick', 'Lamp / East'])
  t.match(shown(parsed), [
    'Wick is Wick',
    'Wick — tagged → store',
    'Wick — tagged → dry room',
    'Wick — links to → Lamp _ East',
  ])
  t.match(passages(parsed)[0]?.text, /^\*\*Cotton\*\* for/)
  t.ok(shown(parsed).includes('Lamp _ East is Lamp / East'), 'found as links name it')
})

t.test('TiddlyWiki: a wiki that is one web page, also of before 2021', async t => {
  const head = '<!doctype html><html><head><meta name="application-name" content="TiddlyWiki" /></head><body>'
  const store = JSON.stringify([
    { title: '$:/core', text: 'x' },
    { title: 'Oil', text: 'Colza </b> & co', tags: 'store' },
  ])
  const page = `${head}<script class="tiddlywiki-tiddler-store" type="application/json">${store.replaceAll('<', '\\u003C')}</script></body></html>`
  const now = await read('wiki.html', page)
  t.equal(now.format, 'tiddlywikipage')
  t.strictSame(now.documents, ['Oil'])
  t.strictSame(shown(now.parsed).slice(0, 2), ['Oil is Oil', 'Oil — tagged → store'])
  t.match(passages(now.parsed)[0]?.text, /^Colza .* & co/)
  const old = `${head}<div id="storeArea"><div title="Oil" tags="[[in use]]"><pre>Colza &amp; co</pre></div></div></body></html>`
  const before = await read('old.html', old)
  t.strictSame(shown(before.parsed).slice(0, 2), ['Oil is Oil', 'Oil — tagged → in use'])
  t.equal(passages(before.parsed)[0]?.text, 'Colza & co')
})

t.test(
  'Standard Notes: notes with tags and times, also as .txt; an encrypted backup says what to do',
  async t => {
    const note = (uuid: string, title: string, text: string, more = {}) => ({
      ...{
        uuid,
        content_type: 'Note',
        created_at: '2026-05-01T09:00:00.000Z',
        content: { title, text, ...more },
      },
    })
    const tag = { uuid: 't', content_type: 'Tag', content: { title: 'in use', references: [{ uuid: '1' }] } }
    const items = [
      note('1', 'Oil', 'Colza.'),
      tag,
      note('2', 'Gone', 'x', { trashed: true }),
      note('3', 'Oil', 'Again.'),
    ]
    const backup = JSON.stringify({ version: '004', items })
    const { format, parsed, documents } = await read('Standard Notes Backup and Import File.txt', backup)
    t.equal(format, 'standardnotes')
    t.strictSame(documents, ['Oil', 'Oil (2)'])
    t.strictSame(shown(parsed), [
      'Oil is Oil',
      'Oil — tagged → in use',
      'Oil: Colza.',
      'Oil (2) is Oil (2)',
      'Oil (2): Again.',
    ])
    t.equal(passages(parsed)[0]?.time, Date.UTC(2026, 4, 1, 9))
    const locked = { version: '004', items: [{ uuid: '1', content_type: 'Note', content: '004:abc' }] }
    await t.rejects(read('sn.json', JSON.stringify(locked)), /encrypted.*download a decrypted one/)
    await t.rejects(read('sn.json', backup.slice(0, -5)), /damaged/)
  },
)

t.test('Mastodon: posts are texts with their hashtags; what was passed on is left out', async t => {
  const post = {
    ...{ type: 'Note', published: '2026-05-01T09:00:00Z', url: 'https://a.example/@i/1', summary: null },
    content: '<p>Fog over the <a href="https://a.example/tags/quay">#quay</a><br>since four</p>',
    ...{ tag: [{ type: 'Hashtag', name: '#quay' }], attachment: [{ name: 'A grey sea' }] },
  }
  const outbox = {
    '@context': 'https://www.w3.org/ns/activitystreams',
    ...{ id: 'outbox.json', type: 'OrderedCollection', totalItems: 2 },
    orderedItems: [
      { type: 'Create', object: post },
      { type: 'Announce', object: 'https://b.example/2' },
    ],
  }
  const { format, parsed } = await read('outbox.json', JSON.stringify(outbox))
  t.equal(format, 'mastodon')
  const [title] = ['Fog over the #quay since four, 2026-05-01']
  t.strictSame(shown(parsed).slice(0, 2), [`${title} is ${title}`, `${title} — tagged → quay`])
  t.match(passages(parsed)[0]?.text, /^Fog over the \[#quay\].*\nsince four\n\nAttached: A grey sea/)
  t.equal(passages(parsed).length, 1)
})

t.test('Joplin (RAW): notes have titles, tags and notebooks instead of ids', async t => {
  const id = (digit: string) => digit.repeat(32)
  const file = (digit: string, title: string, fields: Record<string, string>, body = '') =>
    [
      `${id(digit)}.md`,
      [title, '', body, '', ...Object.entries(fields).map(([key, value]) => `${key}: ${value}`)].join('\n'),
    ] as const
  const files = [
    file(
      'a',
      'Oil',
      { id: id('a'), parent_id: id('c'), created_time: '2026-05-01T09:00:00.000Z', type_: '1' },
      `See [it](:/${id('b')}).`,
    ),
    file('b', 'Wick', { id: id('b'), type_: '1' }, 'note: Cotton'),
    file('c', 'Harbour', { id: id('c'), type_: '2' }),
    file('d', 'store', { id: id('d'), type_: '5' }),
    file('e', '', { id: id('e'), note_id: id('a'), tag_id: id('d'), type_: '6' }),
  ]
  const notes = new NoteNames(files.map(([path]) => path))
  const read = async ([path, content]: (typeof files)[number]) =>
    shown(await text('markdown', content, { path, notes }))
  const [a, b, c] = [id('a'), id('b'), id('c')]
  t.strictSame(await read(files[0] as (typeof files)[number]), [
    `${a} is Oil`,
    `${a} alias ${a}`,
    `${a} — links to → ${b}`,
    `${a} — in notebook → ${c}`,
    `Oil: See it. [${a}.md]`,
  ])
  t.match(await read(files[1] as (typeof files)[number]), [`${b} is Wick`])
  t.strictSame(await read(files[2] as (typeof files)[number]), [`${c} is Harbour`])
  t.strictSame(await read(files[4] as (typeof files)[number]), [`${a} — tagged → ${id('d')}`])
  t.match(shown(await text('markdown', '# Plain\n\nNo fields.', { path: `${a}.md` })), [
    `${a} is ${a}`,
    /Plain/,
  ])
})

t.test('Zotero (RDF): things are named by their titles', async t => {
  const rdf =
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:z="http://www.zotero.org/namespaces/export#" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:bib="http://purl.org/net/biblio#"><bib:Book rdf:about="#item_7"><z:itemType>book</z:itemType><dc:title>The Quay</dc:title></bib:Book></rdf:RDF>'
  t.ok(shown(await text('rdfxml', rdf, { path: 'lib.rdf' })).includes('item 7 is The Quay'))
  const other = rdf.replace('<z:itemType>book</z:itemType>', '').replace('zotero', 'other')
  t.ok(shown(await text('rdfxml', other, { path: 'lib.rdf' })).includes('item 7 — title → The Quay'))
})

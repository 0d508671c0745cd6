import t from 'tap'
import { NoteNames } from '../../../engine/formats/notes/note-names.js'
import { chunks, passages, read, shown } from './read.js'
import { documentSink } from './sink.js'

/** The content of a tiddler, and its Markdown. */
async function tiddler(content: string, size = 13) {
  const document = documentSink()
  const notes = new NoteNames(['HelloThere.tid', 'What_.tid', 'note.tid'])
  const parsed = await read('tiddlywiki', chunks(content, size), { path: 'note.tid', document, notes })
  return { parsed, document: document.said[0], markdown: document.said[0]?.text ?? '' }
}

/** The Markdown of some wikitext. */
const text = async (content: string) => (await tiddler(`\n${content}`)).markdown.trim()

t.test('TiddlyWiki: the fields of a tiddler are its title, tags, dates and properties', async t => {
  const content = [
    'created: 20140103091348509\ntags: Learning [[Two words]]\ntitle: What?\ntype: text/vnd.tiddlywiki',
    'list: HelloThere [[What?]]\nfilter: [tag[a]]\nempty:\nrevision: 0\n\nA note about ~TiddlyWiki.',
  ].join('\n')
  for (const size of [1, 100_000]) {
    const { parsed, document, markdown } = await tiddler(content, size)
    t.equal(
      markdown,
      '# What?\n\ncreated:: 2014-01-03 09:13  \ntags:: Learning, [[Two words]]  \nlist:: [[HelloThere]], [[What?]]  \nfilter:: `[tag[a]]`\n\nA note about TiddlyWiki.\n',
    )
    t.match(document, { title: 'What?', tags: ['Learning', 'Two words'], time: Date.UTC(2014, 0, 3, 9, 13) })
    t.match(shown(parsed), ['note is What?', 'note alias note'])
    t.match(passages(parsed), [{ title: 'What?', text: /A note about TiddlyWiki\./ }])
  }
})

const CASES: Record<string, [wikitext: string, markdown: string]> = {
  'bold, italic and other marks': [
    "''bold //both//'' //see http://a.example// __u__ 2^^3^^ H,,2,,O ~~s~~ @@m@@ @@.c n@@ '' loose '' 2*3",
    '**bold *both*** *see http://a.example* <u>u</u> 2<sup>3</sup> H<sub>2</sub>O ~~s~~ ==m== n  loose  2\\*3',
  ],
  links: [
    '[[tag[a]get[b]]] [[HelloThere]] [[label|HelloThere]] [[What?]] [[`a[]`|HelloThere]] [[site|https://a.example/b]] [ext[c|https://c.example]] HelloThere OtherWord ~HelloThere',
    '[[tag[a]get[b]]] [[HelloThere]] [[HelloThere|label]] [[What_|What?]] [`a[]`](<HelloThere>) [site](<https://a.example/b>) [c](<https://c.example>) [[HelloThere]] OtherWord HelloThere',
  ],
  'pictures and what is shown of others': [
    '[img[lamp.png]] [img width=80 [A lamp|lamp.png]] [img[On|https://a.example/b.png]] {{HelloThere}} {{HelloThere!!title}} {{{ [tag[a]] }}}',
    '![[lamp.png]] ![[lamp.png|A lamp]] ![On](<https://a.example/b.png>) ![[HelloThere]] `{{HelloThere!!title}}` `{{{ [tag[a]] }}}`',
  ],
  'macros, widgets and elements': [
    'A <<now "YYYY">> <$count filter="[tag[a]]"/> <$link to="HelloThere">here</$link> <span class="x">b</span> <a href="https://a.example">c</a> `<<d>>`',
    'A `<<now "YYYY">>` `<$count filter="[tag[a]]"/>` [[HelloThere|here]] b [c](<https://a.example>) `<<d>>`',
  ],
  'headings and lists': [
    '! One\n!!.c Two\n* a\n** b\n*# c\n# d\n#* e\n; term\n: said\n> quoted\n----\n- no item\n1. none',
    '## One\n\n### Two\n\n- a\n  - b\n  1. c\n1. d\n   - e\n\nterm\n: said\n> quoted\n\n---\n\n\\- no item\n1\\. none',
  ],
  'a quotation': ['a\n<<<.tc\nb\n<<< Ada\nc', 'a\n\n> b\n> \u2014 Ada\n\nc'],
  'a poem and a styled block': ['"""\na\nb\n"""\n@@.big\nc\n@@', 'a  \nb  \nc'],
  code: ["```js\n''a''\n```\n$$$text/html\n<b>\n$$$\nb", "```js\n''a''\n```\n\n```text/html\n<b>\n```\n\nb"],
  programs: [
    '\\define a(b)\n! c\n\\end\n\\whitespace trim\n<$list\n filter="[all[]]">\nd\n</$list>\n<<e """\n! f\n""">>\ng',
    '```\n\\define a(b)\n! c\n\\end\n```\n\n```\n\\whitespace trim\n```\n\n```\n<$list\n filter="[all[]]">\n```\n\nd\n\n```\n<<e """\n! f\n""">>\n```\n\ng',
  ],
  tables: [
    '|!a |!b |\n|c |[[d|HelloThere]] |\n|~ |`e|f` |\n|A table|c\n|g|h|k',
    'A table\n\n| a | b |\n| --- | --- |\n| c | [[HelloThere\\|d]] |\n|  | `e\\|f` |',
  ],
  'a table without headings': ['|a|b|\n|c|d|', '|  |  |\n| --- | --- |\n| a | b |\n| c | d |'],
  'an element of several lines': ['<h2\nclass="a"\n>\nb\n</h2>', 'b'],
}
for (const [name, [wikitext, markdown]] of Object.entries(CASES))
  t.test(`TiddlyWiki: ${name}`, async t => t.equal(await text(wikitext), markdown))

t.test('TiddlyWiki: Markdown stays as it is, and other types are code', async t => {
  t.equal((await tiddler('type: text/x-markdown\n\n*a* [[b]]\n')).markdown, '*a* [[b]]\n')
  t.equal((await tiddler('type: text/css\n\na {}')).markdown, '````\na {}\n````\n')
  t.equal((await tiddler('type: text/css')).markdown, '````\n````\n')
  t.equal((await tiddler('No fields')).markdown, 'No fields\n')
})

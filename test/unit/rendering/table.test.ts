import t from 'tap'
import { parseDocument } from '../../../engine/rendering/document.js'

/** The rows of a table as shown, cells separated by bars. */
function rowsOf(text: string): string[] {
  const { html } = parseDocument('table', text).render({
    resolve: () => null,
    passages: [{ id: '7', line: 3, isRead: true }],
  })
  return Array.from(html.matchAll(/<tr([^>]*)>(.*?)<\/tr>/gs), ([, attributes = '', row = '']) => {
    const cells = Array.from(row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs), ([, cell]) => cell)
    return `${attributes.includes('p-7') ? '#7 ' : ''}${cells.join('|')}`
  })
}

t.test('a table is shown as it is read, whatever its fields are written with', async t => {
  const tables: [text: string, rows: string[], about: string][] = [
    ['a,b\n1,"x, y"\n2,z\n', ['a|b', '1|x, y', '#7 2|z'], 'commas'],
    ['a;b\n1,5;2\n3;4\n', ['a|b', '1,5|2', '#7 3|4'], 'semicolons'],
    ['a|b\n1|2\n3|4\n', ['a|b', '1|2', '#7 3|4'], 'bars'],
    ['\ufeffsep=;\na;b\n1;2\n', ['a|b', '#7 1|2'], 'the first line of Excel is no row'],
    ['a,b\n"x \\"y\\" z",2\n', ['a|b', 'x &quot;y&quot; z|2'], 'a backslash before quotation marks'],
    ['a,b\n"two\nlines" ,2\n', ['a|b', '#7 two\nlines|2'], 'a field of two lines, with a space behind it'],
    ['a,b\r1,2\r3,4\r', ['a|b', '1|2', '#7 3|4'], 'line ends of old programs'],
    ['a,b\n1,2\n\nc,d\n3,4\n', ['a|b', '1|2', '#7 ', 'c|d', '3|4'], 'an empty line between two tables'],
  ]
  for (const [text, rows, about] of tables) t.same(rowsOf(text), rows, about)
})

t.test('a quotation mark that is never closed is a letter, and the rows behind it stay rows', async t => {
  const rows = rowsOf('name,n\n"Unclosed,1\nBo,2\n"Ok ""q""",3\n')
  t.same(rows, ['name|n', '&quot;Unclosed|1', '#7 Bo|2', 'Ok &quot;q&quot;|3'])
})

t.test('slides have headings, tables and lists, and ids that no two share', t => {
  const slide = '## Rota\n\n| Day | Who |\n| --- | --- |\n| Mon | Ines |\n'
  const { html, outline } = parseDocument('slides', `${slide}\f${slide}\nOne\n  - Two\n`).render({
    resolve: () => null,
    passages: [{ id: 'a', line: 7 }],
  })
  t.equal(html.match(/<table>/g)?.length, 2)
  t.notMatch(html, /##|\|/)
  t.match(html, /<li>Two/)
  t.equal(html.match(/id="p-a"/g)?.length, 1)
  t.equal(new Set(outline.map(({ id }) => id)).size, 2)
  t.match(html, /<h2 class="page" id="h-page-2">2<\/h2>/)
  t.end()
})

t.test('a web page is shown without hidden elements and readings above words', t => {
  const { html } = parseDocument(
    'html',
    '<p hidden>a</p><p style="display:none">b<b>c</b></p><dialog><p>d</p></dialog><p><ruby>灯<rt>とう</rt></ruby>x</p>',
  ).render({ resolve: () => null, passages: [] })
  t.equal(html, '<p>灯x</p>')
  t.end()
})

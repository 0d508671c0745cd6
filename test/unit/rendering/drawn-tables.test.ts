import t from 'tap'
import { parseDocument } from '../../../engine/rendering/document.js'
import { renderPassage } from '../../../engine/rendering/markdown/markdown.js'

const resolve = () => null
const render = (text: string) => parseDocument('markdown', text).render({ resolve, passages: [] })

const GRID =
  '+--------+------+\n| A      | B    |\n+========+:====:+\n| **b**  | - y  |\n|        | - z  |\n+--------+------+'
const DRAWN: Record<string, string> = {
  'a grid table of Pandoc': GRID,
  'a simple table of Pandoc': '  Right Left\n------- -----\n     12 a\n      1 c d',
  'a simple table without a head': '---- ----\na    b\n---- ----',
  'a table of reStructuredText': '===== =====\nA     B\n===== =====\na     b\n===== =====',
  'a table of several lines':
    '--------------\n A     B\n       b\n------ -------\na      1\nb      2\n\nc      3\n--------------',
  'a table of Org mode': '| a | b |\n|---+---|\n| 1 | 2 |\n|---+---|\n| 3 | 4 |',
}

for (const [name, text] of Object.entries(DRAWN))
  t.test(`Markdown: ${name} is shown as it is drawn`, async t =>
    t.equal(
      render(`x\n\n${text}\n\ny`).html,
      `<p>x</p>\n<pre><code class="drawn">${text}\n</code></pre>\n<p>y</p>\n`,
    ),
  )

const OTHERS: Record<string, [text: string, html: string]> = {
  'a drawn table in a quotation ends with it': [
    '> +---+\n> | a |\nb',
    '<blockquote>\n<pre><code class="drawn">+---+\n| a |\n</code></pre>\n</blockquote>\n<p>b</p>',
  ],
  'a line between two of dashes is text': ['--- ---\n\na\n\n--- ---', '<hr>\n<p>a</p>\n<hr>'],
  'rules without columns frame text': ['-----\na\n\nb\n-----', '<hr>\n<p>a</p>\n<h2 id="h-b">b</h2>'],
  'a table of bars is a table': ['| a |\n|---|\n| 1 |', '<table>\n<thead>\n<tr>\n<th>a</th>'],
  'an item with a plus sign is none': ['+ a\n+ b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
}

for (const [name, [text, html]] of Object.entries(OTHERS))
  t.test(`Markdown: ${name}`, async t => t.match(render(text).html, html))

t.test('a passage has its place at a drawn table', async t => {
  const passages = [1, 8].map(line => ({ id: String(line), line }))
  const { html } = parseDocument('markdown', `${GRID}\n\nc`).render({ resolve, passages })
  t.match(html, /<section class="place" id="p-1">.*<pre>.*<section class="place" id="p-8">\n?<p>c/s)
})

t.test('a passage of an answer whose spaces were left out is shown in the same way', async t => {
  const text = '+-------+-----+\n| A | B |\n+=======+=====+\n| a | b |\n+-------+-----+'
  t.match(renderPassage(text, resolve), `<pre><code class="drawn">${text}\n</code></pre>`)
})

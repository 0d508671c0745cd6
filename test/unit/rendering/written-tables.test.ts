import t from 'tap'
import { parseDocument } from '../../../engine/rendering/document.js'
import { renderPassage } from '../../../engine/rendering/markdown/markdown.js'

const resolve = (target: string) => (target === 'Home' ? { href: '/d/Home.md' } : null)
const render = (text: string) => parseDocument('markdown', text).render({ resolve, passages: [] })

const CASES: Record<string, [text: string, html: string]> = {
  'a grid table': [
    '+--------+------+\n| A      | B    |\n+========+:====:+\n| a      | - x  |\n| **b**  | - y  |\n+--------+------+\n\n: What it _shows_',
    '<div class="scroll" tabindex="0"><table>\n<thead>\n<tr>\n<th>A</th>\n<th class="center">B</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>a\n<strong>b</strong></td>\n<td class="center">\n<ul>\n<li>x</li>\n<li>y</li>\n</ul>\n</td>\n</tr>\n</tbody>\n</table></div>\n<p class="caption">What it <em>shows</em></p>',
  ],
  'a grid table with wide letters and cells over columns': [
    '+------+---+\n| 日本 | a |\n+------+---+\n| c        |\n+----------+',
    '<div class="scroll" tabindex="0"><table>\n<tbody>\n<tr>\n<td>日本</td>\n<td>a</td>\n</tr>\n<tr>\n<td colspan="2">c</td>\n</tr>\n</tbody>\n</table></div>',
  ],
  'a grid table that is not drawn exactly': [
    '+---+---+\n| a | longer |\n+---+---+',
    '<div class="scroll" tabindex="0"><table>\n<tbody>\n<tr>\n<td>a</td>\n<td>longer</td>\n</tr>\n</tbody>\n</table></div>',
  ],
  'a grid table in a quotation': [
    '> +---+---+\n> | a | b |\n> +---+---+',
    '<blockquote>\n<div class="scroll" tabindex="0"><table>\n<tbody>\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n</tbody>\n</table></div>\n</blockquote>',
  ],
  'what only begins as a grid table': [
    '+---+---+\n| a |\n+---+---+\n\n+ b',
    '<p>+---+---+\n| a |\n+---+---+</p>\n<ul>\n<li>b</li>\n</ul>',
  ],
  'a simple table': [
    '  Right Left   Center  Both\n------- ----- -------- ----\n     12 a        b     1\n      1 c d      e     2\n\nx',
    '<div class="scroll" tabindex="0"><table>\n<thead>\n<tr>\n<th class="right">Right</th>\n<th>Left</th>\n<th class="center">Center</th>\n<th>Both</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td class="right">12</td>\n<td>a</td>\n<td class="center">b</td>\n<td>1</td>\n</tr>\n<tr>\n<td class="right">1</td>\n<td>c d</td>\n<td class="center">e</td>\n<td>2</td>\n</tr>\n</tbody>\n</table></div>\n<p>x</p>',
  ],
  'a simple table without a head': [
    '---- ----\na    b\n---- ----',
    '<div class="scroll" tabindex="0"><table>\n<tbody>\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n</tbody>\n</table></div>',
  ],
  'a table of reStructuredText': [
    '===== =====\nA     B\n===== =====\na     b\n===== =====',
    '<div class="scroll" tabindex="0"><table>\n<thead>\n<tr>\n<th>A</th>\n<th>B</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n</tbody>\n</table></div>',
  ],
  'a table of several lines': [
    '--------------\n A     B\n       b\n------ -------\na      1\nb      2\n\nc      3\n--------------\n',
    '<div class="scroll" tabindex="0"><table>\n<thead>\n<tr>\n<th class="center">A</th>\n<th>B\nb</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td class="center">a\nb</td>\n<td>1\n2</td>\n</tr>\n<tr>\n<td class="center">c</td>\n<td>3</td>\n</tr>\n</tbody>\n</table></div>',
  ],
  'rules that frame no table': [
    '---- ----\n\na b c d e f g h i\n\n---- ----',
    '<hr>\n<p>a b c d e f g h i</p>\n<hr>',
  ],
  'text between rules with gaps': [
    '---- ----\na sentence that is longer\n---- ----',
    '<hr>\n<p>a sentence that is longer</p>\n<hr>',
  ],
  'a table of Org': [
    '| a | b |\n|---+---|\n| 1 | 2 |\n|---+---|\n| 3 | 4 |',
    '<div class="scroll" tabindex="0"><table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n<tr>\n<td>3</td>\n<td>4</td>\n</tr>\n</tbody>\n</table></div>',
  ],
  'the caption of a table': [
    '| a |\n|---|\n| 1 |\n\nTable: All [[Home]]\n\nx\n\nTable: y',
    '<div class="scroll" tabindex="0"><table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n</tr>\n</tbody>\n</table></div>\n<p class="caption">All <a href="/d/Home.md">Home</a></p>\n<p>x</p>\n<p>Table: y</p>',
  ],
}

for (const [name, [text, html]] of Object.entries(CASES))
  t.test(`Markdown: ${name}`, async t => t.equal(render(text).html.trim(), html))

t.test('passages have their places at tables and their rows', async t => {
  const text = '+---+\n| a |\n+---+\n| b |\n+---+\n\nc'
  const passages = [1, 4, 7].map(line => ({ id: String(line), line }))
  const { html } = parseDocument('markdown', text).render({ resolve, passages })
  t.match(html, /<section class="place" id="p-1">.*<table>.*<tr id="p-4">.*<section class="place" id="p-7">/s)
})

t.test('a passage of an answer whose spaces were left out is still a table', async t => {
  const html = renderPassage(
    '+-------+-----+\n| A | B |\n+=======+=====+\n| a | b |\n+-------+-----+',
    resolve,
  )
  t.match(html, /<th>B<\/th>.*<td>b<\/td>/s)
})

import t from 'tap'
import { parseDocument } from '../../../engine/rendering/document.js'
import { formulaHtml, formulaOf } from '../../../engine/rendering/markdown/formulas.js'

const render = (text: string) => {
  const parsed = parseDocument('markdown', text)
  const { html } = parsed.render({ resolve: () => null, passages: [], formula: formulaHtml })
  return { html, hasFormulas: parsed.hasFormulas }
}

t.test('formulas are MathML with their TeX, in lines and as blocks (issue 57.2)', async t => {
  t.match(render('So $a_1 < b$.'), {
    hasFormulas: true,
    html: '<p>So <math><semantics><mrow><msub><mi>a</mi><mn>1</mn></msub><mo>&lt;</mo><mi>b</mi></mrow><annotation encoding="application/x-tex">a_1 &lt; b</annotation></semantics></math>.</p>\n',
  })
  for (const text of ['$$\n\\sqrt{h}\n$$', '```math\n\\sqrt{h}\n```', '$$ \\sqrt{h} $$'])
    t.match(
      render(text).html,
      /^<div class="formula scroll" tabindex="0"><math display="block"[^>]*><semantics><msqrt><mi>h<\/mi>.*<\/div>\n$/,
      text,
    )
  t.match(render('$5 and `x`'), { hasFormulas: false, html: '<p>$5 and <code>x</code></p>\n' })
})

t.test('formulas have no style, address or id, because pages allow no styles', async t => {
  const tex = [
    '\\color{red}x \\boxed{y} \\begin{array}{c|c}1&2\\\\ \\hline 3&4\\end{array}',
    '\\begin{align}a &= b \\tag{1}\\\\ c &= d\\end{align} \\label{q}',
    '\\cancel{x} \\overline{y} \\underbrace{a}_{b} \\begin{cases}a&b\\\\c&d\\end{cases}',
    '\\text{ style="x" onclick="y" <img src=z> }',
  ]
  for (const one of tex) {
    const html = formulaHtml(one, true) ?? ''
    t.match(html, /^<math .*<\/math>$/s, one)
    t.notMatch(html, / (?:style|href|src|id|on\w+)="/, one)
    t.notMatch(html, /<(?:img|a|script)\b/, one)
  }
  t.match(formulaHtml('\\color{red}x', false), '<mi mathcolor="#ff0000">x</mi>')
  t.match(formulaHtml('\\boxed{y}', false), 'data-border="all"')
})

t.test('a formula that is not understood, too long, or defines commands stays code', async t => {
  for (const tex of [
    '\\unknown{x}',
    '\\frac{1}',
    '\\href{https://a.example}{x}',
    '\\class{x}{y}',
    '\\def\\a{b}\\a',
    '\\newcommand{\\a}{b}\\a',
    '\\let\\a\\b',
    'x'.repeat(4_001),
  ]) {
    t.equal(formulaHtml(tex, true), null, tex.slice(0, 30))
    if (tex.length < 100) t.match(render(`$$\n${tex}\n$$`).html, '<pre><code class="math">')
  }
  t.match(render('$\\begin{align}a\\end{align}$').html, '<math display="block"')
})

t.test('at most 100,000 characters of the formulas of a document are drawn', async t => {
  const formula = formulaOf()
  const long = 'x'.repeat(4_000)
  for (let at = 0; at < 25; at++) t.match(formula(long, true), '<math', String(at))
  t.equal(formula('x', true), null)
  t.match(formulaOf()('x', true), '<math', 'another document has its own')
})

t.test('the cover of a note is a picture of the Safe', async t => {
  const resolve = (target: string) =>
    target === 'pics/lamp.png' ? { href: '/i/lamp.png', isImage: true as const } : { href: '/d/x' }
  const html = (text: string) => {
    const parsed = parseDocument('markdown', text)
    t.ok(parsed.targets.includes('pics/lamp.png') || !text.includes('lamp.png'))
    return parsed.render({ resolve, passages: [] }).html
  }
  const image = '<img src="/i/lamp.png" alt="" loading="lazy"><dl class="properties">'
  for (const line of [
    'cover: pics/lamp.png',
    'banner: "![[pics/lamp.png]]"',
    'image: "[[pics/lamp.png|200]]"',
    'cover:\n  image: pics/lamp.png',
  ])
    t.ok(html(`---\n${line}\n---\nText.`).startsWith(image), line)
  for (const line of ['cover: https://a.example/b.png', 'cover: note', 'picture: x', 'cover:'])
    t.notMatch(html(`---\n${line}\n---\nText.`), '<img', line)
})

import t from 'tap'
import { docx } from '../../docx.js'
import { zip } from '../../zip.js'
import { passages, text } from './read.js'

const said = async (format: string, content: string | Buffer) =>
  passages(await text(format, content, { path: `a.${format}` })).map(passage => passage.text)

const run = (text: string) =>
  `<m:r><m:rPr><m:sty m:val="p"/></m:rPr><w:rPr><w:b/></w:rPr><m:t>${text}</m:t></m:r>`
const part = (name: string, text: string) =>
  `<m:${name}>${text.startsWith('<') ? text : run(text)}</m:${name}>`
const math = (content: string) => `<m:oMath>${content}</m:oMath>`

/** The text of Word's formulas in a line. */
const OFFICE: [string, string][] = [
  [`${run('x=')}<m:f>${part('num', '1')}${part('den', 'a+b')}</m:f>`, 'x=1/(a+b)'],
  [`<m:sSup>${part('e', 'x')}${part('sup', '2')}</m:sSup>${run('+y')}`, 'x^2+y'],
  [`<m:sSubSup>${part('e', 'x')}${part('sub', 'i+1')}${part('sup', 'n')}</m:sSubSup>`, 'x_(i+1)^n'],
  [`<m:rad><m:radPr/>${part('deg', '3')}${part('e', 'a b')}</m:rad>`, '3√(a b)'],
  [
    `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${part('sub', 'i=1')}${part('sup', 'n')}${part('e', 'i')}</m:nary>`,
    '∑_(i=1)^n i',
  ],
  [`<m:nary><m:naryPr/>${part('sub', '')}${part('sup', '')}${part('e', 'x')}</m:nary>`, '∫ x'],
  [
    `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=""/></m:dPr>${part('e', 'a')}${part('e', 'b')}</m:d>`,
    '[a|b',
  ],
  [`<m:d>${part('e', '&lt;a&gt;')}</m:d>`, '(<a>)'],
  [`<m:func>${part('fName', 'sin')}${part('e', 'x')}</m:func>`, 'sin x'],
  [
    `<m:m><m:mr>${part('e', '1')}${part('e', '0')}</m:mr><m:mr>${part('e', '0')}${part('e', '1')}</m:mr></m:m>`,
    '1, 0; 0, 1',
  ],
  [`<m:acc><m:accPr><m:chr m:val="̂"/></m:accPr>${part('e', 'x')}</m:acc>`, 'x'],
]

t.test('DOCX: formulas are lines of text at their places (ECMA-376-1 §22.1)', async t => {
  for (const [formula, line] of OFFICE)
    t.strictSame(
      await said(
        'docx',
        docx(
          `<w:p><w:r><w:t xml:space="preserve">So </w:t></w:r>${math(formula)}<w:r><w:t>.</w:t></w:r></w:p>`,
        ),
      ),
      [`So ${line}.`],
    )
  const alone = docx(
    `<w:p><m:oMathPara><m:oMathParaPr><m:jc m:val="left"/></m:oMathParaPr>${math(run('E=mc'))}</m:oMathPara></w:p>`,
  )
  t.strictSame(await said('docx', alone), ['E=mc'])
  const deep = docx(
    `<w:p>${math(`${'<m:e>'.repeat(500)}${run('deep')}${'</m:e>'.repeat(500)}`)}</w:p><w:p><w:r><w:t>After</w:t></w:r></w:p>`,
  )
  t.match((await said('docx', deep)).join(), /After$/)
})

const MATHML: [string, string][] = [
  [
    '<mi>x</mi><mo>=</mo><mfrac><mn>1</mn><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></mfrac>',
    'x = 1/(a + b)',
  ],
  ['<msup><mi>x</mi><mn>2</mn></msup><mo>&#x2212;</mo><msub><mi>y</mi><mi>i</mi></msub>', 'x^2−y_i'],
  [
    '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>',
    '∑_(i = 1)^ni',
  ],
  ['<msqrt><mi>a</mi><mi>b</mi></msqrt><mroot><mi>c</mi><mn>3</mn></mroot>', '√ab3√c'],
  ['<mfenced open="[" close="]"><mi>a</mi><mi>b</mi></mfenced>', '[a, b]'],
  ['<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr></mtable>', '1, 0'],
  [
    '<semantics><mrow><mi>a</mi></mrow><annotation encoding="StarMath 5.0">{a} over {b}</annotation></semantics>',
    'a',
  ],
]

t.test('ODT and web pages: formulas are lines of text at their places (MathML 3 §3)', async t => {
  for (const [formula, line] of MATHML) {
    t.strictSame(await said('html', `<p>So <math display="inline">\n ${formula}\n</math>.</p>`), [
      `So ${line} .`,
    ])
    const odt = zip([
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text' },
      {
        name: 'content.xml',
        content:
          '<office:document-content><office:body><office:text><text:p>So <draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="a"/></draw:frame>.</text:p></office:text></office:body></office:document-content>',
      },
      {
        name: 'Object 1/content.xml',
        content: `<?xml version="1.0"?>\n<math xmlns="http://www.w3.org/1998/Math/MathML">${formula}</math>`,
      },
      {
        name: 'Object 2/content.xml',
        content: '<office:document-content>No formula</office:document-content>',
      },
    ])
    t.strictSame(await said('odt', odt), [`So ${line}.`])
  }
})

t.test('web pages: a formula that is also shown in another way is read once', async t => {
  const math =
    '<math alttext="x"><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math>'
  const katex = (before: string) =>
    `<span class="katex">${before}<span class="katex-html" aria-hidden="true"><span>y</span></span></span>`
  const wikipedia = `<span>${math}</span><img class="mwe-math-fallback-image-inline" alt="{\\displaystyle x}">`
  t.strictSame(await said('html', `<p>So ${katex(math)}.</p>`), ['So x .'])
  t.strictSame(await said('html', `<p>So ${katex('')}.</p>`), ['So y.'], 'shown in one way only')
  t.strictSame(await said('html', `<p>So ${wikipedia}.</p>`), ['So x .'])
})

t.test('DOCX: runs that differ only in how they look are one text, and what is deleted is none', async t => {
  const run = (text: string, more = '') =>
    `<w:r w:rsidR="1"><w:rPr><w:b/><w:sz w:val="2"/></w:rPr>${more}<w:t xml:space="preserve">${text}</w:t></w:r>`
  const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const link = `${field('begin')}<w:r><w:instrText> HYPERLINK "https://a.example/" </w:instrText></w:r>${field('separate')}${run('the ')}${run('plan')}${field('end')}`
  const deleted = `<w:del>${run('gone')}</w:del><w:ins>${run('new ')}</w:ins><w:moveFrom>${run('away')}</w:moveFrom>`
  const merged =
    '<w:p><w:pPr><w:jc w:val="both"/><w:rPr><w:del w:id="1"/></w:rPr></w:pPr><w:r><w:t>One </w:t></w:r></w:p>'
  const choice = `<mc:AlternateContent><mc:Choice>${run('twice')}</mc:Choice><mc:Fallback>${run('once')}</mc:Fallback></mc:AlternateContent>`
  const cell = (text: string) => `<w:tc><w:tcPr><w:tcW w:w="1"/></w:tcPr><w:p>${run(text)}</w:p></w:tc>`
  const box = `<w:r><w:t>Out</w:t><w:pict><v:textbox><w:txbxContent><w:p>${run('in')}${run('side')}</w:p></w:txbxContent></v:textbox></w:pict><w:t>er</w:t></w:r>`
  const body = [
    `${run('Ad')}${run('a ', '<w:tab/>')}${run('<![CDATA[< & ]]>')}${run('&amp; Bo')}`,
    `See ${link}`.replace('See ', run('See ')),
    deleted,
    choice,
    box,
  ].map(content => `<w:p>${content}</w:p>`)
  const rows = `<w:tbl><w:tblPr><w:tblW w:w="1"/></w:tblPr><w:tr><w:trPr><w:del w:id="2"/></w:trPr>${cell('gone')}${cell('gone')}</w:tr><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl>`
  const content = docx(`${body.join('')}${merged}<w:p>${run('line')}</w:p>${rows}`).toString('latin1')
  const [said = ''] = passages(await text('docx', Buffer.from(content, 'latin1'), { path: 'a.docx' })).map(
    passage => passage.text,
  )
  t.strictSame(said.split(/\n+/), [
    'Ad a < & & Bo',
    'See [the plan](https://a.example/)',
    'new',
    'twice',
    'inside',
    'Outer',
    'One line',
    '| a | b |',
    '| --- | --- |',
  ])
})

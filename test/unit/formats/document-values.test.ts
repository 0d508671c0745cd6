import t from 'tap'
import { identify } from '../../../engine/formats/identify.js'
import { docx } from '../../docx.js'
import { type ZipEntry, zip } from '../../zip.js'
import { passages, text } from './read.js'

const part = (name: string, content: string): ZipEntry => ({ name, content })
const said = async (format: string, bytes: Buffer | string) =>
  passages(await text(format, bytes, { path: `a.${format}` }))
    .map(({ title, text }) =>
      `${title.replace(`a.${format}`, '').replace(/^ > /, '')}: ${text}`.replace(/^: /, ''),
    )
    .join('\n\n')

const p = (content: string) => `<w:p>${content}</w:p>`
const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const shifted = (text: string, kind: string) => run(text, `<w:vertAlign w:val="${kind}"/>`)
const relations = (...all: [id: string, type: string, target: string][]) =>
  `<Relationships>${all.map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`).join('')}</Relationships>`

/** A DOCX with further parts, by their types: `footnotes` is `word/footnotes.xml`. */
const docxWith = (body: string, parts: Readonly<Record<string, string>>) =>
  zip([
    part('_rels/.rels', relations(['r', 'officeDocument', 'word/document.xml'])),
    part('word/document.xml', `<w:document><w:body>${body}</w:body></w:document>`),
    part(
      'word/_rels/document.xml.rels',
      relations(
        ...Object.keys(parts).map((type): [string, string, string] => [`r-${type}`, type, `${type}.xml`]),
      ),
    ),
    ...Object.entries(parts).map(([type, xml]) => part(`word/${type}.xml`, xml)),
  ])

const odt = (body: string, styles = '') =>
  zip([
    part('mimetype', 'application/vnd.oasis.opendocument.text'),
    part(
      'content.xml',
      `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ),
  ])
const textStyle = (name: string, properties: string) =>
  `<style:style style:name="${name}" style:family="text"><style:text-properties ${properties}/></style:style>`

const epub = (chapter: string, more: ZipEntry[] = [], items = '', spine = '') =>
  zip([
    part('META-INF/container.xml', '<container><rootfile full-path="b.opf"/></container>'),
    part(
      'b.opf',
      `<package><metadata><dc:title>B</dc:title></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>${items}</manifest><spine ${spine}><itemref idref="c"/></spine></package>`,
    ),
    part('c.xhtml', `<html><body>${chapter}</body></html>`),
    ...more,
  ])

const slide = (body: string) =>
  zip([
    part('ppt/presentation.xml', '<p:presentation><p:sldId r:id="s"/></p:presentation>'),
    part('ppt/_rels/presentation.xml.rels', relations(['s', 'slide', 'slides/1.xml'])),
    part('ppt/slides/1.xml', `<p:sld>${body}</p:sld>`),
  ])
const slideRun = (text: string, baseline = 0) =>
  `<a:r><a:rPr baseline="${baseline}"/><a:t>${text}</a:t></a:r>`

t.test('raised and lowered numbers keep their value', async t => {
  const html: [string, string][] = [
    ['10<sup>23</sup> and 10<sup>-3</sup>', '10²³ and 10⁻³'],
    ['10<sup>−3</sup> m<sup>2</sup>, 5 km<sup>2</sup>', '10⁻³ m², 5 km²'],
    ['e<sup>x</sup>, 2<sup>n+1</sup>, x<sup>n</sup>', 'e^x, 2^(n+1), x^n'],
    ['H<sub>2</sub>O, Ca<sup>2+</sup>, x<sub>i</sub>', 'H₂O, Ca²⁺, xi'],
    ['the 1<sup>st</sup>, 2<sup>e</sup>, M<sup>me</sup>, n<sup>o</sup> 5', 'the 1st, 2e, Mme, no 5'],
    ['<sup>14</sup>C', '¹⁴C'],
    ['x<sup>a<sup>b</sup></sup>, e<sup>x<sub>1</sub></sup>', 'x^(a^b), e^(x₁)'],
    ['<span style="vertical-align: super">a</span>10<span class="sup">6</span>', 'a10⁶'],
    ['Oil burns<sup>1</sup>. So it is.<sup>2,3</sup>', 'Oil burns[1]. So it is.[2,3]'],
    [
      'In 1904<sup><a href="#fn3">3</a></sup> and 5<a href="#n" epub:type="noteref">4</a>',
      'In 1904[3] and 5[4]',
    ],
    ['See<a href="#fn1" class="footnote-ref"><sup>1</sup></a> it<sup>[2]</sup>', 'See[1] it[2]'],
  ]
  for (const [source, expected] of html) {
    t.equal(await said('html', `<p>${source}</p>`), expected, source)
    t.equal((await said('epub', epub(`<p>${source}</p>`))).replace(/^B: /, ''), expected, source)
  }
  t.equal(
    await said(
      'docx',
      docx(
        p(
          `${run('10')}${shifted('2', 'superscript')}${shifted('3', 'superscript')}${run(' H')}${shifted('2', 'subscript')}${run('O')}`,
        ),
      ),
    ),
    '10²³ H₂O',
    'DOCX: also in several runs (ECMA-376-1 §17.3.2.42)',
  )
  t.equal(
    await said(
      'odt',
      odt(
        '<text:p>10<text:span text:style-name="T1">23</text:span> H<text:span text:style-name="T2">2</text:span>O</text:p>',
        textStyle('T1', 'style:text-position="super 58%"') +
          textStyle('T2', 'style:text-position="-33% 58%"'),
      ),
    ),
    '10²³ H₂O',
    'ODT',
  )
  t.equal(
    await said('rtf', '{\\rtf1 10{\\super 23} H\\sub 2\\nosupersub O, 10{\\up6 -3}\\par}'),
    '10²³ H₂O, 10⁻³',
    'RTF',
  )
  t.equal(
    await said(
      'pptx',
      slide(
        `<p:sp><a:p>${slideRun('10')}${slideRun('23', 30_000)}${slideRun(' H')}${slideRun('2', -25_000)}${slideRun('O')}</a:p></p:sp>`,
      ),
    ),
    'Slide 1: 10²³ H₂O',
    'PPTX',
  )
})

t.test('notes stand below the paragraph that refers to them', async t => {
  const notes = `<w:footnotes><w:footnote w:type="separator" w:id="0">${p(run('x'))}</w:footnote><w:footnote w:id="2">${p(run('Green.'))}${p(run('Hot.'))}</w:footnote></w:footnotes>`
  const body =
    p(`${run('Tea')}<w:r><w:footnoteReference w:id="2"/></w:r>${run(' is good.')}`) + p(run('Milk.'))
  t.equal(
    await said('docx', docxWith(body, { footnotes: notes })),
    'Tea[1] is good.\n\n[1] Green. Hot.\n\nMilk.',
  )
  t.equal(
    await said(
      'rtf',
      '{\\rtf1 Tea{\\super\\chftn}{\\footnote\\pard\\plain{\\super\\chftn} Green.} is good.\\par Milk.\\par}',
    ),
    'Tea[1] is good.\n\n[1] Green.\n\nMilk.',
  )
})

const GRID = '| Day | Who | Lamp |\n| --- | --- | --- |\n| Mon | Ines | East |\n| Mon | Ole | Ole |'

t.test('merged cells: each place of the grid has the text of its cell (HTML §4.9.12)', async t => {
  const table =
    '<table><tr><th>Day<th>Who<th>Lamp<tr><td rowspan=2>Mon<td>Ines<td>East<tr><td colspan=2>Ole</table>'
  t.equal(await said('html', table), GRID)
  const closed = table
    .replace(/<(t[hd])([^>]*)>([^<]*)/g, '<$1$2>$3</$1>')
    .replace(/(<\/t[hd]>)(?=<tr>|<\/table>)/g, '$1</tr>')
    .replace(/=(2)/g, '="$1"')
  t.equal(await said('epub', epub(closed)), `B: ${GRID}`)
  t.equal(
    await said('html', '<table><tr><th>a<th>b<tr><td rowspan=0>x<td>1<tr><td>2<tr><td>3</table>'),
    '| a | b |\n| --- | --- |\n| x | 1 |\n| x | 2 |\n| x | 3 |',
    '0: down to the end',
  )
  const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(run(text))}</w:tc>`
  const rows = [
    cell('Day') + cell('Who') + cell('Lamp'),
    cell('Mon', '<w:vMerge w:val="restart"/>') + cell('Ines') + cell('East'),
    cell('', '<w:vMerge/>') + cell('Ole', '<w:gridSpan w:val="2"/>'),
  ]
  t.equal(await said('docx', docx(`<w:tbl>${rows.map(row => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`)), GRID)
  const odfCell = (text: string, attributes = '') =>
    `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`
  const covered = '<table:covered-table-cell/>'
  const odfRows = [
    odfCell('Day') + odfCell('Who') + odfCell('Lamp'),
    odfCell('Mon', 'table:number-rows-spanned="2"') + odfCell('Ines') + odfCell('East'),
    covered + odfCell('Ole', 'table:number-columns-spanned="2"') + covered,
  ]
  t.equal(
    await said(
      'odt',
      odt(
        `<table:table>${odfRows.map(row => `<table:table-row>${row}</table:table-row>`).join('')}</table:table>`,
      ),
    ),
    GRID,
  )
  t.equal(
    await said(
      'rtf',
      '{\\rtf1\\trowd\\cellx1\\cellx2\\cellx3\\pard\\intbl Day\\cell Who\\cell Lamp\\cell\\row\\trowd\\clvmgf\\cellx1\\cellx2\\cellx3 Mon\\cell Ines\\cell East\\cell\\row\\trowd\\clvmrg\\cellx1\\clmgf\\cellx2\\clmrg\\cellx3\\cell Ole\\cell\\cell\\row\\pard\\par}',
    ),
    GRID,
  )
  const pptCell = (text: string, attributes = '') => `<a:tc ${attributes}><a:p>${slideRun(text)}</a:p></a:tc>`
  const pptRows = [
    pptCell('Day') + pptCell('Who') + pptCell('Lamp'),
    pptCell('Mon', 'rowSpan="2"') + pptCell('Ines') + pptCell('East'),
    pptCell('', 'vMerge="1"') + pptCell('Ole', 'gridSpan="2"') + pptCell('', 'hMerge="1"'),
  ]
  t.equal(
    await said(
      'pptx',
      slide(
        `<p:graphicFrame><a:tbl>${pptRows.map(row => `<a:tr>${row}</a:tr>`).join('')}</a:tbl></p:graphicFrame>`,
      ),
    ),
    `Slide 1: ${GRID}`,
  )
})

t.test('hidden text is left out', async t => {
  const shown = 'Seen.'
  const hidden = [
    '<p hidden>x</p>',
    '<p style="color:red; display: none">x</p>',
    '<span style="visibility:hidden">x</span>',
    '<div style="mso-hide:all;max-height:0">x</div>',
    '<template>x</template><dialog>x</dialog><video>x</video>',
  ]
  for (const source of hidden) t.equal(await said('html', `${source}<p>${shown}</p>`), shown, source)
  t.equal(
    await said('html', '<dialog open>a</dialog><details><summary>b</summary><p>c</p></details>'),
    'a\nb\nc',
  )
  const styles = '<w:styles><w:style w:styleId="H"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>'
  const body =
    p(run('x', '<w:vanish/>') + run(shown, '<w:vanish w:val="0"/>')) +
    p(run('x', '<w:rStyle w:val="H"/>')) +
    p(`<w:pPr><w:pStyle w:val="H"/></w:pPr>${run('x')}`)
  t.equal(await said('docx', docxWith(body, { styles })), shown)
  const none = textStyle('T', 'text:display="none"')
  t.equal(
    await said(
      'odt',
      odt(
        `<text:p><text:span text:style-name="T">x</text:span>${shown}<text:hidden-text text:is-hidden="true">x</text:hidden-text></text:p><text:section text:display="none"><text:p>x</text:p></text:section>`,
        none,
      ),
    ),
    shown,
  )
  t.equal(await said('rtf', `{\\rtf1 {\\v x}${shown}\\v y\\v0\\par}`), shown)
  t.equal(
    await said(
      'pptx',
      slide(
        `<p:sp><p:cNvPr hidden="1"/><a:p>${slideRun('x')}</a:p></p:sp><p:sp><a:p>${slideRun(shown)}</a:p></p:sp>`,
      ),
    ),
    `Slide 1: ${shown}`,
  )
})

t.test('readings above words (furigana) are not part of the words', async t => {
  const ruby = '<p><ruby>灯<rp>(</rp><rt>とう</rt><rp>)</rp>台<rt>だい</rt></ruby>の光</p>'
  t.equal(await said('html', ruby), '灯台の光')
  t.equal(await said('epub', epub(ruby)), 'B: 灯台の光')
})

t.test('lists begin at their number and go on from another', async t => {
  t.equal(await said('html', '<ol start=3><li>c<li>d<li value=9>i</ol>'), '3. c\n4. d\n9. i')
  const numbering = `<w:numbering><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num><w:num w:numId="3"><w:abstractNumId w:val="8"/></w:num></w:numbering>`
  const item = (text: string, list: number) =>
    p(`<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${run(text)}`)
  t.equal(
    await said(
      'docx',
      docxWith(
        item('c', 1) +
          item('d', 1) +
          p(run('Then')) +
          item('e', 1) +
          item('dot', 3) +
          item('a', 2) +
          item('b', 2),
        { numbering },
      ),
    ),
    '3. c\n4. d\n\nThen\n\n5. e\n- dot\n1. a\n2. b',
  )
  const list = (attributes: string, ...items: string[]) =>
    `<text:list text:style-name="L" ${attributes}>${items.map(text => `<text:list-item><text:p>${text}</text:p></text:list-item>`).join('')}</text:list>`
  const style =
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" text:start-value="3"/></text:list-style>'
  t.equal(
    await said(
      'odt',
      odt(`${list('', 'c', 'd')}<text:p>Then</text:p>${list('text:continue-numbering="true"', 'e')}`, style),
    ),
    '3. c\n4. d\n\nThen\n\n5. e',
  )
  t.equal(
    await said('rtf', "{\\rtf1{\\listtext 3.\\tab}c\\par{\\pntext\\f1\\'b7\\tab}dot\\par Then\\par}"),
    '3. c\n- dot\n\nThen',
  )
  t.equal(
    await said(
      'pptx',
      slide(
        `<p:sp><a:p><a:pPr><a:buAutoNum type="arabicPeriod" startAt="3"/></a:pPr>${slideRun('c')}</a:p><a:p><a:pPr><a:buAutoNum startAt="3"/></a:pPr>${slideRun('d')}</a:p></p:sp>`,
      ),
    ),
    'Slide 1: 3. c\n4. d',
  )
})

t.test('headings by outline level, of the paragraph or of its style (ECMA-376-1 §17.3.1.20)', async t => {
  const styles =
    '<w:styles><w:style w:styleId="A"><w:name w:val="Kapitel"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style><w:style w:styleId="H"><w:name w:val="heading 3"/></w:style></w:styles>'
  const styled = (style: string, text: string) => p(`<w:pPr><w:pStyle w:val="${style}"/></w:pPr>${run(text)}`)
  const own = p(`<w:pPr><w:outlineLvl w:val="0"/></w:pPr>${run('Top')}`)
  t.equal(
    await said(
      'docx',
      docxWith(own + styled('B', 'Wicks') + styled('H', 'Old') + p(run('Text')), { styles }),
    ),
    'Top > Wicks > Old: Text',
  )
})

t.test('DOCX: tick boxes, comments, headers, symbols, charts and SmartArt', async t => {
  const box = (value: number) =>
    `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${value}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run('☒')}</w:sdtContent></w:sdt>`
  const field = `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMCHECKBOX </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
  const chart =
    '<c:chartSpace><c:chart><c:title><a:t>Litres</a:t></c:title><c:plotArea><c:ser><c:tx><c:pt idx="0"><c:v>East</c:v></c:pt></c:tx><c:cat><c:pt idx="0"><c:v>May</c:v></c:pt></c:cat><c:val><c:pt idx="0"><c:v>4.5</c:v></c:pt></c:val></c:ser></c:plotArea></c:chart></c:chartSpace>'
  const diagramData =
    '<dgm:dataModel><dgm:pt modelId="0" type="doc"/><dgm:pt modelId="1"><a:p><a:t>Fetch</a:t></a:p></dgm:pt><dgm:pt modelId="2"><a:p><a:t>Oil</a:t></a:p></dgm:pt><dgm:cxn srcId="0" destId="1"/><dgm:cxn srcId="1" destId="2"/></dgm:dataModel>'
  const parts = {
    header: `<w:hdr>${p(run('Harbour of Oslo'))}</w:hdr>`,
    footer: `<w:ftr>${p(run('Page 3'))}</w:ftr>`,
    comments: `<w:comments><w:comment w:id="4" w:author="Ines">${p(run('Sure?'))}</w:comment></w:comments>`,
    chart,
    diagramData,
  }
  const body = [
    box(1) + run('Oil ') + box(0) + run('Wick ') + field + run('Lamp'),
    `<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>${run(' Ready')}<w:r><w:commentReference w:id="4"/></w:r>`,
    '<w:r><w:drawing><c:chart r:id="r-chart"/></w:drawing></w:r>',
    '<w:r><w:drawing><dgm:relIds r:dm="r-diagramData"/></w:drawing></w:r>',
  ]
  t.equal(
    await said('docx', docxWith(body.map(p).join(''), parts)),
    'Header: Harbour of Oslo\n\n[x] Oil [ ] Wick [x] Lamp\n\n☑ Ready\n\nComment by Ines: Sure?\n\nLitres\n\n|  | East |\n| --- | --- |\n| May | 4.5 |\n\n- Fetch\n  - Oil',
  )
})

t.test('RTF: links, title and comments', async t => {
  const link = '{\\field{\\*\\fldinst{HYPERLINK "https://a.example/r"}}{\\fldrslt{the link}}}'
  const comment = '{\\*\\atnid IE}{\\*\\atnauthor Ines}{\\*\\annotation\\pard Sure?}'
  t.equal(
    await said('rtf', `{\\rtf1{\\info{\\title Log}} See ${link}.${comment}\\par Next\\par}`),
    'See [the link](https://a.example/r).\n\nComment by Ines: Sure?\n\nNext',
  )
})

t.test('EPUB: chapters without headings have the names of the table of contents', async t => {
  const nav = part(
    'nav.xhtml',
    '<html><nav epub:type="toc"><ol><li><a href="c.xhtml">Oil</a><ol><li><a href="c.xhtml#w">Wick</a></li></ol></li></ol></nav></html>',
  )
  const item = '<item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
  const chapter = '<p>Colza.</p><p id="w">Cotton.</p>'
  t.equal(await said('epub', epub(chapter, [nav], item)), 'B > Oil: Colza.\n\nB > Oil > Wick: Cotton.')
  const ncx = part(
    't.ncx',
    '<ncx><navMap><navPoint><navLabel><text>Oil</text></navLabel><content src="c.xhtml"/></navPoint></navMap></ncx>',
  )
  const items = '<item id="t" href="t.ncx" media-type="application/x-dtbncx+xml"/>'
  t.equal(await said('epub', epub('<p>Colza.</p>', [ncx], items)), 'B > Oil: Colza.')
  t.equal(await said('epub', epub('<h1>Own</h1><p>Colza.</p>', [ncx], items)), 'B > Own: Colza.')
})

t.test('a web page saved in one file (MHTML, RFC 2557) is a page', async t => {
  const page =
    'From: <Saved by Blink>\nSnapshot-Content-Location: https://a.example/\nSubject: Log\nMIME-Version: 1.0\nContent-Type: multipart/related; type="text/html"; boundary="b"\n\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<html><head><title>Log</title></head><body><h2>Oil</h2><p style=3D"a">Caf=C3=A9</p></body></html>\n--b--\n'
  t.equal(await said('mhtml', page), 'Oil: Café')
  t.match(identify('page.mht', Buffer.from(page)), { format: { id: 'mhtml' } })
  t.match(identify('page.bin', Buffer.from(page)), { format: { id: 'mhtml' } })
})

t.test('ODT: charts are tables, and headers come once (OpenDocument 1.3 part 3 §11 and §16.11)', async t => {
  const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`
  const row = (...cells: string[]) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`
  const chart = `<office:chart><chart:chart><chart:title><text:p>Litres per night</text:p></chart:title><table:table><table:table-rows>${row('', 'Oil')}${row('May', '7')}</table:table-rows></table:table></chart:chart></office:chart>`
  const header = (text: string) =>
    `<style:master-page><style:header><text:p>${text}</text:p></style:header><style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer></style:master-page>`
  const body =
    '<text:p>See<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame> it.</text:p><text:p>End.</text:p>'
  const bytes = zip([
    part('mimetype', 'application/vnd.oasis.opendocument.text'),
    part(
      'styles.xml',
      `<office:document-styles>${header('Lamp log')}${header('Lamp log')}</office:document-styles>`,
    ),
    part('content.xml', `<office:document-content>${body}</office:document-content>`),
    part('Object 1/content.xml', chart),
  ])
  t.equal(
    await said('odt', bytes),
    'Header: Lamp log\n\nSee it.\n\nLitres per night\n\n|  | Oil |\n| --- | --- |\n| May | 7 |\n\nEnd.',
  )
})

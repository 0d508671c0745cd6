import { randomBytes } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import t from 'tap'
import { NoteNames } from '../../../engine/formats/notes/note-names.js'
import { utf8Of } from '../../../engine/formats/shared/encoding.js'
import { UnreadableFile } from '../../../engine/formats/shared/format.js'
import { docx } from '../../docx.js'
import { pdf } from '../../pdf.js'
import { zip } from '../../zip.js'
import { chunks, passages, read, text } from './read.js'

const url = (name: string) => new URL(`../../fixtures/documents/${name}`, import.meta.url)
const document = (name: string) =>
  read(name.slice(name.lastIndexOf('.') + 1), createReadStream(url(name)), { path: name })
const bytesOf = (name: string) => readFileSync(url(name))
const texts = (parsed: Awaited<ReturnType<typeof text>>) =>
  passages(parsed).map(({ title, text }) => `${title}: ${text}`)
/** Why a file is not read at all. */
const refusal = (format: string, content: string | Uint8Array) =>
  read(format, chunks(content, 65_536), { path: `file.${format}` }).then(
    () => null,
    error => (error instanceof UnreadableFile ? error.message : error),
  )
const page = (body: string) => text('html', `<title>T</title>${body}`, { path: 'a.html' }).then(texts)

t.test('HTML: broken and unusual pages', async t => {
  t.strictSame(await page('<h1>One<br>two</h1>x'), ['a.html > One two: x'])
  t.strictSame(await page('<h2>Never closed<p>x'), ['a.html > Never closed: x'])
  t.strictSame(await page('<h2>Empty</h2><h2>Next</h2>x'), ['a.html > Empty: Empty', 'a.html > Next: x'])
  t.strictSame(await page('<table><tr><td><table><tr><td>a<td>b</table><p>c<td>d</table>e'), [
    'a.html: | a | b |\n| --- | --- |\n\nc\nd\n\ne',
  ])
  t.strictSame(await page('a &amp; b &lt;i&gt; &nonsense; &#x1F600;'), ['a.html: a & b <i> &nonsense; 😀'])
  t.strictSame(await page('<p>a</p></div></b><![CDATA[c]]><!-- d --><?e?>f'), ['a.html: a\n\nf'])
  t.strictSame(await page('<svg><title>no</title><text>no</text></svg>x<template><p>no</template>y'), [
    'a.html: xy',
  ])
  t.strictSame(await page('<pre>a<br>  b\nc<div>d</div><ol><li>e<li>f</ol></pre>g'), [
    'a.html: ```\na\n  b\nc\nd\ne\nf\n```\n\ng',
  ])
  t.strictSame(await page('<img alt="C:\\a b.JPG">x<table><tr><td><td> <tr><td>a<td>b</table>'), [
    'a.html: x\n| a | b |\n| --- | --- |',
  ])
  for (const [numbers, code] of [
    ['gutter', 'code'],
    ['rouge-gutter gl', 'rouge-code'],
    ['linenos', 'code'],
  ] as const)
    t.strictSame(
      await page(
        `<table><tr><td class="${numbers}"><pre>1<br>2</pre></td><td class="${code}"><pre>a<br>  b</pre></td></tr></table>x`,
      ),
      ['a.html: ```\na\n  b\n```\n\nx'],
      numbers,
    )
  const boxes =
    '<ul><li><input type=checkbox checked>a<li><input type=checkbox>b<li><div class="checkbox checkbox-on"></div>c</ul>'
  t.strictSame(await page(boxes), ['a.html: - [x] a\n- [ ] b\n- [x] c'])
  const folder = { path: 'docs/index.html', notes: new NoteNames() }
  t.match(passages(await text('html', '<p>x', folder)), [
    { entity: 'docs/index.html', source: 'docs/index.html' },
  ])
})

t.test('HTML: character sets that a page names, and those it should name (HTML §4.2.5.4)', async t => {
  const told: string[] = []
  const textIn = (bytes: Uint8Array) =>
    read(
      'html',
      utf8Of(chunks(bytes, 65_536), true, charset => told.push(charset)),
      { path: 'a.html' },
    ).then(texts)
  const pages: [page: string, text: string][] = [
    ['<meta charset="iso-8859-1"><p>Malm\xf6', 'Malmö'],
    ['<META http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>\xcc\xe0\xff\xea', 'Маяк'],
    ['<?xml version="1.0"?><html><meta charset=koi8-r><p>\xed\xc1\xd1\xcb', 'Маяк'],
    ['\xef\xbb\xbf<meta charset=latin1><p>Malm\xc3\xb6', 'Malmö'],
    ['<meta charset=utf-16><p>Malm\xc3\xb6', 'Malmö'],
    ['<meta charset="klingon"><p>Malm\xc3\xb6', 'Malmö'],
  ]
  for (const [page, text] of pages)
    t.strictSame(await textIn(Buffer.from(page, 'latin1')), [`a.html: ${text}`], page)
  t.strictSame(told, [])
  for (const page of ['<p>Malm\xf6', '<meta charset=utf-8><p>Malm\xf6'])
    t.strictSame(await textIn(Buffer.from(page, 'latin1')), ['a.html: Malmö'], page)
  t.strictSame(told, ['windows-1252', 'windows-1252'], 'what the page does not say is reported')
  t.equal(await refusal('html', '<title>T</title><script>x</script>'), 'This page has no text.')
})

t.test('PDF: a picture of a page, another file, half a file and one with a password are refused', async t => {
  t.match(await refusal('pdf', bytesOf('scan.pdf')), /^This PDF has no text; its pages are pictures\./)
  t.match(await refusal('pdf', 'Hello'), /^This is not a PDF: it does not begin with “%PDF-”\.$/)
  t.match(await refusal('pdf', '%PDF-1.7\nnothing else'), /^This PDF is damaged/)
  t.match(await refusal('pdf', bytesOf('locked.pdf')), /^This PDF has a password\./)
})

t.test(
  'PDF: a font whose table of characters would have sixteen million places is read by its encoding',
  async t => {
    const font = (last: string) =>
      pdf([
        '<</Type /Catalog /Pages 2 0 R>>',
        '<</Type /Pages /Kids [3 0 R] /Count 1>>',
        '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>>',
        ['', Buffer.from('BT /F 9 Tf 50 700 Td (cat) Tj ET')],
        '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R>>',
        ['', Buffer.from(`begincmap 2 beginbfchar <63> <0062> <${last}> <0062> endbfchar endcmap`)],
      ])
    for (const [last, word] of [
      ['64', 'bat'],
      ['ffffff', 'cat'],
    ] as const)
      t.strictSame(texts(await text('pdf', font(last), { path: 'a.pdf' })), [`a.pdf > Page 1: ${word}`])
  },
)

const container = (path: string) => ({
  name: 'META-INF/container.xml',
  content: `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="${path}"/></rootfiles></container>`,
})
const opf = (spine: string) => ({
  name: 'OPS/book.opf',
  content: `<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title> The
 B
</dc:title></metadata><manifest>
    <item id="a" href="first%20chapter.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.png" media-type="image/png"/>
    </manifest><spine>${spine}</spine></package>`,
})
const chapter = {
  name: 'OPS/first chapter.xhtml',
  content: '<html><head><title/><script/></head><body>Text.</body></html>',
}

t.test('EPUB: paths are relative to the package, and what is missing or protected is named', async t => {
  const good = [container('OPS/book.opf'), opf('<itemref idref="a"/><itemref idref="b"/>'), chapter]
  t.strictSame(texts(await text('epub', zip(good), { path: 'b.epub' })), ['The B: Text.'])
  const named = good.map(part =>
    JSON.parse(JSON.stringify(part).replaceAll('first%20chapter', '表紙').replace('first chapter', '表紙')),
  )
  t.strictSame(texts(await text('epub', zip(named))), ['The B: Text.'], 'names in UTF-8 that is not declared')
  t.equal(await refusal('epub', zip(good.slice(1))), '“META-INF/container.xml” is missing in this EPUB.')
  t.equal(await refusal('epub', zip(good.slice(0, 2))), '“OPS/first chapter.xhtml” is missing in this EPUB.')
  t.match(await refusal('epub', zip([container('OPS/book.opf'), opf('')])), /^This EPUB has no text/)
  t.equal(await refusal('epub', 'Hello'), 'This is not a complete EPUB.')
  const cipher = '<encryption><CipherReference URI="OPS/first%20chapter.xhtml"/></encryption>'
  const locked = zip([...good, { name: 'META-INF/encryption.xml', content: cipher }])
  t.match(await refusal('epub', locked), /protected against copying/)
})

t.test('DOCX: other files, old documents and documents without text are refused', async t => {
  t.equal(await refusal('docx', 'Hello'), 'This is not a complete DOCX.')
  t.equal(await refusal('docx', bytesOf('report.docx').subarray(0, 4_000)), 'This is not a complete DOCX.')
  t.match(await refusal('docx', bytesOf('book.epub')), /^This is not a DOCX document/)
  t.match(await refusal('docx', Buffer.from('d0cf11e0a1b11ae1ff', 'hex')), /^This document has a password or/)
})

t.test('DOCX: text in elements that only say how it is shown', async t => {
  const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
  const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${run('とうきょう')}</w:rt><w:rubyBase>${run('東京')}</w:rubyBase></w:ruby></w:r>`
  const body = `${run('Table ')}<w:fldSimple w:instr=" SEQ Table ">${run('1')}</w:fldSimple><w:dir w:val="rtl">${run(' co')}</w:dir>${ruby}`
  const parsed = await text('docx', docx(`<w:p>${body}</w:p>`), { path: 'a.docx' })
  t.strictSame(texts(parsed), ['a.docx: Table 1 co東京'])
})

t.test('documents are read wherever the file is cut', async t => {
  for (const name of ['page.html', 'report.docx', 'book.epub']) {
    const format = name.slice(name.lastIndexOf('.') + 1)
    const whole = await document(name)
    for (const size of [1, 5, 1_000])
      t.strictSame(await read(format, chunks(bytesOf(name), size), { path: name }), whole, `${name}, ${size}`)
  }
})

t.test('a DOCX that unpacks to too much is refused before it is unpacked', async t => {
  const part = (content: Buffer, more = {}) => zip([{ name: '_rels/.rels', content, ...more }])
  const spaces = Buffer.alloc(30 * 1_048_576, ' ')
  const bomb = '“_rels/.rels” would unpack to more than 200 times its size.'
  t.equal(await refusal('docx', part(spaces)), bomb)
  t.equal(await refusal('docx', part(spaces, { size: 1_000 })), '“_rels/.rels” in this DOCX is damaged.')
  // Deflate reduces it to a hundredth.
  const large = part(Buffer.alloc(33 * 1_048_576, Buffer.concat([randomBytes(400), Buffer.alloc(40_000)])))
  t.equal(await refusal('docx', large), '“_rels/.rels” is larger than 32 MiB.')
  t.equal(await refusal('docx', Buffer.alloc(65 * 1_048_576, 'PK')), 'This DOCX is larger than 64 MiB.')
})

t.test('entities of a DTD multiply in no document', async t => {
  const entities = Array.from({ length: 30 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`)
  const doctype = `<!DOCTYPE a [<!ENTITY a0 "ha">${entities.join('')}]>`
  const word = docx('<w:p><w:r><w:t>Some &a30; text.</w:t></w:r></w:p>', doctype)
  t.strictSame(texts(await text('docx', word, { path: 'a.docx' })), ['a.docx: Some &a30; text.'])
  const content = `${doctype}<container><rootfile full-path="&a30;"/></container>`
  const book = zip([{ name: 'META-INF/container.xml', content }])
  t.equal(await refusal('epub', book), '“&a30;” is missing in this EPUB.')
  t.equal((await page(`${doctype}<p>Some &a30; text.`)).length, 1)
})

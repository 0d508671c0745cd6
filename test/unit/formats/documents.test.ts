import { randomBytes } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import t from 'tap'
import { UnreadableFile } from '../../../formats/readers/index.js'
import { NoteNames } from '../../../formats/readers/note-names.js'
import { docx } from '../../docx.js'
import { zip } from '../../zip.js'
import { chunks, passages, problems, read, records, shown, text } from './read.js'

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

const dredging =
  'The channel is dredged every spring to a depth of nine metres. The dredger is called Marta; her master is Jonas ' +
  'Lindqvist, who learned the trade from his mother and has kept the tide tables of the harbour since 1999, together ' +
  'with the volunteers of the lighthouse cooperative.'

t.test('HTML: headings, lists, tables and code; no scripts, menus and hidden parts', async t => {
  const parsed = await document('page.html')
  t.strictSame(problems(parsed), [])
  t.strictSame(
    records(parsed).filter(({ kind }) => kind !== 'passage'),
    [
      { kind: 'entity', id: 'page.html', name: 'page.html' },
      { kind: 'alias', entity: 'page.html', alias: 'page' },
      { kind: 'alias', entity: 'page.html', alias: 'Harbour report' },
      { kind: 'alias', entity: 'page.html', alias: 'Report on the harbour' },
    ],
  )
  t.strictSame(texts(parsed), [
    'page.html > Report on the harbour: The harbour of Lindholm has three piers, and a lighthouse built in 1868. The north pier at dusk',
    'page.html > Report on the harbour > Dredging: The channel is dredged every spring to a depth of nine metres.\n\n' +
      '- Dredger: Marta\n  - Master: Jonas Lindqvist\n- Cost: 40,000 kronor\n\n3. Survey\n4. Dredge',
    'page.html > Report on the harbour > Ships: | Ship | Home port |\n| --- | --- |\n| Aurora | Visby |\n| Fram | Oslo |\n\n' +
      '```\ntide = 0.4\nprint(tide)\n```',
  ])
  const found = passages(parsed)
  t.strictSame(
    found.map(({ seq, time }) => [seq, time]),
    [1, 2, 3].map(seq => [seq, Date.UTC(2026, 4, 3)]),
  )
  t.strictSame(
    parsed.map(({ line }) => line).slice(-3),
    [14, 16, 21],
    'each passage has the line on which it begins',
  )
})

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
  const folder = { path: 'docs/index.html', notes: new NoteNames() }
  t.match(passages(await text('html', '<p>x', folder)), [
    { entity: 'docs/index.html', source: 'docs/index.html' },
  ])
})

t.test('HTML: character sets that a page names, and those it should name', async t => {
  const latin = Buffer.from('<meta charset="iso-8859-1"><p>Malmö', 'latin1')
  t.strictSame(texts(await text('html', latin, { path: 'a.html' })), ['a.html: Malmö'])
  t.strictSame(texts(await text('html', '\ufeff<meta charset=latin1><p>Malmö', { path: 'a.html' })), [
    'a.html: Malmö',
  ])
  t.match(await refusal('html', Buffer.from('<p>Malmö', 'latin1')), /not text in UTF-8/)
  t.match(await refusal('html', '<meta charset="klingon"><p>x'), /“klingon”, which is not known/)
  t.equal(await refusal('html', '<title>T</title><script>x</script>'), 'This page has no text.')
})

t.test('DOCX: headings, lists and tables (written by LibreOffice)', async t => {
  const parsed = await document('report.docx')
  t.strictSame(problems(parsed), [])
  t.strictSame(shown(parsed).slice(0, 3), [
    'report.docx is report.docx',
    'report.docx alias report',
    'report.docx alias Harbour report',
  ])
  const top = 'report.docx > Report on the harbour'
  t.strictSame(texts(parsed), [
    `${top}: The harbour of Lindholm has three piers and a lighthouse built in 1868.`,
    `${top} > Dredging: ${dredging}\n\n- Duration: six weeks\n- Cost: 40,000 kronor`,
    `${top} > Ships: | Ship | Home port |\n| --- | --- |\n| Aurora | Visby |\n| Fram | Oslo |\n\nBoth ships carry stone.`,
  ])
})

t.test('PDF: paragraphs by page (written by LibreOffice)', async t => {
  const parsed = await document('report.pdf')
  t.strictSame(problems(parsed), [])
  t.strictSame(texts(parsed), [
    'report.pdf > Page 1: Report on the harbour\n\nThe harbour of Lindholm has three piers and a lighthouse built in 1868.\n\n' +
      `Dredging\n\n${dredging}\n\n• Duration: six weeks\n• Cost: 40,000 kronor`,
    'report.pdf > Page 2: Ships\n\nShip Home port\nAurora Visby\nFram Oslo\nBoth ships carry stone.',
  ])
  t.strictSame(parsed.map(({ line }) => line).slice(-2), [1, 2], 'the page is the line')
  t.match(passages(parsed)[0]?.time, Date.UTC(2026, 10, 23), 'the day on which it was made')
})

t.test('PDF: a picture of a page, another file, half a file and one with a password are refused', async t => {
  t.match(await refusal('pdf', bytesOf('scan.pdf')), /^This PDF has no text; its pages are pictures\./)
  t.match(await refusal('pdf', 'Hello'), /^This is not a PDF: it does not begin with “%PDF-”\.$/)
  t.match(await refusal('pdf', '%PDF-1.7\nnothing else'), /^This PDF is damaged/)
  t.match(await refusal('pdf', bytesOf('locked.pdf')), /^This PDF has a password\./)
})

t.test('EPUB: chapters in reading order, named by the book (written by pandoc)', async t => {
  const parsed = await document('book.epub')
  t.strictSame(problems(parsed), [])
  t.strictSame(shown(parsed), [
    'book.epub is The Keeper of Lindholm',
    'book.epub alias book.epub',
    'book.epub alias book',
    'book.epub — author → Elin Strand',
    'The Keeper of Lindholm: Elin Strand',
    'The Keeper of Lindholm > The arrival: Elin came to the island in October, with two suitcases and a barometer.',
    'The Keeper of Lindholm > The arrival > The first storm: The storm lasted three days. The lamp did not go out.',
    'The Keeper of Lindholm > The departure: She left in spring and gave the barometer to Jonas.',
  ])
  t.ok(passages(parsed).every(({ time }) => time === Date.UTC(2024, 10, 5)))
})

const container = (path: string) => ({
  name: 'META-INF/container.xml',
  content: `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="${path}"/></rootfiles></container>`,
})
const opf = (spine: string) => ({
  name: 'OPS/book.opf',
  content: `<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>B</dc:title></metadata><manifest>
    <item id="a" href="first%20chapter.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.png" media-type="image/png"/>
    </manifest><spine>${spine}</spine></package>`,
})
const chapter = {
  name: 'OPS/first chapter.xhtml',
  content: '<html><head><title/><script/></head><body>Text.</body></html>',
}

t.test('EPUB: paths are relative to the package, and what is missing or protected is named', async t => {
  const good = [container('OPS/book.opf'), opf('<itemref idref="a"/><itemref idref="b"/>'), chapter]
  t.strictSame(texts(await text('epub', zip(good), { path: 'b.epub' })), ['B: Text.'])
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
  const large = part(randomBytes(33 * 1_048_576))
  t.equal(await refusal('docx', large), '“_rels/.rels” is larger than 32 MiB.')
  t.equal(await refusal('docx', Buffer.alloc(65 * 1_048_576, 'PK')), 'This DOCX is larger than 64 MiB.')
})

t.test('entities of a DTD multiply in no document', async t => {
  const entities = Array.from({ length: 30 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`)
  const doctype = `<!DOCTYPE a [<!ENTITY a0 "ha">${entities.join('')}]>`
  const word = docx('<w:p><w:r><w:t>Some &a30; text.</w:t></w:r></w:p>', doctype)
  t.equal(await refusal('docx', word), 'This is not a DOCX document, or it is damaged.')
  const content = `${doctype}<container><rootfile full-path="&a30;"/></container>`
  const book = zip([{ name: 'META-INF/container.xml', content }])
  t.equal(await refusal('epub', book), '“&a30;” is missing in this EPUB.')
  t.equal((await page(`${doctype}<p>Some &a30; text.`)).length, 1)
})

import t from 'tap'
import { docx } from '../../docx.js'
import { type ZipEntry, zip } from '../../zip.js'
import { passages, problems, records, text } from './read.js'

const part = (name: string, content: string): ZipEntry => ({ name, content })
const heading = (title: string) => title.replace(/^[^>]* > /, '')
const said = async (format: string, bytes: Buffer | string, path = `a.${format}`) =>
  passages(await text(format, bytes, { path })).map(({ title, text }) => `${heading(title)}: ${text}`)

const paragraph = (text: string, level = 0) =>
  `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`
const shape = (kind: string, body: string) =>
  `<p:sp><p:nvPr><p:ph type="${kind}"/></p:nvPr><p:txBody>${body}</p:txBody></p:sp>`

function pptx(slides: string[], notes = ''): Buffer {
  const related = (path: string, list: string[]) =>
    part(path, `<Relationships>${list.join('')}</Relationships>`)
  const to = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`
  return zip([
    part(
      '[Content_Types].xml',
      '<Override ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/>',
    ),
    // The order of the presentation, not of the archive.
    part(
      'ppt/presentation.xml',
      `<p:presentation>${slides.map((_, at) => `<p:sldId r:id="s${slides.length - 1 - at}"/>`).join('')}</p:presentation>`,
    ),
    related(
      'ppt/_rels/presentation.xml.rels',
      slides.map((_, at) => to(`s${at}`, 'slide', `slides/${at}.xml`)),
    ),
    ...slides.map((body, at) => part(`ppt/slides/${at}.xml`, body)),
    related('ppt/slides/_rels/0.xml.rels', [to('n', 'notesSlide', '../notesSlides/n.xml')]),
    part(
      'ppt/notesSlides/n.xml',
      `<p:notes>${shape('sldNum', paragraph('7'))}${shape('body', paragraph(notes))}</p:notes>`,
    ),
  ])
}

t.test('PPTX: slides in order, with titles, lists, tables and notes (ECMA-376-1 §19)', async t => {
  const table = `<p:graphicFrame><a:tbl><a:tr><a:tc>${paragraph('a')}</a:tc><a:tc>${paragraph('b')}</a:tc></a:tr></a:tbl></p:graphicFrame>`
  const last = `<p:sld>${shape('title', paragraph('Plan'))}${shape('body', paragraph('One') + paragraph('Two', 1))}${table}${shape('ftr', paragraph('Footer'))}</p:sld>`
  const hidden = `<p:sld show="0">${shape('body', paragraph('Hidden'))}</p:sld>`
  t.strictSame(
    await said('pptx', pptx([last, hidden, `<p:sld>${shape('body', paragraph('Hello'))}</p:sld>`], 'Smile')),
    ['Slide 1: Hello', 'Slide 3 > Plan: One\n  - Two\n| a | b |\n| --- | --- |\n\nNotes: Smile'],
  )
})

const odf = (kind: string, body: string, created = '2024-01-31T10:00:00') =>
  zip([
    part('mimetype', `application/vnd.oasis.opendocument.${kind}`),
    part(
      'content.xml',
      `<office:document-content><office:body>${body}</office:body></office:document-content>`,
    ),
    part(
      'meta.xml',
      `<office:meta><dc:title>Log</dc:title><meta:creation-date>${created}</meta:creation-date></office:meta>`,
    ),
  ])

t.test(
  'ODT, ODP: what is shown, with comments and without deleted text (OpenDocument 1.3 part 3)',
  async t => {
    const p = (text: string) => `<text:p>${text}</text:p>`
    const body = `<text:tracked-changes>${p('deleted')}</text:tracked-changes><text:h text:outline-level="2">Way<text:s/>home</text:h>${p('By <text:span>sea</text:span>.<office:annotation>no</office:annotation>')}
    <text:list><text:list-item>${p('One')}<text:list><text:list-item>${p('Two')}</text:list-item></text:list></text:list-item></text:list>
    <table:table><table:table-row><table:table-cell>${p('a')}</table:table-cell><table:table-cell>${p('b')}</table:table-cell></table:table-row></table:table>`
    t.strictSame(await said('odt', odf('text', body)), [
      'Way home: By sea.\n\nComment: no\n\n- One\n  - Two\n\n| a | b |\n| --- | --- |',
    ])
    const parsed = records(await text('odt', odf('text', body), { path: 'a.odt' }))
    t.match(
      parsed.find(({ kind }) => kind === 'passage'),
      { time: Date.UTC(2024, 0, 31, 10) },
    )
    const windows = await text('odt', odf('text', body, '1601-01-01T00:00:00Z'), { path: 'a.odt' })
    t.equal(passages(windows)[0]?.time, undefined, 'the first moment of Windows is no date')
    t.ok(parsed.some(record => record.kind === 'alias' && record.alias === 'Log'))
    const slides = `<draw:page>${p('Hello')}<presentation:notes>${p('Smile')}</presentation:notes></draw:page><draw:page>${p('Bye')}</draw:page>`
    t.strictSame(await said('odp', odf('presentation', slides)), [
      'Slide 1: Hello\n\nNotes: Smile',
      'Slide 2: Bye',
    ])
  },
)

t.test('ODT: a paragraph goes on behind a note or a frame in it', async t => {
  const p = (text: string) => `<text:p>${text}</text:p>`
  const note = `<text:note><text:note-citation>1</text:note-citation><text:note-body>${p('Green.')}${p('Hot.')}</text:note-body></text:note>`
  t.strictSame(
    await said(
      'odt',
      odf('text', p(`Tea${note} is good.`) + p(`Milk <draw:frame>${p('Box')}</draw:frame>too.`)),
    ),
    ['a.odt: Tea[1] is good.\n\n[1] Green.\nHot.\n\nBox\n\nMilk too.'],
  )
  const cells = `<table:table><table:table-row><table:table-cell>${p(`a${note}`)}</table:table-cell><table:table-cell>${p('b')}</table:table-cell></table:table-row></table:table>`
  t.strictSame(await said('odt', odf('text', cells)), [
    'a.odt: | a[1] | b |\n| --- | --- |\n\n[1] Green.\nHot.',
  ])
})

t.test('RTF: text in its code pages, outline, tables; no pictures and fields (RTF 1.9)', async t => {
  const cases: [string, string[]][] = [
    [
      "{\\rtf1\\ansi\\ansicpg1252 {\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial;}}Z\\'fcrich {\\f1\\'ef\\'f0}\\par}",
      ['a.rtf: Zürich пр'],
    ],
    ["{\\rtf1\\ansicpg932 \\'93\\'fa\\u26412?!\\par}", ['a.rtf: 日本!']],
    [
      '{\\rtf1 {\\*\\unknown no}{\\pict 00ff}{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt here}} \\{ok\\}\\~\\emdash\\par}',
      ['a.rtf: here {ok} —'],
    ],
    [
      '{\\rtf1\\pard\\outlinelevel0 Way\\par\\pard Home\\par a\\cell b\\cell\\row}',
      ['Way: Home\n\n| a | b |\n| --- | --- |'],
    ],
    [
      '{\\rtf1\\pard\\outlinelevel1 Way\\par\\outlinelevel7 Deep\\par\\pard\\outlinelevel9 Home\\par\\par Sea\\par}',
      ['Way > Deep: Home\n\nSea'],
    ],
    ['{\\rtf1 Tea{\\footnote\\pard Green.\\par} is hot.\\par}', ['a.rtf: Tea[1] is hot.\n\n[1] Green.']],
    ['{\\rtf1 \\bullet\\tab Milk\\par}', ['a.rtf: - Milk']],
    ["{\\rtf1 {\\pict\\bin5 }}}}}}text\\'00\\par}", ['a.rtf: text']],
  ]
  for (const [source, expected] of cases) t.strictSame(await said('rtf', source), expected, source)
})

t.test('documents made to harm are refused, or read within their bounds', async t => {
  const deep = 200_000
  const cases: [string, string, Buffer | string, RegExp | string[]][] = [
    ['groups without end', 'rtf', `{\\rtf1 a\\par ${'{'.repeat(deep)}b`, ['a.rtf: a']],
    ['ends without groups', 'rtf', `{\\rtf1 a${'}'.repeat(deep)}\\par`, ['a.rtf: a']],
    ['a paragraph without end', 'rtf', `{\\rtf1 ${'a'.repeat(deep)}`, /./],
    ['no text', 'rtf', '{\\rtf1 }', /no text/],
    [
      'a slide that is missing',
      'pptx',
      zip([part('ppt/presentation.xml', '<p:sldId r:id="s"/>')]),
      /no text/,
    ],
    ['no presentation', 'pptx', zip([part('a', '')]), /not a PPTX presentation/],
    [
      'elements without end',
      'odt',
      odf('text', `${'<text:list>'.repeat(20_000)}<text:p>a</text:p>`),
      /^a\.odt: a$/,
    ],
    [
      'entities',
      'odt',
      odf('text', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><text:p>&b;</text:p>'),
      ['a.odt: &b;'],
    ],
    ['a bomb', 'odt', odf('text', `<text:p>${'a'.repeat(9_000_000)}</text:p>`), /200 times its size/],
  ]
  for (const [what, format, bytes, expected] of cases) {
    const found = await said(format, bytes).catch((error: Error) => [error.message])
    if (Array.isArray(expected)) t.strictSame(found, expected, what)
    else t.match(found.join('\n'), expected, what)
  }
  t.strictSame(problems(await text('rtf', '{\\rtf1 \\u-1 \\u99999999 a\\par}')), [])
})

t.test('HTML: addresses elsewhere are kept behind the text of their links', async t => {
  const page = `<h1><a href="https://a.example/">Links</a></h1><p>See <a href="https://a.example/x?y=1">the <b>[plan]</b></a>, <a href="/local">here</a>,
    <a href="https://b.example">https://b.example</a>, <a href="javascript:alert(1)">no</a> or <a href="mailto:a@b.example">write</a>.</p>`
  t.strictSame(await said('html', page), [
    'Links: See [the (plan)](https://a.example/x?y=1), here, https://b.example, no or [write](mailto:a@b.example).',
  ])
})

t.test('DOCX: documents in it are left out, and the report says so (ECMA-376-1 §17.17.2.1)', async t => {
  const line = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
  const body = `${line('Before')}<w:altChunk r:id="a.htm"/>${line('After')}`
  const remarks: string[] = []
  const file = { path: 'a.docx', remark: (_: number, sentence: string) => void remarks.push(sentence) }
  const parsed = await text('docx', docx(body, '', { 'a.htm': '<p>Inner</p>' }), file)
  t.strictSame(
    passages(parsed).map(({ text }) => text),
    ['Before\n\nAfter'],
  )
  t.match(remarks, [/^This document embeds others \(altChunk\), which were left out/])
})

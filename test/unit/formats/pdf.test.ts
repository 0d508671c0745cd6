import t from 'tap'
import { extrasOf, type PdfText, paragraphsOf } from '../../../engine/formats/office/pdf-page.js'
import { pdf } from '../../pdf.js'
import { passages, text } from './read.js'

/** A piece of text as PDF.js gives it; `dir` of pieces from right to left, whose letters it has put in order. */
const piece = (str: string, left: number, more: Partial<PdfText> & { bottom?: number } = {}): PdfText => {
  const { bottom = 700, height = 10, ...rest } = more
  const transform = [height, 0, 0, height, left, bottom]
  return { str, dir: 'ltr', transform, width: str.length * 5, height, hasEOL: false, fontName: 'f', ...rest }
}
const end = { hasEOL: true }

t.test('PDF: Arabic and Hebrew are in the order of reading, with letters for shapes (UAX #9, #15)', t => {
  const rtl = { dir: 'rtl' }
  const arabic = [
    piece('.', 10),
    piece('1904', 15),
    piece(' ', 35, { width: 5, height: 0 }),
    piece('ﺬﻨﻣ'.split('').reverse().join(''), 40, rtl),
    piece(' ', 55, { width: 5, height: 0 }),
    piece('Bergen', 60),
    piece('ﺀﺎﻨﻴﻣ'.split('').reverse().join(''), 95, { ...rtl, ...end }),
  ]
  t.strictSame(paragraphsOf(arabic), ['ميناء Bergen منذ 1904.'], 'with a space between scripts')
  const hebrew = [
    piece('כותב', 10, rtl),
    piece(' ', 30, { width: 5 }),
    piece('Oslo', 35),
    piece(' ', 55, { width: 5 }),
    piece('בנמל', 60, rtl),
  ]
  t.strictSame(paragraphsOf(hebrew), ['בנמל Oslo כותב'])
  t.strictSame(paragraphsOf([piece('The word ', 10), piece('שלום', 55, rtl), piece(' is here', 75)]), [
    'The word שלום is here',
  ])
  t.strictSame(paragraphsOf([piece('of\ufb01ce', 10)]), ['office'])
  t.end()
})

t.test('PDF: the caption below a figure in large type is a line of its own', t => {
  const large = piece('70%', 10, { height: 45 })
  const lines = paragraphsOf([large, piece('of electricity', 20, { height: 14, bottom: 680 })])
  t.strictSame(lines, ['70%', 'of electricity'])
  t.end()
})

t.test('PDF: raised and lowered numbers, and marks of notes', t => {
  const line = (...pieces: PdfText[]) => paragraphsOf(pieces)
  t.strictSame(line(piece('10', 10), piece('23', 20, { height: 6, bottom: 704 }), piece(' per mol', 30)), [
    '10²³ per mol',
  ])
  t.strictSame(line(piece('H', 10), piece('2', 15, { height: 6, bottom: 698 }), piece('O', 20)), ['H₂O'])
  t.strictSame(line(piece('Oil burns.', 10), piece('3', 60, { height: 6, bottom: 704 })), ['Oil burns.[3]'])
  t.end()
})

t.test('PDF: a row of a table and a heading in a font of its own are lines of their own', t => {
  const rows = [
    piece('Rota of the lamp', 10, { fontName: 'bold', ...end }),
    piece('Day', 10, { bottom: 688 }),
    piece('Keeper of it', 80, { bottom: 688, ...end }),
    piece('Mon', 10, { bottom: 676 }),
    piece('Ines Example', 80, { bottom: 676, ...end }),
  ]
  t.strictSame(paragraphsOf(rows), ['Rota of the lamp\nDayKeeper of it\nMonInes Example'])
  t.end()
})

t.test(
  'PDF: values of forms at their places and notes; no passwords and hidden fields (ISO 32000-1 §12.7)',
  async t => {
    const widget = (more: object) => ({
      subtype: 'Widget',
      fieldType: 'Tx',
      rect: [60, 698, 200, 712],
      ...more,
    })
    const { fields, notes } = extrasOf([
      widget({ fieldValue: 'Ines' }),
      widget({ fieldValue: 'secret', password: true }),
      widget({ fieldValue: 'no', hidden: true }),
      widget({ fieldType: 'Btn', checkBox: true, fieldValue: 'Yes', rect: [0, 678, 8, 690] }),
      widget({ fieldType: 'Ch', fieldValue: ['Oil', 'Wick'], rect: [10, 640, 90, 650] }),
      { subtype: 'Text', contentsObj: { str: 'Sure?' }, titleObj: { str: 'Ole' } },
      { subtype: 'Popup', contentsObj: { str: 'Sure?' } },
    ])
    t.strictSame(notes, ['Comment by Ole: Sure?'])
    t.strictSame(
      paragraphsOf([piece('Name:', 10, end), piece('Is ready', 10, { bottom: 680, ...end })], fields).join(
        '\n',
      ),
      'Name: Ines\n[x] Is ready\nOil, Wick',
    )
    const form = pdf([
      '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [6 0 R]>> /OCProperties <</OCGs [8 0 R] /D <</OFF [8 0 R]>>>>>>',
      '<</Type /Pages /Kids [3 0 R] /Count 1>>',
      '<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Annots [6 0 R 7 0 R] /Resources <</Font <</F 5 0 R>> /Properties <</L 8 0 R>>>>>>',
      [
        '',
        Buffer.from(
          'BT /F 9 Tf 50 700 Td (Keeper:) Tj ET /OC /L BDC BT /F 9 Tf 50 600 Td (Draft) Tj ET EMC BT /F 9 Tf 50 500 Td (End) Tj ET',
        ),
      ],
      '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
      '<</Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (Ines) /Rect [100 695 200 710]>>',
      '<</Type /Annot /Subtype /Text /Contents (Sure?) /Rect [1 1 2 2]>>',
      '<</Type /OCG /Name (Draft)>>',
    ])
    const found = passages(await text('pdf', form, { path: 'a.pdf' })).map(({ text }) => text)
    t.strictSame(
      found,
      ['Keeper: Ines\n\nEnd\n\nComment: Sure?'],
      'and no layer that is switched off (§8.11)',
    )
  },
)

t.test(
  'PDF: texts in predefined character maps, of fonts that are not embedded (ISO 32000-1 §9.7.5.2)',
  async t => {
    const font = (encoding: string, ordering: string) => [
      `<</Type /Font /Subtype /Type0 /BaseFont /A /Encoding /${encoding} /DescendantFonts [6 0 R]>>`,
      `<</Type /Font /Subtype /CIDFontType0 /BaseFont /A /FontDescriptor 7 0 R /CIDSystemInfo <</Registry (Adobe) /Ordering (${ordering}) /Supplement 0>>>>`,
      '<</Type /FontDescriptor /FontName /A /Flags 4 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 /Descent 0 /StemV 1>>',
    ]
    const read = async (encoding: string, ordering: string, hex: string) => {
      const file = pdf([
        '<</Type /Catalog /Pages 2 0 R>>',
        '<</Type /Pages /Kids [3 0 R] /Count 1>>',
        '<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>>',
        ['', Buffer.from(`BT /F 9 Tf 50 700 Td <${hex}> Tj ET`)],
        ...font(encoding, ordering),
      ])
      return passages(await text('pdf', file, { path: 'a.pdf' })).map(({ text }) => text)
    }
    t.strictSame(await read('90ms-RKSJ-H', 'Japan1', '939491e4'), ['灯台'])
    t.strictSame(await read('Identity-H', 'Korea1', '043e'), ['가'])
    t.strictSame(await read('GBK-EUC-H', 'GB1', 'b5c6cbfe'), ['灯塔'])
  },
)

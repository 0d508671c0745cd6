import { pdf } from '../../test/pdf.js'

/** The widths of four billion glyphs, in 800 bytes. */
export const wideFont = () => withFont('/W [0 4294967295 500]')

/** Unicode values of sixteen million glyphs, in 900 bytes. */
export function wideMap(): Buffer {
  const map =
    'begincmap 1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 beginbfrange <00000000> <00fffffe> <0041> endbfrange endcmap'
  return withFont('', ['', Buffer.from(map)])
}

function withFont(widths: string, map?: [string, Buffer]): Buffer {
  return pdf([
    '<</Type /Catalog /Pages 2 0 R>>',
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    '<</Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>>',
    ['', Buffer.from('BT /F 9 Tf 50 700 Td (text) Tj ET')],
    `<</Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [6 0 R]${map ? ' /ToUnicode 7 0 R' : ''}>>`,
    `<</Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> ${widths}>>`,
    ...(map ? [map] : []),
  ])
}

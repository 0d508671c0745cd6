// node scripts/sample-pdf.mjs: writes the PDF of the sample Safe (`domain/safes/sample/`) from the text below.
import { writeFileSync } from 'node:fs'

const FILE = 'domain/safes/sample/library/Bird Report 2025.pdf'

/** Lines of a page: a title, a heading, or text. */
const PAGES = [
  [
    ['F2 22', 'Bird Report 2025'],
    ['F1 11', 'Skerry Light Cooperative, written by Wanda Kowalczyk, 30 August 2025'],
    ['F2 14', 'Arctic terns'],
    ['F1 11', 'In June 2025 we counted 431 breeding pairs of arctic terns on the eastern rocks,'],
    ['F1 11', 'the most since the counts began in 1998. In 2023, before the rocks were closed in'],
    ['F1 11', 'summer, there were 318.'],
    ['F1 11', 'Two of three chicks fledged. The first pair came back on 4 May, eleven days before'],
    ['F1 11', 'the path was closed.'],
  ],
  [
    ['F2 14', 'Other birds'],
    ['F1 11', 'Eider: 64 nests, four fewer than last year.'],
    ['F1 11', 'Black guillemot: 27 pairs, all of them under the old pier beside the turbine.'],
    ['F1 11', 'White-tailed eagle: one, for nine days in March. It took nothing but gulls.'],
    ['F2 14', 'Recommendations'],
    ['F1 11', 'Keep the eastern rocks closed until 20 July. Move the bench on the path by ten'],
    ['F1 11', 'metres: it stands in the flight path of the terns, and so do those who sit on it.'],
  ],
]

const escaped = text => text.replace(/[\\()]/g, '\\$&')

/** The content of a page, from the top down. */
function content(lines) {
  const moves = lines.map(([font, text]) => {
    const size = Number(font.slice(3))
    return `/${font} Tf 0 -${size + (font.startsWith('F2') ? 16 : 6)} Td (${escaped(text)}) Tj`
  })
  return `BT 70 780 Td ${moves.join('\n')} ET`
}

const font = name => `<</Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding>>`
const stream = text => `<</Length ${text.length}>>\nstream\n${text}\nendstream`
const page = at =>
  `<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${at} 0 R /Resources <</Font <</F1 3 0 R /F2 4 0 R>>>>>>`

/** Numbered from 1. */
const objects = [
  '<</Type /Catalog /Pages 2 0 R /Lang (en)>>',
  `<</Type /Pages /Kids [${PAGES.map((_, at) => `${6 + 2 * at} 0 R`).join(' ')}] /Count ${PAGES.length}>>`,
  font('Helvetica'),
  font('Helvetica-Bold'),
  '<</Title (Bird Report 2025) /Author (Wanda Kowalczyk) /CreationDate (D:20250830120000Z)>>',
  ...PAGES.flatMap((lines, at) => [page(7 + 2 * at), stream(content(lines))]),
]

let file = '%PDF-1.4\n'
const offsets = objects.map((object, at) => {
  const offset = file.length
  file += `${at + 1} 0 obj\n${object}\nendobj\n`
  return `${String(offset).padStart(10, '0')} 00000 n \n`
})
const table = file.length
file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
file += `trailer\n<</Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R>>\nstartxref\n${table}\n%%EOF\n`
writeFileSync(FILE, file, 'latin1')

#!/usr/bin/env bash
# Expected: the text of a PDF with Korean, Chinese or Japanese fonts is read as other text, or an error is raised.
# Happens: unpdf gives an empty text without an error when a font uses a predefined character map (`90ms-RKSJ-H`,
#   `GBK-EUC-H`), and when a font of one of Adobe's collections (Adobe-Korea1) has no `ToUnicode`, even where the font
#   itself is embedded. Other texts of the same page arrive, so nobody notices. PDF.js needs the character maps of
#   `pdfjs-dist/cmaps`, which unpdf does not contain. With them, the text is complete.
# Version: unpdf 1.7.0 (PDF.js 5.6.205).
# Why it matters: of 26 public PDFs, one in Korean lost its title, its headings and its captions (31 % of its words).
# What to do: pass a `BinaryDataFactory` that returns these files (engine/formats/office/pdf-character-maps.ts).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --omit=optional unpdf@1.7.0 pdfjs-dist@5.6.205
cat >run.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { getResolvedPDFJS } from 'unpdf'
const { getDocument } = await getResolvedPDFJS()
const file = (encoding, ordering, hex) => {
  const content = `BT /F 9 Tf 9 9 Td <${hex}> Tj ET`
  const objects = [
    '<</Type /Catalog /Pages 2 0 R>>',
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    '<</Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    `<</Type /Font /Subtype /Type0 /BaseFont /A /Encoding /${encoding} /DescendantFonts [6 0 R]>>`,
    `<</Type /Font /Subtype /CIDFontType0 /BaseFont /A /FontDescriptor 7 0 R /CIDSystemInfo <</Registry (Adobe) /Ordering (${ordering}) /Supplement 0>>>>`,
    '<</Type /FontDescriptor /FontName /A /Flags 4 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 /Descent 0 /StemV 1>>',
  ]
  const text = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')
  return new TextEncoder().encode(`%PDF-1.7\n${text}trailer\n<</Size 8 /Root 1 0 R>>\n%%EOF`)
}
class Maps {
  fetch = async ({ filename }) => new Uint8Array(readFileSync(`node_modules/pdfjs-dist/cmaps/${filename}`))
}
const read = async (data, more) => {
  const document = await getDocument({ data, verbosity: 0, useWorkerFetch: false, ...more }).promise
  const { items } = await (await document.getPage(1)).getTextContent()
  return items.map(({ str }) => str).join('')
}
let isSame = true
for (const [encoding, ordering, hex, text] of [
  ['Identity-H', 'Korea1', '043e', '가'],
  ['90ms-RKSJ-H', 'Japan1', '939491e4', '灯台'],
  ['GBK-EUC-H', 'GB1', 'b5c6cbfe', '灯塔'],
]) {
  const plain = await read(file(encoding, ordering, hex), {})
  const mapped = await read(file(encoding, ordering, hex), { BinaryDataFactory: Maps, cMapUrl: '/' })
  console.log(`${encoding}, ${ordering}: ${JSON.stringify(plain)}; with the maps ${JSON.stringify(mapped)}`)
  isSame &&= plain === '' && mapped === text
}
process.exitCode = isSame ? 0 : 1
JS
node run.mjs

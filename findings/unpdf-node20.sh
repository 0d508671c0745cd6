#!/usr/bin/env bash
# Expected: `getOperatorList()` of PDF.js lists all operators of a page.
# Happens: on Node 20 the list ends at the first font, without an error: PDF.js calls
#   `ArrayBuffer.prototype.transferToFixedLength`, which Node has from version 21 on.
# Version: unpdf 1.7.0 (PDF.js 5) on Node 20.
# Why it matters: layers that are switched off are found by these operators only.
# What to do: define the method before loading PDF.js (engine/formats/office/pdf-library.ts).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund unpdf@1.7.0
cat >run.mjs <<'JS'
import { getResolvedPDFJS } from 'unpdf'
const objects = [
  '<</Type /Catalog /Pages 2 0 R>>',
  '<</Type /Pages /Kids [3 0 R] /Count 1>>',
  '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>>',
  '<</Length 43>>\nstream\nBT /F 9 Tf (a) Tj ET BT /F 9 Tf (b) Tj ET \n\nendstream',
  '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
]
const file = `%PDF-1.7\n${objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer\n<</Size 6 /Root 1 0 R>>\n%%EOF`
const { getDocument } = await getResolvedPDFJS()
const count = async () => {
  const document = await getDocument({ data: new TextEncoder().encode(file), verbosity: 0 }).promise
  return (await (await document.getPage(1)).getOperatorList()).fnArray.length
}
const without = await count()
ArrayBuffer.prototype.transferToFixedLength ??= function (length) {
  return this.slice(0, length)
}
const defined = await count()
console.log(`Node ${process.version}: ${without} operators, with the method defined ${defined}`)
process.exitCode = Number(process.version.slice(1).split('.')[0]) > 20 || without < defined ? 0 : 1
JS
node run.mjs

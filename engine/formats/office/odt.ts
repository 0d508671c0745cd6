import { formulasOf } from './odf-formulas.js'
import { OdfText } from './odf-text.js'
import { officeDocument } from './office-properties.js'

/** Reads a text document or presentation in OpenDocument. */
export const readOpenDocument = officeDocument(async function* (parts, document) {
  const text = new OdfText(document, await formulasOf(parts))
  if (parts.has('styles.xml')) text.readStyles(await parts.string('styles.xml'))
  for await (const piece of parts.text('content.xml')) {
    text.write(piece)
    yield
  }
  text.end()
})

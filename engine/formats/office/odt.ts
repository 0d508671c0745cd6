import { linesTarget } from '../shared/text-flow.js'
import { objectsOf } from './odf-objects.js'
import { OdfText } from './odf-text.js'
import { isMargin, officeDocument } from './office-properties.js'

/** Reads a text document or presentation in OpenDocument. */
export const readOpenDocument = officeDocument(async function* (parts, document) {
  const text = new OdfText(document, await objectsOf(parts))
  if (parts.has('styles.xml')) {
    const styles = await parts.string('styles.xml')
    text.readStyles(styles)
    const lines: string[] = []
    new OdfText(linesTarget(lines)).read(styles)
    for (const line of new Set(lines.filter(isMargin)))
      for (const each of [line, '']) document.addLine(1, each)
  }
  for await (const piece of parts.text('content.xml')) {
    text.write(piece)
    yield
  }
  text.end()
})

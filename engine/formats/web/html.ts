import { Document } from '../shared/document.js'
import type { Format } from '../shared/format.js'
import { textPieces } from '../shared/lines.js'

/**
 * A web page: an entity named after its file, with passages by heading. Nothing external is loaded.
 * It is read as a stream, not as a tree.
 */
export const html: Format = {
  id: 'html',
  title: 'Web page',
  extensions: ['html', 'htm', 'xhtml'],
  mayBeLegacy: true,
  tells: /^(?:<\?xml[^>]{0,200}>\s{0,20})?<(?:!doctype html|html)\b/i,
  async *parse(bytes, file) {
    const { HtmlText } = await import('./html-text.js')
    const document = new Document(file)
    const page = new HtmlText(document)
    for await (const { piece } of textPieces(bytes)) {
      page.write(piece)
      // Even when empty, so that the caller can yield to other work.
      yield document.take()
      if (page.problem !== null) return
    }
    page.end()
    yield document.finish('This page has no text.')
  },
}

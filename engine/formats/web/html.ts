import { Document } from '../shared/document.js'
import type { Format } from '../shared/format.js'
import { textPieces } from '../shared/lines.js'
import { wholeOf } from '../shared/whole-file.js'

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

/** A web page with its pictures in one file (MHTML, RFC 2557), as saved by browsers. */
export const mhtml: Format = {
  id: 'mhtml',
  title: 'Saved web page',
  extensions: ['mhtml', 'mht'],
  isRewritten: true,
  tells: /^from: <saved by /i,
  async *parse(bytes, file) {
    const whole = await wholeOf(bytes, 'saved page')
    const { htmlInto } = await import('./html-lines.js')
    const document = new Document(file)
    yield* htmlInto(document, await pageIn(whole), { lineOf: () => 1 })
    yield document.finish('This saved page has no text.')
  },
}

/** The page in an MHTML file, or its plain text if there is no page. */
async function pageIn(bytes: Uint8Array): Promise<string> {
  const { default: PostalMime } = await import('postal-mime')
  const { html, text = '' } = await PostalMime.parse(bytes, {
    maxNestingDepth: 20,
    maxHeadersSize: 1_048_576,
  })
  return html || text
}

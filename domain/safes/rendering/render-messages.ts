import type { Article, LinkTarget, ParsedDocument, PassagePlace } from '../../../engine/rendering/index.js'
import type { DocumentKind } from '../../../platform/common/document-kind.js'

/** First a document to read, then where its links lead. */
export interface ToRenderer {
  parse?: { kind: DocumentKind; text: string }
  render?: { found: (readonly [string, LinkTarget])[]; passages: readonly PassagePlace[]; title: string }
}

/** The targets of its links, then the document as HTML. */
export interface FromRenderer {
  targets?: readonly string[]
  instead?: ParsedDocument['instead']
  article?: Article
}

import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { StoredDocument } from '../../../domain/safes/documents/documents.js'
import type { Article } from '../../../engine/rendering/index.js'
import { showBytes, showDay } from '../../../platform/common/format.js'
import { documentsTexts } from '../../../views/texts/documents.js'
import { pathWith } from '../list.js'
import type { SafeHead } from '../safes/safe-head.js'
import { quotedPlace } from '../things/question-fields.js'
import { crumbs, documentsPath } from './document-path.js'
import type { DocumentMargin } from './margin.js'
import { splitProperties } from './shown-properties.js'
import { versionsPath } from './versions-view.js'

/** Minimum headings for a table of contents. */
const MIN_OUTLINE = 3
const MAX_OUTLINE = 200

/** Kinds whose extracted text is stored instead of the file. */
const AS_TEXT = new Set(['pdf', 'slides', 'docx', 'epub', 'chat', 'mail'])

/** A part of the text as HTML, the margin of the document, and the parts of a long text. */
interface Read {
  article: Article
  around: DocumentMargin
  part: number
  parts: number
}

/** The view model of `views/document.eta`: a document, and what is around it. */
export function documentPage(
  head: SafeHead,
  document: StoredDocument,
  { article, around, part, parts }: Read,
) {
  const m = documentsTexts.document
  const { path, title, kind, kept, size, time, tags } = document
  const { outline, hasTitle, isPlain } = article
  const address = documentAddress(head.path, path)
  const partLink = (to: number) => ({ href: pathWith(address, { part: to }), label: m.part(to, parts) })
  const isText = AS_TEXT.has(kind) || kept === 'passages'
  return {
    here: 'safes',
    head,
    title,
    address,
    place: quotedPlace(path),
    hasTitle,
    crumbs: crumbs(head.path, path.slice(0, path.lastIndexOf('/') + 1), documentsTexts.title),
    facts: [...(time === null ? [] : [m.from(showDay(time))]), ...(size === 0 ? [] : [showBytes(size)])],
    tags: tags.map(name => ({ name, href: documentsPath(head.path, { tag: name }) })),
    notice: kept === 'passages' ? m.textOnly : kept === 'beginning' ? m.beginning : null,
    isPlain: isPlain === true,
    original: {
      href: pathWith(address, { original: '1' }),
      label: isText ? m.downloadText : m.download,
    },
    versions: versionsPath(head.path, path),
    ...splitProperties({ html: article.html, title, tags, time }),
    outline: outline.length < MIN_OUTLINE ? [] : outline.slice(0, MAX_OUTLINE),
    around,
    part: parts > 1 ? m.part(part, parts) : null,
    partBefore: part > 1 ? partLink(part - 1) : null,
    partAfter: part < parts ? partLink(part + 1) : null,
  }
}

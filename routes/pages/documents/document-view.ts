import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { StoredDocument } from '../../../domain/safes/documents/documents.js'
import type { Article, Heading } from '../../../engine/rendering/index.js'
import { showBytes, showDay } from '../../../platform/common/format.js'
import type { Page } from '../../../plugins/views.js'
import { documentsTexts } from '../../../views/texts/documents.js'
import { pathWith } from '../list.js'
import type { SafeHead } from '../safes/safe-head.js'
import { quotedPlace } from '../things/question-fields.js'
import { crumbs, documentsPath } from './document-path.js'
import type { Around } from './margin.js'
import type { NoteActions } from './note-view.js'
import type { ReadBy } from './read-by.js'
import { versionsPath } from './versions-view.js'

export interface DocumentPage extends Page {
  head: SafeHead
  /** The page uses the width of the window. */
  title: string
  /** Its path, and its name in a question about it alone. */
  address: string
  place: string
  /** Whether the text begins with its title, so that the page does not repeat it. */
  hasTitle: boolean
  crumbs: { name: string; href: string }[]
  /** Date and size. */
  facts: string[]
  tags: { name: string; href: string }[]
  notice: string | null
  /** The text could not be formatted; the page can be tried again. */
  isPlain: boolean
  original: { href: string; label: string }
  /** The address of its versions. */
  versions: string
  /** For owners, if it is a note that was written here. */
  note?: NoteActions | null
  /** The text, from `engine/rendering/`. */
  html: string
  outline: Heading[]
  around: Around
  /** The assistants that read it; null: not recorded. */
  readBy?: ReadBy | null
  /** The position of this part of a very long text, and the ones before and after it. */
  part: string | null
  partBefore: { href: string; label: string } | null
  partAfter: { href: string; label: string } | null
}

/** Minimum headings for a table of contents. */
const MIN_OUTLINE = 3
const MAX_OUTLINE = 200

/** Kinds whose extracted text is stored instead of the file. */
const AS_TEXT = new Set(['pdf', 'slides', 'docx', 'epub', 'chat', 'mail'])

/** A part of the text as HTML, the margin of the document, and the parts of a long text. */
interface Read {
  article: Article
  around: Around
  part: number
  parts: number
}

/** The page of a document. */
export function documentPage(
  head: SafeHead,
  document: StoredDocument,
  { article, around, part, parts }: Read,
): DocumentPage {
  const m = documentsTexts.document
  const { path, title, kind, kept, size, time, tags } = document
  const { html, outline, hasTitle, isPlain } = article
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
    html,
    outline: outline.length < MIN_OUTLINE ? [] : outline.slice(0, MAX_OUTLINE),
    around,
    part: parts > 1 ? m.part(part, parts) : null,
    partBefore: part > 1 ? partLink(part - 1) : null,
    partAfter: part < parts ? partLink(part + 1) : null,
  }
}

import { showBytes, showDay } from '../../../common/format.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import type { Heading, LinkTarget, ParsedDocument } from '../../../rendering/article.js'
import type { DocumentPassage, StoredDocument } from '../../../safes/stores/document.sql.js'
import type { SafeHead } from '../safes/safe-head.js'
import { crumbs, documentPath, documentsPath } from './document-path.js'
import type { Around } from './margin.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    document: DocumentPage
  }
}

export interface DocumentPage extends Page {
  head: SafeHead
  /** The page uses the width of the window. */
  wide: true
  title: string
  /** Whether the text begins with its title, so that the page does not repeat it. */
  hasTitle: boolean
  crumbs: { name: string; href: string }[]
  /** Date and size. */
  facts: string[]
  tags: { name: string; href: string }[]
  notice: string | null
  original: { href: string; label: string }
  /** The text, from `rendering/`. */
  html: string
  outline: Heading[]
  around: Around
}

/** With fewer headings, the page needs no table of contents. */
const LEAST_OUTLINE = 3
const MOST_OUTLINE = 200

/** Kinds of which the file itself is not kept, but the text that was read. */
const AS_TEXT = new Set(['pdf', 'docx', 'epub', 'chat', 'mail'])

interface Read {
  parsed: ParsedDocument
  passages: readonly DocumentPassage[]
  resolve: (target: string) => LinkTarget | null
  around: Around
}

/** The page of a document. */
export function documentPage(
  head: SafeHead,
  document: StoredDocument,
  { parsed, passages, resolve, around }: Read,
): DocumentPage {
  const m = messages.document
  const { path, title, kind, kept, size, time, tags } = document
  const places = passages.flatMap(({ id, line }) => (line === null ? [] : [{ id: String(id), line }]))
  const { html, outline, hasTitle } = parsed.render({ resolve, passages: places, title })
  const isText = AS_TEXT.has(kind) || kept === 'passages'
  return {
    here: 'safes',
    head,
    wide: true,
    title,
    hasTitle,
    crumbs: crumbs(head.path, path.slice(0, path.lastIndexOf('/') + 1), messages.documents.title),
    facts: [...(time === null ? [] : [m.from(showDay(time))]), ...(size === 0 ? [] : [showBytes(size)])],
    tags: tags.map(name => ({ name, href: documentsPath(head.path, { tag: name }) })),
    notice: kept === 'passages' ? m.textOnly : kept === 'beginning' ? m.beginning : null,
    original: {
      href: `${documentPath(head.path, path)}?original=1`,
      label: isText ? m.downloadText : m.download,
    },
    html,
    outline: outline.length < LEAST_OUTLINE ? [] : outline.slice(0, MOST_OUTLINE),
    around,
  }
}

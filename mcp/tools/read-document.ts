import type { NewEntry, ReadItem } from '../../domain/activity/entry.js'
import { documentsIn, readItems } from '../../domain/activity/read-items.js'
import type { Access } from '../../domain/oauth/connections/access.js'
import type { StoredDocument } from '../../domain/safes/documents/documents.js'
import type { DocumentPage, ReadRequest } from '../../domain/safes/documents/reading.js'
import { shownDocument } from '../../domain/safes/documents/shown-document.js'
import { DEFAULT_TOKENS } from './query-schema.js'

interface ReadDocumentArguments {
  mode?: string
  query?: string
  document?: string
  heading?: string
  cursor?: string
  max_tokens?: number
}

/** Whether arguments ask for a document instead of an answer. */
export const isReading = ({ mode, document }: ReadDocumentArguments): boolean =>
  document !== undefined || mode === 'document'

/** The request to read in these arguments; a model may pass the document as its query. */
export function readRequest({
  query = '',
  document = query,
  heading,
  cursor,
  max_tokens,
}: ReadDocumentArguments): ReadRequest {
  return { document, heading, cursor, maxTokens: max_tokens ?? DEFAULT_TOKENS }
}

/** A page of a document as the result of the tool; the other members are empty. */
export const documentAnswer = (page: DocumentPage) => ({
  safe: page.safe,
  mode: 'document' as const,
  next_cursor: page.nextCursor,
  linked: [],
  facts: [],
  passages: [],
  entities: [],
  total: 0,
  truncated: page.nextCursor !== null,
  hints: hintsOf(page.document),
  document: shownDocument(page),
})

function hintsOf({ kept }: StoredDocument): string[] {
  return [
    ...(kept === 'passages' ? ['Only the passages of this document were kept.'] : []),
    ...(kept === 'beginning' ? ['Only the beginning of this document was kept.'] : []),
  ]
}

/** The same as text. `more` explains how to continue, near the beginning, because some clients cut the end. */
export function documentText(page: DocumentPage, more = ''): string {
  const { document: shown, hints } = documentAnswer(page)
  const { path, title, date, outline } = shown
  const head = `Safe "${page.safe.name}", document "${path}"${title === path ? '' : `: ${title}`}`
  return [
    `${head}${date ? ` (${date})` : ''}.${more}`,
    ...(outline ? ['Outline:', ...outline] : []),
    '',
    page.text,
    ...hints,
  ].join('\n')
}

/** The stored activity: which document was read, and which part. */
export function documentEntry(
  { accountId, connectionId }: Access,
  { document, heading }: ReadRequest,
  page: DocumentPage,
): NewEntry {
  const { path, title, importId } = page.document
  const { first, last } = page.passages
  const items: ReadItem[] = [[title, path, importId, first, last]]
  return {
    kind: 'question',
    accountId,
    connectionId,
    safeId: page.safe.id,
    detail: 'document',
    facts: 0,
    passages: 1,
    question: heading === undefined ? document : `${document} › ${heading}`,
    readJson: readItems(items),
    documents: documentsIn(items),
  }
}

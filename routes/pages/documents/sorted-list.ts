import type { DocumentReaders } from '../../../domain/activity/document-readers.js'
import type {
  DocumentPlace,
  Documents,
  FolderEntry,
  StoredDocument,
} from '../../../domain/safes/documents/documents.js'
import { documentsTexts } from '../../../views/texts/documents.js'

/** The order of a list of all documents: by change, by size, or by the latest read of an assistant. */
export type DocumentSort = 'date' | 'size' | 'read'

/** The list reader of an account. */
export interface ListReader {
  documents: Documents
  reads: DocumentReaders
  accountId: string
  safeId: string
}

/** One list of documents. */
export interface DocumentList {
  title: string
  /** `found`: from all folders, by words or a tag. */
  kind: 'folder' | 'found' | DocumentSort
  /** Empty, or ending with a slash. */
  folder: string
  /** Parameters that its address keeps from page to page. */
  query: Record<string, string>
  read(page: { after: string; limit: number }): Promise<FolderEntry[]>
  /** The start of the next page. */
  endOf(last: FolderEntry): string
}

/** All documents in an order. A page continues after the last value and path of the one before. */
export function sortedList(
  sort: DocumentSort,
  { documents, reads, accountId, safeId }: ListReader,
): DocumentList {
  let last: DocumentPlace | undefined
  const lastRead = async (limit: number) => {
    const places = await reads.latest(accountId, safeId, limit)
    const found = await documents.among(accountId, safeId, [...places.keys()])
    return found.sort((one, other) => (places.get(other.path) ?? 0) - (places.get(one.path) ?? 0))
  }
  return {
    title: documentsTexts.sorted[sort],
    kind: sort,
    folder: '',
    query: { sort },
    read: async ({ after, limit }) => {
      // Recently read documents have one page.
      if (sort === 'read') return entries(await lastRead(limit - 1))
      const order = sort === 'date' ? 'changed' : 'size'
      const found = await documents.inOrder(accountId, safeId, order, { after: placeOf(after), limit })
      last = found.at(-2)
      return entries(found)
    },
    endOf: () => (last ? `${last.value} ${last.path}` : ''),
  }
}

/** Documents as entries of a list. */
export const entries = (documents: readonly StoredDocument[]): FolderEntry[] =>
  documents.map(document => ({ document }))

/** After a value, and a path among those with that value. */
function placeOf(after: string): DocumentPlace | undefined {
  const space = after.indexOf(' ')
  if (space < 0) return undefined
  const value = space === 0 ? null : Number(after.slice(0, space))
  return { value: Number.isFinite(value) ? value : null, path: after.slice(space + 1) }
}

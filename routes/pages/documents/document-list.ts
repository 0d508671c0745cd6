import type { Documents, FolderEntry } from '../../../domain/safes/documents/documents.js'
import { documentsTexts } from '../../../views/texts/documents.js'

/** What is to be listed, as its address says. */
interface Wanted {
  folder?: string
  q?: string
  tag?: string
  sort?: 'date'
}

interface Reader {
  documents: Documents
  accountId: string
  safeId: string
}

/** One list of documents. */
interface DocumentList {
  title: string
  /** `found`: from all folders, by words or a tag. */
  kind: 'folder' | 'found' | 'newest'
  /** Empty, or ending with a slash. */
  folder: string
  /** What its address keeps from page to page. */
  query: Record<string, string>
  read(page: { after: string; limit: number }): Promise<FolderEntry[]>
  /** Where the next page goes on. */
  endOf(last: FolderEntry): string
}

/** The list that is wanted: words and a tag first, then a date, otherwise what a folder contains. */
export function listOf(
  { folder: asked = '', q = '', tag = '', sort }: Wanted,
  { documents, accountId, safeId }: Reader,
): DocumentList {
  const m = documentsTexts
  const folder = asked === '' || asked.endsWith('/') ? asked : `${asked}/`
  const words = q.trim().split(/\s+/).filter(Boolean)
  if (words.length > 0 || tag !== '') {
    const which = { words, folder, ...(tag === '' ? {} : { tag }) }
    return {
      title: tag === '' ? m.found(q.trim()) : m.tagged(tag),
      kind: 'found',
      folder,
      query: { q: q.trim(), tag, folder },
      read: async page => entries(await documents.list(accountId, safeId, { ...which, ...page })),
      endOf: pathOf,
    }
  }
  if (sort === 'date')
    return {
      title: m.byDate,
      kind: 'newest',
      folder: '',
      query: { sort },
      read: async ({ after, limit }) =>
        entries(await documents.newest(accountId, safeId, { after: placeOf(after), limit })),
      endOf: last => ('document' in last ? `${last.document.time ?? ''} ${last.document.path}` : ''),
    }
  return {
    title: folder === '' ? m.title : (folder.split('/').at(-2) ?? ''),
    kind: 'folder',
    folder,
    query: { folder },
    read: page => documents.folder(accountId, safeId, folder, page),
    endOf: pathOf,
  }
}

const entries = (documents: Extract<FolderEntry, { document: unknown }>['document'][]): FolderEntry[] =>
  documents.map(document => ({ document }))

/** After a document, or after everything in a folder. */
const pathOf = (last: FolderEntry) => ('folder' in last ? `${last.folder.slice(0, -1)}0` : last.document.path)

/** After a time, and a path among those of that time. */
function placeOf(after: string): { time: number | null; path: string } | undefined {
  const space = after.indexOf(' ')
  if (space < 0) return undefined
  const time = space === 0 ? null : Number(after.slice(0, space))
  return { time: Number.isFinite(time) ? time : null, path: after.slice(space + 1) }
}

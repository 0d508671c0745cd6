import type { FolderEntry } from '../../../domain/safes/documents/documents.js'
import { documentsTexts } from '../../../views/texts/documents.js'
import { type DocumentList, type DocumentSort, entries, type ListReader, sortedList } from './sorted-list.js'

/** The requested list, from its address. */
interface ListRequested {
  folder?: string
  q?: string
  tag?: string
  sort?: DocumentSort
}

/** The requested list: words and a tag first, then all in an order, otherwise the contents of a folder. */
export function listOf(
  { folder: asked = '', q = '', tag = '', sort }: ListRequested,
  reader: ListReader,
): DocumentList {
  const m = documentsTexts
  const { documents, accountId, safeId } = reader
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
  if (sort) return sortedList(sort, reader)
  return {
    title: folder === '' ? m.title : (folder.split('/').at(-2) ?? ''),
    kind: 'folder',
    folder,
    query: { folder },
    read: page => documents.folder(accountId, safeId, folder, page),
    endOf: pathOf,
  }
}

/** After a document, or after everything in a folder. */
const pathOf = (last: FolderEntry) => ('folder' in last ? `${last.folder.slice(0, -1)}0` : last.document.path)

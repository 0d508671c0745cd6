import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { FolderEntry, StoredDocument } from '../../../domain/safes/documents/documents.js'
import { showBytes, showDay } from '../../../platform/common/format.js'
import { documentsPath } from './document-path.js'

/** A line of the list: a document, or a folder. */
export interface DocumentRow {
  name: string
  href: string
  /** Where it is, if that is not the folder of the page. */
  path: string | null
  isFolder: boolean
  date: string
  size: string
}

/** `isSearch`: the list is not that of its folder, so its path is shown. */
export function documentRow(safePath: string, entry: FolderEntry, isSearch: boolean): DocumentRow {
  if ('folder' in entry) {
    const name = entry.folder.split('/').at(-2) ?? ''
    const href = documentsPath(safePath, { folder: entry.folder })
    return { name, href, path: null, isFolder: true, date: '', size: '' }
  }
  const { document } = entry
  return {
    name: document.title,
    href: documentAddress(safePath, document.path),
    path: isSearch || nameOf(document) !== document.title ? document.path : null,
    isFolder: false,
    date: document.time === null ? '' : showDay(document.time),
    size: document.size === 0 ? '' : showBytes(document.size),
  }
}

const nameOf = ({ path }: StoredDocument) => path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{1,8}$/, '')

import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { DocumentSizes, FolderEntry, StoredDocument } from '../../../domain/safes/documents/documents.js'
import { amount } from '../../../domain/safes/size-text.js'
import { showBytes, showDay } from '../../../platform/common/format.js'
import { documentsPath } from './document-path.js'

/** A line of the list: a document, or a folder with its subfolders. */
interface DocumentRow {
  name: string
  href: string
  /** Its folder, if that is not the folder of the page; for a folder, its number of documents. */
  path: string | null
  isFolder: boolean
  changed: string
  size: string
  /** When an assistant read it last. */
  read: string
}

/** Known details about the entries of a list. */
interface Known {
  /** The list is not that of its folder, so paths are shown. */
  isSearch: boolean
  folders: DocumentSizes['folders'] | undefined
  /** The latest reads of documents. Milliseconds since 1970. */
  reads: ReadonlyMap<string, number>
}

/** A folder or a document in a list. `safePath` is the address of the Safe. */
export function documentRow(
  safePath: string,
  entry: FolderEntry,
  { isSearch, folders, reads }: Known,
): DocumentRow {
  if ('folder' in entry) {
    const known = folders?.get(entry.folder)
    return {
      name: entry.folder.split('/').at(-2) ?? '',
      href: documentsPath(safePath, { folder: entry.folder }),
      path: known ? amount.documents(known.count) : null,
      isFolder: true,
      changed: known?.changedAt ? showDay(known.changedAt) : '',
      size: known ? showBytes(known.bytes) : '',
      read: '',
    }
  }
  const { path, title, changedAt, size } = entry.document
  const readAt = reads.get(path)
  return {
    name: title,
    href: documentAddress(safePath, path),
    path: isSearch || nameOf(entry.document) !== title ? path : null,
    isFolder: false,
    changed: changedAt ? showDay(changedAt) : '',
    size: size === 0 ? '' : showBytes(size),
    read: readAt === undefined ? '' : showDay(readAt),
  }
}

const nameOf = ({ path }: StoredDocument) => path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{1,8}$/, '')

import { imageType } from '../../../engine/formats/index.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { Part } from '../../part.js'
import type { SafesShared } from '../dependencies.js'
import { forReaders, requireReader } from '../membership.js'
import { passageOf } from '../passage-id.js'
import type { StoredDocument } from '../stores/document-row.js'
import { type BlockPlace, BlockPlaces } from './block-places.js'
import { type DocumentText, readBytes, readText } from './document-text.js'
import { linkedPaths } from './linked-paths.js'
import type { DocumentSizes } from './size-tally.js'

type DocumentsDependencies = Pick<SafesShared, 'safes' | 'documents' | 'documentFolders' | 'decisions'>

export type {
  DocumentOrder,
  DocumentPassage,
  DocumentPlace,
  ListedDocuments,
} from '../stores/document.sql.js'
export type { FolderEntry } from '../stores/document-folder.sql.js'
export type { StoredDocument } from '../stores/document-row.js'
export type { DocumentText } from './document-text.js'
export type { DocumentSizes } from './size-tally.js'

/** The documents of Safes, for reading. Every method throws `notFound` for Safes that the account may not read. */
export class Documents extends Part<DocumentsDependencies> {
  readonly #blocks = new BlockPlaces(this.dependencies)

  readonly list = forReaders(this.dependencies, 'documents', 'list')
  /** In an order, then by path; sorted by time, those without a date come last. */
  readonly inOrder = forReaders(this.dependencies, 'documents', 'inOrder')
  /** Those with these paths; paths without a current document are missing. */
  readonly among = forReaders(this.dependencies, 'documents', 'among')
  /** The contents of a folder (empty, or ending with a slash), after `after`. */
  readonly folder = forReaders(this.dependencies, 'documentFolders', 'folder')
  /** The tags of documents, the most frequent first. */
  readonly tags = forReaders(this.dependencies, 'documentFolders', 'tags')
  readonly neighbours = forReaders(this.dependencies, 'documentFolders', 'neighbours')

  /** @throws notFound if there is none at this path */
  async find(accountId: string, safeId: string, path: string): Promise<StoredDocument> {
    await requireReader(this.dependencies.safes, accountId, safeId)
    const found = await this.dependencies.documents.find(safeId, path)
    if (!found) throw notFound('Document')
    return found
  }

  /** The sizes of folders, and the `limit` largest documents. Null: not computed yet. */
  async sizes(accountId: string, safeId: string, limit: number): Promise<DocumentSizes | null> {
    const { version } = await requireReader(this.dependencies.safes, accountId, safeId)
    return this.dependencies.documentFolders.sizes(safeId, version, limit)
  }

  /**
   * The place of a passage, by its id in an answer, such as "p3.12".
   * @throws notFound
   */
  async placeOf(
    accountId: string,
    safeId: string,
    passageId: string,
  ): Promise<{ path: string | null; passage: number; entityKey: string }> {
    await requireReader(this.dependencies.safes, accountId, safeId)
    const ref = passageOf(passageId)
    const place = ref && (await this.dependencies.documents.placeOf(safeId, ref))
    if (!place) throw notFound('Passage')
    return { ...place, passage: ref.id }
  }

  /** The whole text of a document, with the places of its passages. For an earlier import it is assembled from them. */
  async read(accountId: string, safeId: string, document: StoredDocument): Promise<DocumentText> {
    const { safes, documents, decisions } = this.dependencies
    await requireReader(safes, accountId, safeId)
    return readText(documents, safeId, document, await decisions.removed(safeId))
  }

  /** The original bytes, without removed passages; for formats that are not text, the extracted text. Null if only passages are stored. */
  async original(accountId: string, safeId: string, document: StoredDocument): Promise<Buffer | null> {
    const { safes, documents, decisions } = this.dependencies
    await requireReader(safes, accountId, safeId)
    return readBytes(documents, safeId, document, await decisions.removed(safeId))
  }

  /** The bytes of a picture, with their type and a name for this version of it. @throws notFound */
  async image(
    accountId: string,
    safeId: string,
    path: string,
  ): Promise<{ bytes: Buffer; type: string; version: string }> {
    await requireReader(this.dependencies.safes, accountId, safeId)
    const found = await this.dependencies.documents.image(safeId, path)
    const bytes = found && (await this.dependencies.documents.bytes(safeId, found))
    const type = bytes && imageType(bytes)
    if (!bytes || !type) throw notFound('Picture')
    return { bytes, type, version: found.contentHash }
  }

  /**
   * The paths of documents and pictures that links in `from` refer to; links without a target are missing. At most the first 10,000 links
   * are looked up.
   */
  async resolve(
    accountId: string,
    safeId: string,
    from: string,
    targets: readonly string[],
  ): Promise<Map<string, string>> {
    await requireReader(this.dependencies.safes, accountId, safeId)
    return linkedPaths(this.dependencies.documents, safeId, from, targets)
  }

  /** The places of the blocks with these ids that the document at `from` refers to; unknown blocks are missing. */
  async blocks(
    accountId: string,
    safeId: string,
    from: string,
    ids: readonly string[],
  ): Promise<Map<string, BlockPlace>> {
    await requireReader(this.dependencies.safes, accountId, safeId)
    return this.#blocks.find(safeId, from, ids, await this.dependencies.decisions.removed(safeId))
  }
}

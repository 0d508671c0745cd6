import { LRUCache } from 'lru-cache'
import type { RowRange } from '../../../engine/graph/index.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { Part as Base } from '../../part.js'
import { quoted } from '../ask/one-line.js'
import type { SafeContent } from '../index/content.js'
import type { DocumentSet, DocumentStore } from '../stores/document.sql.js'
import type { DocumentFolderStore } from '../stores/document-folder.sql.js'
import type { Outline } from './outline.js'
import { nearestOf, Properties, type Property, unknownPart } from './properties.js'
import type { Reading } from './reading.js'

/** The filters of a question. */
export interface Limits {
  /** Folders, tags and documents; one must match. */
  in: readonly string[]
  /** Properties; all must match. */
  where: readonly Property[]
}

/** The filters of a question as rows of passages: those in each of these lists. */
export interface PassageFilter {
  within: RowRange[][]
  /** Sentences about entries that match nothing. */
  notes: string[]
}

const TAG = 'tag:'
/** Folders and tags of an outline. */
const SHOWN = 12
/** Maximum ranges cached for the next question about the same part. */
const MAX_KEPT = 200_000

interface PartsDependencies {
  documents: DocumentStore
  documentFolders: DocumentFolderStore
  reading: Reading
}

/** Finds the folders, tags and documents of `in` (RULES R3), and the properties of `where`. Callers have checked that the account may read the Safe. */
export class Parts extends Base<PartsDependencies> {
  readonly #properties = new Properties(this.dependencies)
  readonly #kept = new LRUCache<string, PassageFilter>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ within }) => within.flat().length + 1,
  })

  /** @throws DomainError 400 that names the nearest matches if no entry, or one property, matches nothing */
  async find(
    accountId: string,
    { id: safeId, version, content }: { id: string; version: number; content: SafeContent },
    limits: Limits,
  ): Promise<PassageFilter> {
    const name = JSON.stringify([safeId, version, content.committed.version, limits.in, limits.where])
    const known = this.#kept.get(name)
    if (known) return known
    const part: PassageFilter = { within: [], notes: [] }
    if (limits.in.length > 0) part.within.push(await this.#places(accountId, safeId, limits.in, part.notes))
    for (const property of limits.where)
      part.within.push(await this.#properties.find(safeId, content, property, accountId))
    this.#kept.set(name, part)
    return part
  }

  async #places(
    accountId: string,
    safeId: string,
    entries: readonly string[],
    notes: string[],
  ): Promise<RowRange[]> {
    const ranges: RowRange[] = []
    for (const entry of entries) {
      const found = await this.#entry(accountId, safeId, entry.trim())
      if (typeof found === 'string') notes.push(found)
      else for await (const some of this.dependencies.documents.rows(safeId, found)) ranges.push(...some)
    }
    if (notes.length === entries.length) throw unknownPart(notes.join(' '))
    return ranges
  }

  /** The folders of the Safe, or of the only folder that is requested, and the tags of their documents. */
  async outline(safeId: string, entries: readonly string[] = []): Promise<Outline> {
    const [only = '', ...others] = entries
    if (others.length > 0 || (only !== '' && !only.endsWith('/'))) return { folders: [], tags: [] }
    const folder = only === '' ? '' : ((await this.#folder(safeId, only)) ?? '')
    const inner = await this.dependencies.documentFolders.folders(safeId, folder, SHOWN)
    const folders = await Promise.all(
      inner.map(async inner => ({
        folder: inner,
        documents: await this.dependencies.documentFolders.countIn(safeId, inner),
      })),
    )
    return { folders, tags: (await this.dependencies.documentFolders.tags(safeId, folder)).slice(0, SHOWN) }
  }

  /** The documents of an entry, or a sentence about why there are none. */
  async #entry(accountId: string, safeId: string, entry: string): Promise<DocumentSet | string> {
    if (entry.toLowerCase().startsWith(TAG))
      return this.#tag(safeId, entry.slice(TAG.length).replace(/^#/, ''))
    const folder = await this.#folder(safeId, entry)
    if (folder !== null) return { folder }
    if (entry.endsWith('/')) return this.#noFolder(safeId, entry)
    try {
      return { path: (await this.dependencies.reading.find(accountId, safeId, entry)).path }
    } catch (error) {
      if (error instanceof DomainError && error.status === 400) return error.message
      throw error
    }
  }

  /** The folder with this name, in any case, with or without a slash at either end; null: there is none. */
  async #folder(safeId: string, entry: string): Promise<string | null> {
    const folder = `${trimmed(entry)}/`
    if (folder === '/') return null
    return (await this.dependencies.documentFolders.countIn(safeId, folder, 1)) > 0
      ? folder
      : this.dependencies.documentFolders.folderLike(safeId, folder)
  }

  async #tag(safeId: string, tag: string): Promise<DocumentSet | string> {
    const tags = (await this.dependencies.documentFolders.tags(safeId)).map(({ tag }) => tag)
    const wanted = tag.toLowerCase()
    const isWanted = (tag: string) =>
      tag.toLowerCase() === wanted || tag.toLowerCase().startsWith(`${wanted}/`)
    const found = tags.filter(isWanted)
    if (found.length > 0) return { tags: found }
    return `No document has the tag ${quoted(tag)}. ${nearestOf(tags, tag, TAG)}`
  }

  async #noFolder(safeId: string, entry: string): Promise<string> {
    const above = trimmed(entry).split('/').slice(0, -1).join('/')
    const parent = above === '' ? '' : ((await this.#folder(safeId, above)) ?? '')
    const folders = await this.dependencies.documentFolders.folders(safeId, parent, 200)
    return `There is no folder ${quoted(entry)}. ${nearestOf(folders, entry)}`
  }
}

const trimmed = (folder: string) => folder.split('/').filter(Boolean).join('/')

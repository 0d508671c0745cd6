import { LRUCache } from 'lru-cache'
import type { RowRange } from '../../../engine/graph/index.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { quoted } from '../ask/one-line.js'
import type { DocumentSet, DocumentStore } from '../stores/document.sql.js'
import type { DocumentFolderStore } from '../stores/document-folder.sql.js'
import type { Outline } from './outline.js'
import type { Reading } from './reading.js'

/** What a question is limited to, as rows of passages. */
export interface Part {
  within: readonly RowRange[]
  /** Sentences about entries that match nothing. */
  notes: string[]
}

const TAG = 'tag:'
const NEAREST = 5
/** Folders and tags of an outline. */
const SHOWN = 12
/** Ranges that are kept for the next question about the same part. */
const MAX_KEPT = 200_000

/** Finds what `in` names: folders, tags and documents (RULES R3). Callers have checked that the account may read the Safe. */
export class Parts {
  readonly #documents: DocumentStore
  readonly #folders: DocumentFolderStore
  readonly #reading: Reading
  readonly #kept = new LRUCache<string, Part>({
    maxSize: MAX_KEPT,
    sizeCalculation: ({ within }) => within.length + 1,
  })

  constructor(documents: DocumentStore, folders: DocumentFolderStore, reading: Reading) {
    this.#documents = documents
    this.#folders = folders
    this.#reading = reading
  }

  /** @throws DomainError 400 if no entry matches anything, with the nearest */
  async find(
    accountId: string,
    { id: safeId, version }: { id: string; version: number },
    entries: readonly string[],
  ): Promise<Part> {
    const name = JSON.stringify([safeId, version, entries])
    const known = this.#kept.get(name)
    if (known) return known
    const part: Part = { within: [], notes: [] }
    const ranges: RowRange[] = []
    for (const entry of entries) {
      const found = await this.#entry(accountId, safeId, entry.trim())
      if (typeof found === 'string') part.notes.push(found)
      else for await (const some of this.#documents.rows(safeId, found)) ranges.push(...some)
    }
    if (part.notes.length === entries.length) throw new DomainError(400, 'unknown_part', part.notes.join(' '))
    part.within = ranges
    this.#kept.set(name, part)
    return part
  }

  /** The folders of the Safe, or of the only folder that is asked for, and the tags of their documents. */
  async outline(safeId: string, entries: readonly string[] = []): Promise<Outline> {
    const [only = '', ...others] = entries
    if (others.length > 0 || (only !== '' && !only.endsWith('/'))) return { folders: [], tags: [] }
    const folder = only === '' ? '' : ((await this.#folder(safeId, only)) ?? '')
    const inner = await this.#folders.folders(safeId, folder, SHOWN)
    const folders = await Promise.all(
      inner.map(async inner => ({ folder: inner, documents: await this.#folders.countIn(safeId, inner) })),
    )
    return { folders, tags: (await this.#folders.tags(safeId, folder)).slice(0, SHOWN) }
  }

  /** The documents that an entry names, or a sentence about why there are none. */
  async #entry(accountId: string, safeId: string, entry: string): Promise<DocumentSet | string> {
    if (entry.toLowerCase().startsWith(TAG))
      return this.#tag(safeId, entry.slice(TAG.length).replace(/^#/, ''))
    const folder = await this.#folder(safeId, entry)
    if (folder !== null) return { folder }
    if (entry.endsWith('/')) return this.#noFolder(safeId, entry)
    try {
      return { path: (await this.#reading.find(accountId, safeId, entry)).path }
    } catch (error) {
      if (error instanceof DomainError && error.status === 400) return error.message
      throw error
    }
  }

  /** The folder that is meant, in any case, with or without a slash at either end; null: there is none. */
  async #folder(safeId: string, entry: string): Promise<string | null> {
    const folder = `${trimmed(entry)}/`
    if (folder === '/') return null
    return (await this.#folders.countIn(safeId, folder, 1)) > 0
      ? folder
      : this.#folders.folderLike(safeId, folder)
  }

  async #tag(safeId: string, tag: string): Promise<DocumentSet | string> {
    const tags = await this.#folders.tags(safeId)
    const wanted = tag.toLowerCase()
    const isWanted = (tag: string) =>
      tag.toLowerCase() === wanted || tag.toLowerCase().startsWith(`${wanted}/`)
    const found = tags.filter(({ tag }) => isWanted(tag)).map(({ tag }) => tag)
    if (found.length > 0) return { tags: found }
    return `No document has the tag ${quoted(tag)}. ${nearestOf(
      tags.map(({ tag }) => tag),
      tag,
      TAG,
    )}`
  }

  async #noFolder(safeId: string, entry: string): Promise<string> {
    const above = trimmed(entry).split('/').slice(0, -1).join('/')
    const parent = above === '' ? '' : ((await this.#folder(safeId, above)) ?? '')
    const folders = await this.#folders.folders(safeId, parent, 200)
    return `There is no folder ${quoted(entry)}. ${nearestOf(folders, entry, '')}`
  }
}

const trimmed = (folder: string) => folder.split('/').filter(Boolean).join('/')

/** The names most like the wanted one: those that share most of their beginnings of words. */
function nearestOf(names: readonly string[], wanted: string, prefix: string): string {
  if (names.length === 0) return prefix === TAG ? 'This Safe has no tags.' : 'This Safe has no folders.'
  const starts = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{1,3}/gu))
  const parts = starts(wanted)
  const likeness = (name: string) => [...starts(name)].filter(start => parts.has(start)).length
  const nearest = names.toSorted((a, b) => likeness(b) - likeness(a)).slice(0, NEAREST)
  return `Nearest: ${nearest.map(name => quoted(`${prefix}${name}`)).join(', ')}.`
}

import type { PassageText } from '../../../engine/formats/index.js'
import type {
  AliasRow,
  EntityRow,
  IdentityRow,
  PassageRow,
  RelationRow,
} from '../../../engine/graph/index.js'
import type { DocumentKind } from '../../../platform/common/document-kind.js'
import type { Counts, ImportReport } from '../safe.js'

/** Default size of a page of Safes, members or imports. */
export const LISTED_AT_ONCE = 100

export interface NewEntity extends Omit<EntityRow, 'importId'> {
  /**
   * Whether the file states this name. A name derived from the file's id for the entity is replaced by a
   * stated one.
   */
  named: boolean
}
export type NewIdentity = Omit<IdentityRow, 'importId'>
interface NewPassage extends PassageText {
  id: number
  entityKey: string
  /** The source, if not the file of this import. */
  origin?: string
  /** Its document, and its line there. */
  documentId?: number | null
  line?: number | null
}

/** A document, without its text. */
export interface NewDocument {
  id: number
  path: string
  title: string
  /**
   * A picture has no text: it is stored for the documents that show it. An address is an alternative name in links for the document
   * whose path is its title: its own path is that path, `#/` and the address.
   */
  kind: DocumentKind | 'image' | 'address'
  kept: 'whole' | 'beginning' | 'passages'
  /** Bytes of the file; 0: unknown. */
  size: number
  textBytes: number
  parts: number
  /** Milliseconds since 1970; null: unknown. */
  time: number | null
  tags: readonly string[]
  /** SHA-256 of its text, base64url; empty if only its passages are stored. */
  contentHash: string
}

/** Kinds of rows that support documents but are not documents themselves. */
export const NO_DOCUMENTS: readonly string[] = ['image', 'address']

/** A part of the text of a document, compressed. */
export interface NewDocumentText {
  documentId: number
  part: number
  bytes: Uint8Array
}

export interface NewRelation extends Omit<RelationRow, 'importId'> {
  /** The source, if not the file of this import. */
  origin?: string
}

/** Rows of one transaction: at most `MAX_ROWS` in all, each entity once. */
export interface RowBatch {
  entities: NewEntity[]
  aliases: Omit<AliasRow, 'importId'>[]
  /** Each key once. */
  identities: NewIdentity[]
  passages: NewPassage[]
  relations: NewRelation[]
  documents: NewDocument[]
  documentTexts: NewDocumentText[]
}

/** A batch without rows, to be filled. */
export const emptyBatch = (): RowBatch => ({
  entities: [],
  aliases: [],
  identities: [],
  passages: [],
  relations: [],
  documents: [],
  documentTexts: [],
})

/** Rows per transaction: few enough that other writers wait only milliseconds (GRAPH §1). */
export const MAX_ROWS = 500

/** A process's claim on an import, and the progress to record with it. */
export interface Lease {
  leaseUntil: number
  report?: ImportReport
}

/** The visible content of a Safe at one moment. Its size does not depend on the number of imports. */
export interface CommittedImports {
  /** The Safe's version. */
  version: number
  /** Totals of all imports; duplicates in two imports count twice until the imports are merged. */
  counts: Counts
  /** Equal whenever the same rows are visible. */
  contentHash: string
  /** Id ranges of visible imports, oldest first, both ends included. All rows of these imports are visible. */
  ranges: readonly ImportRange[]
  /** The version created by the last undo. Data read at an older version may be incomplete. */
  undoneVersion: number
  /** Rows referred to by an index of an older version may have been dropped, because imports were merged (ADR 31). */
  readableFrom: number
}

/** The imports and versions of files whose rows are visible, one by one, at one moment. */
export interface VisibleLayers {
  /** Up to this import, all have been merged into one (ADR 31), to which rows were added. */
  mergedThrough: number
  /** In ascending order. */
  ids: number[]
}

/**
 * Versions of the files of synced folders have ids from here on, instead of import ids (ADR 52). An index
 * has room for ids below 2^31.
 */
export const FIRST_VERSION = 2 ** 30
export const LAST_VERSION = FIRST_VERSION + 2 ** 29 - 1

export type ImportRange = readonly [from: number, to: number]

/** A row of an entity: its key in one import. */
export interface EntityRef {
  importId: number
  key: string
}

/** A relation with all its columns. */
export interface StoredRelation extends RelationRow {
  /** The source, if not the file of its own import. */
  origin: string | null
}

/** A passage as answers use it. */
export interface StoredPassage extends PassageRow {
  /** The source given in its file. */
  source: string | null
  origin: string | null
  /** Its position in a sequence. */
  seq: number | null
  /** The path of its document. */
  document: string | null
}

/** A passage with all its columns. */
export interface FullPassage extends PassageText {
  importId: number
  id: number
  entityKey: string
  origin: string | null
  documentId: number | null
  line: number | null
}

/** A merge of imports into one, in progress (ADR 31). */
export interface Merge {
  safeId: string
  /** The import that they are merged into. */
  layer: number
  /** The imports to merge: those committed after `from`, up to `through`. */
  from: number
  through: number
  /** Import → source, including the layer's. */
  sources: ReadonlyMap<number, string>
  /** Import → when it began. */
  times: ReadonlyMap<number, number>
  /** Predicates with one value at a time. */
  singleValued: ReadonlySet<string>
  /** The Safe's current totals for the layer and all of these imports. */
  counted: Counts
  /** The number of imports that the merge removes. */
  importCount: number
  /** This process holds the Safe until then; also proves that it still does. */
  until: number
}

export interface MergeLimits {
  /** Newest imports that stay unmerged. */
  keep: number
  /** Imports merged in one step; fewer are not merged. */
  most: number
}

/** The visible version of a file of a synced folder. */
export interface KnownFile {
  id: number
  /** The first version of the same file. */
  firstId: number
  path: string
  size: number
  /** 0: unknown. */
  modifiedAt: number
  contentHash: string
  /** Names that its links were looked up by; null: too many to store. */
  lookedUp: ReadonlySet<string> | null
  /** The hash of its document; null if it has none, or several. */
  kind: string | null
  relations: number
  passages: number
}

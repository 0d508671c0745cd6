import type { PassageText } from '../../formats/writers/format.js'
import type { EntityRow, GraphSource, PassageRow, RelationRow, RowRef } from '../../graph/model.js'
import type { Counts, Import, ListOptions, OwnedSafe, Role, Safe } from '../safe.js'

/** Default page sizes. */
export const SAFES_AT_ONCE = 100
export const MEMBERS_AT_ONCE = 100
export const IMPORTS_AT_ONCE = 100

/** Safes and their members. */
export interface SafeStore {
  /** Creates the Safe with its first owner. */
  create(safe: Safe, ownerId: string): Promise<void>
  rename(safeId: string, name: string): Promise<void>
  /**
   * Removes all memberships, so that nobody can read the Safe any more. `removeSome` then removes the rest in
   * steps.
   */
  remove(safeId: string): Promise<void>
  /**
   * Marks imports of a removed Safe after `after` as undone, so that their rows can be dropped. Returns their
   * range, or null when none were left and the Safe itself has been deleted.
   */
  removeSome(safeId: string, after: number, leaseUntil: number): Promise<ImportRange | null>
  /** Safes whose removal was interrupted: those without an owner. */
  removed(): AsyncIterable<string>
  /**
   * The Safes this account may read, in the order in which it received them, with the counts of their
   * committed imports.
   */
  readableBy(
    accountId: string,
    page?: ListOptions<string>,
  ): Promise<(Safe & { role: Role; counts: Counts })[]>
  /** One Safe in the form of `readableBy`, or null when this account may not read it. */
  readable(accountId: string, safeId: string): Promise<(Safe & { role: Role; counts: Counts }) | null>
  /** Every Safe with one of its owners, ordered by id, in pages. */
  all(page?: ListOptions<string>): Promise<OwnedSafe[]>
  /** The Safe with this id, or else up to 10 with this name. */
  named(idOrName: string): Promise<OwnedSafe[]>
  /** Null when this account may not read this Safe. One indexed look-up, because it precedes every read. */
  membership(accountId: string, safeId: string): Promise<{ name: string; version: number; role: Role } | null>
  /** Ordered by id. */
  members(safeId: string, page?: ListOptions<string>): Promise<{ accountId: string; role: Role }[]>
  /** Whether this account is the only owner. */
  isOnlyOwner(safeId: string, accountId: string): Promise<boolean>
  /** Adds a member or changes its role. Nothing changes if that would leave the Safe without an owner. */
  share(
    safeId: string,
    accountId: string,
    role: Role,
    at: number,
  ): Promise<'shared' | 'no account' | 'last owner'>
  /** Removes a membership, except that of the last owner. */
  unshare(safeId: string, accountId: string): Promise<'unshared' | 'no member' | 'last owner'>
}

/** An import's progress and result, without its rows. */
export interface ImportReport
  extends Pick<Import, 'counts' | 'badLineCount' | 'badLines' | 'problem' | 'bytesRead' | 'bytesTotal'> {}

export interface NewEntity {
  key: string
  name: string
  type: string | null
  /**
   * Whether the file states this name. A name derived from the file's id for the entity is replaced by a
   * stated one.
   */
  named: boolean
}
export interface NewAlias {
  entityKey: string
  alias: string
}
export interface NewPassage {
  id: number
  entityKey: string
  title: string
  text: string
  source: string | null
  seq: number | null
  time: number | null
  /** The source, if not the file of this import. */
  origin?: string
}
export interface NewRelation {
  id: number
  subjectKey: string
  predicate: string
  objectKey: string
  /** The source, if not the file of this import. */
  origin?: string
}

/** Rows of one transaction: at most `MAX_ROWS` in all, each entity once. */
export interface RowBatch {
  entities: NewEntity[]
  aliases: NewAlias[]
  passages: NewPassage[]
  relations: NewRelation[]
}

/** Rows per transaction: few enough that other writers wait only milliseconds (GRAPH §1). */
export const MAX_ROWS = 500

/** A process's claim on an import, and the progress to record with it. */
export interface Lease {
  leaseUntil: number
  report?: ImportReport
}

/** An import whose lease expired: its process died, or its owner never approved it. */
export interface Abandoned {
  safeId: string
  id: number
}

/**
 * Imports and their rows (GRAPH §1). A lease of 0 means that no work is left; any other expired lease means
 * that another process must drop the remaining rows.
 */
export interface ImportStore {
  /** Creates an import in progress. Ids count 1, 2, 3 … within their Safe and are never reused. */
  begin(
    safeId: string,
    start: { source: string; format: string; createdBy: string; at: number; report: ImportReport } & Lease,
  ): Promise<Import>
  /**
   * Adds rows in one transaction and renews the lease. Returns how many entities were new in this import, or
   * null when the import is no longer in progress (undone, swept, its Safe removed) and nothing was written.
   */
  append(safeId: string, importId: number, rows: RowBatch, lease: Lease): Promise<number | null>
  /** False when the import is no longer in progress. */
  renew(safeId: string, importId: number, lease: Lease): Promise<boolean>
  /**
   * Marks the file as completely read; the import now waits for its owner's approval. Returns false like
   * `renew`.
   */
  finish(safeId: string, importId: number, contentHash: string, lease: Lease): Promise<boolean>
  /** The committed import with the same bytes in this Safe, or null. */
  findSame(safeId: string, importId: number): Promise<number | null>
  /**
   * Makes a finished import visible and increments the Safe's version, atomically. If the same bytes are
   * already committed in this Safe, nothing changes and that import's id is returned. Null when it was not
   * waiting.
   */
  commit(safeId: string, importId: number, at: number): Promise<'committed' | { sameAs: number } | null>
  /** Rejects a staged import, whose rows must then be dropped. False when it was not staged. */
  fail(safeId: string, importId: number, lease: Required<Lease>): Promise<boolean>
  /**
   * Hides an import immediately and increments the Safe's version if it was visible. Null when there was
   * none. A merged import (ADR 31) stays; the result is then the time of the first import that can be undone.
   */
  undo(
    safeId: string,
    importId: number,
    leaseUntil: number,
  ): Promise<'undone' | { mergedBefore: number } | null>
  /**
   * Drops at most `MAX_ROWS` rows of these imports, all of them hidden, and renews their leases. False when
   * none are left.
   */
  dropSome(safeId: string, imports: ImportRange, leaseUntil: number): Promise<boolean>
  /** Records that no rows of these rejected or undone imports are left. */
  dropped(safeId: string, imports: ImportRange): Promise<void>
  /** Takes over imports whose lease expired before `now`; staged ones fail with `problem`. */
  takeAbandoned(now: number, leaseUntil: number, problem: string): Promise<Abandoned[]>
  /** Newest first, without undone imports; those before `page.after`. */
  list(safeId: string, page?: ListOptions<number>): Promise<Import[]>
  find(safeId: string, importId: number): Promise<Import | null>
}

/** The visible content of a Safe at one moment. Its size does not depend on the number of imports. */
export interface CommittedImports {
  /** The Safe's version. */
  version: number
  /** Totals of all imports; duplicates in two imports count twice until the imports are merged. */
  counts: Counts
  /** Equal whenever the same rows are visible. */
  contentHash: string
  /**
   * Id ranges of visible imports, oldest first, both ends included. All rows of these imports are visible.
   */
  ranges: readonly ImportRange[]
  /** The version created by the last undo. Data read at an older version may be incomplete. */
  undoneVersion: number
  /**
   * Rows named by an index of an older version may have been dropped, because imports were merged (ADR 31).
   */
  readableFrom: number
}

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
  /** The source that its file names. */
  source: string | null
  origin: string | null
  /** Its position in a sequence. */
  seq: number | null
}

/** The contents of a Safe's committed imports. */
export interface ContentStore {
  /**
   * Read atomically. Null when the Safe does not exist. `pendingImport` is a staged import to treat as
   * committed.
   */
  committedImports(safeId: string, pendingImport?: number): Promise<CommittedImports | null>
  /** All rows of these imports, in pages. */
  source(safeId: string, ranges: readonly ImportRange[]): GraphSource
  /** Rows by their keys, in any order, without missing ones. At most 600. */
  relations(safeId: string, refs: readonly RowRef[]): Promise<StoredRelation[]>
  passages(safeId: string, refs: readonly RowRef[]): Promise<StoredPassage[]>
  /** Entities by their rows, in any order, without missing ones. */
  entities(safeId: string, refs: readonly EntityRef[]): Promise<EntityRow[]>
  /** The sources of these imports, without those that are no longer committed. */
  sources(safeId: string, importIds: readonly number[]): Promise<Map<number, string>>
}

/** A passage with all its columns. */
export interface FullPassage extends PassageText {
  importId: number
  id: number
  entityKey: string
  origin: string | null
}

/** Reads for exports, in addition to `ContentStore`. */
export interface ExportStore {
  /** All passages of these imports, in pages that fit in memory however long the texts are. */
  passages(safeId: string, range: ImportRange): AsyncIterable<FullPassage[]>
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
  /** The Safe's current totals for the layer and all of these imports. */
  counted: Counts
  /** By how many the number of imports decreases. */
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

/** Merges the imports of Safes that have very many. Each method is one short transaction. */
export interface MergeStore {
  /** Some of the Safes with at least this many unmerged imports. */
  crowded(imports: number): Promise<string[]>
  /**
   * Claims a Safe's oldest imports, or those that a dead process was merging. They can no longer be undone.
   * Null when there are too few, or another process holds the Safe at `now`.
   */
  claim(safeId: string, limits: MergeLimits, now: number, until: number): Promise<Merge | null>
  /** Relations of imports, in pages. */
  relations(safeId: string, range: ImportRange): AsyncIterable<StoredRelation[]>
  /**
   * Adds rows to the layer and holds the Safe until `until`. Entities replace those with the same key.
   * Returns false, having written nothing, when another process holds the Safe or the Safe was removed.
   */
  append(merge: Merge, rows: RowBatch, until: number): Promise<boolean>
  /** Lets the layer replace all of these imports; `counts` are its totals. Returns false like `append`. */
  finish(merge: Merge, counts: Counts, now: number): Promise<boolean>
  /** Releases the Safe for other processes. */
  release(merge: Merge): Promise<void>
  /** Some Safes that still have rows of imports merged before `mergedBefore`, and those imports. */
  merged(mergedBefore: number): Promise<{ safeId: string; imports: ImportRange }[]>
  /**
   * From now on no answer uses an index that names these rows. False when more imports were merged in the
   * meantime.
   */
  retire(safeId: string, imports: ImportRange): Promise<boolean>
  /** Drops at most `MAX_ROWS` of their rows. False when none are left, which is then recorded. */
  dropSome(safeId: string, imports: ImportRange): Promise<boolean>
}

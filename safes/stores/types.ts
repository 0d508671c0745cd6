import type { PassageText } from '../../formats/writers/format.js'
import type { EntityRow, GraphSource, PassageRow, RelationRow, RowRef } from '../../graph/model.js'
import type { Counts, Import, ListOptions, OwnedSafe, Role, Safe } from '../safe.js'

/** Of one page, where the caller names no number. */
export const SAFES_AT_ONCE = 100
export const MEMBERS_AT_ONCE = 100
export const IMPORTS_AT_ONCE = 100

/** Safes and who may read them. */
export interface SafeStore {
  /** Creates the Safe with its first owner. */
  create(safe: Safe, ownerId: string): Promise<void>
  rename(safeId: string, name: string): Promise<void>
  /** Takes the memberships away, and with them the Safe from everybody; `removeSome` takes the rest, bit by bit. */
  remove(safeId: string): Promise<void>
  /**
   * Marks the imports of a removed Safe that follow `after` as undone, so that their rows can be dropped. Returns their
   * range; null when there were none left, and the Safe itself is gone.
   */
  removeSome(safeId: string, after: number, leaseUntil: number): Promise<ImportRange | null>
  /** The Safes whose removal was broken off: every other Safe has an owner. */
  removed(): AsyncIterable<string>
  /** The Safes this account may read, in the order in which it got them, with the counts of their committed imports. */
  readableBy(
    accountId: string,
    page?: ListOptions<string>,
  ): Promise<(Safe & { role: Role; counts: Counts })[]>
  /** One Safe as `readableBy` gives it, or null when this account may not read it. */
  readable(accountId: string, safeId: string): Promise<(Safe & { role: Role; counts: Counts }) | null>
  /** Every Safe with one of its owners, in order of their ids, in pages. */
  all(page?: ListOptions<string>): Promise<OwnedSafe[]>
  /** The Safe with this id, else up to 10 with this name. */
  named(idOrName: string): Promise<OwnedSafe[]>
  /** Null when this account may not read this Safe. One indexed look-up: it stands before every read. */
  membership(accountId: string, safeId: string): Promise<{ name: string; version: number; role: Role } | null>
  /** In order of their ids. */
  members(safeId: string, page?: ListOptions<string>): Promise<{ accountId: string; role: Role }[]>
  /** Whether nobody else owns the Safe. */
  isOnlyOwner(safeId: string, accountId: string): Promise<boolean>
  /** Adds a member or changes its role. The last owner may not step down; then nothing changes. */
  share(
    safeId: string,
    accountId: string,
    role: Role,
    at: number,
  ): Promise<'shared' | 'no account' | 'last owner'>
  /** Takes a membership away, unless it is the last owner's. */
  unshare(safeId: string, accountId: string): Promise<'unshared' | 'no member' | 'last owner'>
}

/** What is known of an import besides its rows. */
export interface ImportReport
  extends Pick<Import, 'counts' | 'badLineCount' | 'badLines' | 'problem' | 'bytesRead' | 'bytesTotal'> {}

export interface NewEntity {
  key: string
  name: string
  type: string | null
  /** Whether the file gave it this name; otherwise the name is only what the file calls it by, and gives way. */
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
  /** Where it came from, if not from the file of this import. */
  origin?: string
}
export interface NewRelation {
  id: number
  subjectKey: string
  predicate: string
  objectKey: string
  /** Where it came from, if not from the file of this import. */
  origin?: string
}

/** Rows that one transaction adds: at most `MAX_ROWS` together, no entity twice. */
export interface RowBatch {
  entities: NewEntity[]
  aliases: NewAlias[]
  passages: NewPassage[]
  relations: NewRelation[]
}

/** Rows of one transaction: few enough that other writers wait milliseconds (GRAPH §1). */
export const MAX_ROWS = 500

/** Who works on an import: until when, and what it has found so far. */
export interface Lease {
  leaseUntil: number
  report?: ImportReport
}

/** An import whose lease ran out: its process died, or its owner never said yes. */
export interface Abandoned {
  safeId: string
  id: number
}

/**
 * Imports and the rows they bring (GRAPH §1). A lease of 0 means that nothing is left to be done; any other that has
 * passed means that somebody else must drop what was left behind.
 */
export interface ImportStore {
  /** Makes an import that is being read. Ids count 1, 2, 3 … in their Safe and are never used twice. */
  begin(
    safeId: string,
    start: { source: string; format: string; createdBy: string; at: number; report: ImportReport } & Lease,
  ): Promise<Import>
  /**
   * Adds rows, in one transaction, and renews the lease. Returns how many entities were new in this import, or null
   * when the import is not being read any more (undone, swept, its Safe removed): then nothing was written.
   */
  append(safeId: string, importId: number, rows: RowBatch, lease: Lease): Promise<number | null>
  /** False when the import is not being read any more. */
  renew(safeId: string, importId: number, lease: Lease): Promise<boolean>
  /** All is read: from now on the import waits for its owner's yes. False as for `renew`. */
  finish(safeId: string, importId: number, contentHash: string, lease: Lease): Promise<boolean>
  /** The committed import that brought the same bytes into this Safe before, or null. */
  findSame(safeId: string, importId: number): Promise<number | null>
  /**
   * Makes a finished import visible and raises the Safe's version, both or neither. When the same bytes are already
   * committed in this Safe nothing changes, and that import's id is returned. `null`: it was not waiting.
   */
  commit(safeId: string, importId: number, at: number): Promise<'committed' | { sameAs: number } | null>
  /** Refuses a staged import; its rows are still to be dropped. False when it was not staged. */
  fail(safeId: string, importId: number, lease: Required<Lease>): Promise<boolean>
  /**
   * Hides an import at once, raising the Safe's version if it was visible. `null`: there was none to hide. One that has
   * been merged (ADR 31) stays; then the first import that has not is told by its time.
   */
  undo(
    safeId: string,
    importId: number,
    leaseUntil: number,
  ): Promise<'undone' | { mergedBefore: number } | null>
  /** Drops at most `MAX_ROWS` rows of imports none of which is visible, renewing their leases. False when none are left. */
  dropSome(safeId: string, imports: ImportRange, leaseUntil: number): Promise<boolean>
  /** Nothing of refused or undone imports is left. */
  dropped(safeId: string, imports: ImportRange): Promise<void>
  /** Takes over some imports whose lease ran out before `now`: staged ones fail with `problem`. */
  takeAbandoned(now: number, leaseUntil: number, problem: string): Promise<Abandoned[]>
  /** Newest first, without undone ones; those before `page.after`. */
  list(safeId: string, page?: ListOptions<number>): Promise<Import[]>
  find(safeId: string, importId: number): Promise<Import | null>
}

/** What makes a Safe up at one moment. It does not grow with the number of imports. */
export interface CommittedImports {
  /** The Safe's. */
  version: number
  /** What all imports together brought; equal things of two imports count twice until they are merged. */
  counts: Counts
  /** Two moments at which the same rows are visible have the same. */
  contentHash: string
  /** Ids of visible imports, oldest first: all rows of the imports of these ranges, both ends included. */
  ranges: readonly ImportRange[]
  /** The version that the last undo made: what was read of an older one may be incomplete. */
  undoneVersion: number
  /** Rows that an index of an older version names may be gone, because imports were merged (ADR 31). */
  readableFrom: number
}

export type ImportRange = readonly [from: number, to: number]

/** A row of an entity, by its key in one import. */
export interface EntityRef {
  importId: number
  key: string
}

/** A relation as an answer tells it. */
export interface StoredRelation extends RelationRow {
  /** Where it came from, if not from the file of its own import. */
  origin: string | null
}

/** A passage as an answer tells it. */
export interface StoredPassage extends PassageRow {
  /** What its file names as its source. */
  source: string | null
  origin: string | null
  /** Its place in a sequence. */
  seq: number | null
}

/** What a Safe's committed imports hold. */
export interface ContentStore {
  /** Read in one step. Null when there is no such Safe. `aboutToBe`: a staged import that counts as committed. */
  committedImports(safeId: string, aboutToBe?: number): Promise<CommittedImports | null>
  /** All rows of these imports, in pages. */
  source(safeId: string, ranges: readonly ImportRange[]): GraphSource
  /** Rows by their keys, in any order; those that are gone are left out. At most 600. */
  relations(safeId: string, refs: readonly RowRef[]): Promise<StoredRelation[]>
  passages(safeId: string, refs: readonly RowRef[]): Promise<StoredPassage[]>
  /** Entities by their rows, in any order; those that are gone are left out. */
  entities(safeId: string, refs: readonly EntityRef[]): Promise<EntityRow[]>
  /** Where these imports came from; those that are not committed any more are left out. */
  sources(safeId: string, importIds: readonly number[]): Promise<Map<number, string>>
}

/** A passage with all that belongs to it. */
export interface FullPassage extends PassageText {
  importId: number
  id: number
  entityKey: string
  origin: string | null
}

/** What an export reads besides the contents. */
export interface ExportStore {
  /** All passages of these imports, in pages that fit in memory however long the texts are. */
  passages(safeId: string, range: ImportRange): AsyncIterable<FullPassage[]>
}

/** Imports that a process is merging into one (ADR 31). */
export interface Merge {
  safeId: string
  /** The import into which they go. */
  layer: number
  /** Those that go into it: committed imports after `from`, up to `through`. */
  from: number
  through: number
  /** Import → where it came from; the layer, too. */
  sources: ReadonlyMap<number, string>
  /** What the Safe counts until now for the layer and all of these imports together. */
  counted: Counts
  /** How many imports fewer there will be. */
  importCount: number
  /** Until when this process has the Safe; proves that it still does. */
  until: number
}

export interface MergeLimits {
  /** Newest imports that stay as they are. */
  keep: number
  /** Imports merged in one step; nothing is done for fewer. */
  most: number
}

/** Merges the imports of Safes that have very many. Each method is one short transaction. */
export interface MergeStore {
  /** Some of the Safes with at least so many imports that are not merged. */
  crowded(imports: number): Promise<string[]>
  /**
   * Takes a Safe's oldest imports, or those that a dead process was merging. From then on they cannot be undone. Null:
   * there are too few, or another process has the Safe at `now`.
   */
  claim(safeId: string, limits: MergeLimits, now: number, until: number): Promise<Merge | null>
  /** Relations of imports, in pages. */
  relations(safeId: string, range: ImportRange): AsyncIterable<StoredRelation[]>
  /**
   * Adds rows to the layer and holds the Safe until `until`. Entities take the place of those with their keys. False
   * when another process has the Safe, or it is no more: then nothing was written.
   */
  append(merge: Merge, rows: RowBatch, until: number): Promise<boolean>
  /** The layer stands for all of them from now on; `counts` is what it holds. False as for `append`. */
  finish(merge: Merge, counts: Counts, now: number): Promise<boolean>
  /** Lets others have the Safe. */
  release(merge: Merge): Promise<void>
  /** Some Safes that have rows of imports merged before `mergedBefore`, and those imports. */
  merged(mergedBefore: number): Promise<{ safeId: string; imports: ImportRange }[]>
  /** Nothing is answered any more from an index that names these rows. False when more has been merged meanwhile. */
  retire(safeId: string, imports: ImportRange): Promise<boolean>
  /** Drops at most `MAX_ROWS` of their rows. False when none are left, which is then known. */
  dropSome(safeId: string, imports: ImportRange): Promise<boolean>
}

import type { PassageText } from '../../graph/formats/export.js'
import type { EntityRow, GraphSource, PassageRow, RelationRow, RowRef } from '../../graph/model.js'
import type { Counts, Import, Role, Safe } from './safe.js'

/** Safes and who may read them. */
export interface SafeStore {
  /** Creates the Safe with its first owner. */
  create(safe: Safe, ownerId: string): Promise<void>
  rename(safeId: string, name: string): Promise<void>
  /**
   * Takes the Safe and its memberships away at once, and marks its imports as undone, so that their rows can be
   * dropped bit by bit. Returns the ids of those imports.
   */
  remove(safeId: string, leaseUntil: number): Promise<number[]>
  /** The Safes this account may read, in order of creation, with the counts of their committed imports. */
  readableBy(accountId: string): Promise<(Safe & { role: Role; counts: Counts })[]>
  /** One Safe as `readableBy` gives it, or null when this account may not read it. */
  readable(accountId: string, safeId: string): Promise<(Safe & { role: Role; counts: Counts }) | null>
  /** Null when this account may not read this Safe. One indexed look-up: it stands before every read. */
  membership(accountId: string, safeId: string): Promise<{ name: string; version: number; role: Role } | null>
  /** In order of joining. */
  members(safeId: string): Promise<{ accountId: string; role: Role }[]>
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
}
export interface NewRelation {
  id: number
  subjectKey: string
  predicate: string
  objectKey: string
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
  /** Hides an import at once, raising the Safe's version if it was visible. False when there was none to hide. */
  undo(safeId: string, importId: number, leaseUntil: number): Promise<boolean>
  /** Drops at most `MAX_ROWS` rows of an import that is not visible, renewing its lease. False when none are left. */
  dropSome(safeId: string, importId: number, leaseUntil: number): Promise<boolean>
  /** Nothing of a refused or undone import is left. */
  dropped(safeId: string, importId: number): Promise<void>
  /** Takes over imports whose lease ran out before `now`: staged ones fail with `problem`. */
  takeAbandoned(now: number, leaseUntil: number, problem: string): Promise<Abandoned[]>
  /** Newest first, without undone ones. */
  list(safeId: string): Promise<Import[]>
  find(safeId: string, importId: number): Promise<Import | null>
}

/** The imports that make a Safe up, at one moment. */
export interface Layers {
  /** The Safe's. */
  version: number
  /** Oldest first. */
  importIds: readonly number[]
  /** Import → where it came from. */
  sources: ReadonlyMap<number, string>
  /** What all imports together brought; equal things of two imports count twice. */
  counts: Counts
  /** Two Safes, or one at two times, with the same imports have the same. */
  contentHash: string
}

/** A passage as an answer tells it. */
export interface ToldPassage extends PassageRow {
  source: string | null
  /** Its place in a sequence. */
  seq: number | null
}

/** What a Safe's committed imports hold. */
export interface ContentStore {
  /** Read in one step. Null when there is no such Safe. `aboutToBe`: a staged import that counts as committed. */
  layers(safeId: string, aboutToBe?: number): Promise<Layers | null>
  /** All rows of these imports, in pages. */
  source(safeId: string, importIds: readonly number[]): GraphSource
  /** Rows by their keys, in any order; those that are gone are left out. At most 150. */
  relations(safeId: string, refs: readonly RowRef[]): Promise<RelationRow[]>
  passages(safeId: string, refs: readonly RowRef[]): Promise<ToldPassage[]>
  /** Names of entities by their keys, as these imports give them; those that no import has are left out. */
  names(safeId: string, importIds: readonly number[], keys: readonly string[]): Promise<Map<string, string>>
}

/** A passage with all that belongs to it. */
export interface WholePassage extends PassageText {
  id: number
  entityKey: string
}

/** What an export reads besides the contents. */
export interface ExportStore {
  /** All passages of an import, in pages that fit in memory however long the texts are. */
  passages(safeId: string, importId: number): AsyncIterable<WholePassage[]>
  /** What these imports say of the entities with these keys, the oldest import first. */
  entities(safeId: string, importIds: readonly number[], keys: readonly string[]): Promise<EntityRow[]>
}

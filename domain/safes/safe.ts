import type { Readable } from 'node:stream'
import type { TableSummary } from '../../engine/formats/index.js'
import type { GraphQuestion } from '../../engine/graph/index.js'
import type { ImportFiles, LeftOutFiles } from './imports/import-files.js'
import type { MergedNames } from './imports/stated-names.js'

export type Role = 'owner' | 'reader'

export interface Safe {
  id: string
  name: string
  /** Incremented whenever the visible content changes. */
  version: number
  createdAt: number
}

/** A Safe as one account sees it. */
export interface ReadableSafe extends Safe {
  role: Role
  /** Its contents as a member sees them (ADR 41). */
  counts: SafeCounts
}

/** A removed Safe that an owner can restore until then (ADR 45). */
export interface RemovedSafe {
  id: string
  name: string
  counts: SafeCounts
  ownerId: string
  restorableUntil: number
}

/** A member of a Safe, as its owners see it. */
export interface Member {
  accountId: string
  email: string
  role: Role
  since: number
  /** The e-mail address of the account that invited it, or null. */
  inviter: string | null
}

/** A Safe and an owner on whose behalf the operator acts. */
export interface OwnedSafe<Kind = ReadableSafe> {
  safe: Kind
  ownerId: string
}

/** The check before every read of a Safe by one account. */
export interface Membership {
  name: string
  version: number
  role: Role
}

export interface Counts {
  entities: number
  relations: number
  passages: number
}

/** Total rows. */
export const rowsOf = ({ entities, relations, passages }: Counts) => entities + relations + passages

export interface SafeCounts extends Counts {
  documents: number
}

/** Which form of an answer a client receives: text, structured, or both. */
export type Form = 'text' | 'json' | 'both'

/** A question to a Safe. Fields that are left out are unrestricted or derived from the others (GRAPH §4). */
export interface Question
  extends Partial<
    Omit<GraphQuestion, 'limit' | 'offset' | 'since' | 'until' | 'asOf' | 'otherWords' | 'within'>
  > {
  /**
   * Only passages of this time, and facts that were true then. A date (the whole day in UTC) or a time with its zone (ISO
   * 8601).
   */
  since?: string
  until?: string
  /** The state at this time: a year, a month, a day, or a time with its zone. */
  asOf?: string
  /** Only these folders (`notes/`), tags (`tag:work`) and documents; the answer names entries without a match. */
  in?: readonly string[]
  /** Only notes, and rows of tables, with these properties: each has the value, or one of the values. */
  where?: Readonly<Record<string, unknown>>
  /** Lists documents by their last change, the latest first; `since` and `until` apply to the change. */
  recent?: boolean
  /** Other phrases for the same question: a list, or one text separated by commas (`otherWordsOf`). */
  otherWords?: string | readonly string[] | null
  /** Facts and passages together. Default 10, at most 50. */
  limit?: number
  /** Continues an earlier answer. */
  cursor?: string
  /** Sentences about how the question was read, shown before the hints of the answer. */
  notes?: readonly string[]
  /** Default 2,000, at most 20,000. */
  maxTokens?: number
  /** Maximum characters of each form, and of both together. Unlimited if absent. */
  characters?: { each: number; together: number } | undefined
  /** `brief` shortens passages. */
  detail?: 'brief' | 'full'
  /** The form the caller will use, which stays within `maxTokens`. Both forms when absent. */
  form?: Form
}

type ImportStatus = 'staging' | 'staged' | 'committed' | 'failed'

export interface BadLine {
  /** In a folder or an archive. */
  file?: string
  line: number
  problem: string
}

/** Parts of a file read differently than the author intended: their number, and the first 20. */
interface Remarks {
  count: number
  first: BadLine[]
}

/** Documents of a staged import, without pictures, compared with current ones at the same path. */
export interface DocumentChanges {
  added: number
  /** Their content differs. */
  changed: number
  unchanged: number
}

/** What a staged import would change, compared with the Safe at `version` (ADR 31). */
export interface Comparison {
  version: number
  /** New to the Safe. */
  added: Counts
  /** Already in the Safe. */
  there: Counts
  /** Things with another type in the Safe. */
  conflicts: number
  /** Absent in comparisons of older releases. */
  documents?: DocumentChanges
  /** Up to five of each, as text. */
  examples: Record<'added' | 'there' | 'conflicts', string[]>
}

/** `relinked`: unchanged files whose links mean other notes now. */
export const RUN_KINDS = ['added', 'changed', 'renamed', 'removed', 'relinked'] as const

/** The result of a run of a synced folder, in files (ADR 52). */
export type RunCounts = Record<(typeof RUN_KINDS)[number], number>

/** The result that has so many files of each kind. */
export const runCounts = (of: (kind: keyof RunCounts) => number) =>
  Object.fromEntries(RUN_KINDS.map(kind => [kind, of(kind)])) as RunCounts

/** The visible files of a synced folder, and their contents. */
export interface FolderCounts extends Counts {
  files: number
}

/** A run of a synced folder that changed something. */
export interface SyncRun extends RunCounts {
  /** The folder's number. */
  folder: number
  /** The run that made the previous state; 0: none. */
  before: FolderCounts & { run: number }
  after: FolderCounts
  /** The author of its content, if not the account. */
  by?: string
}

export type { MergedNames, TableSummary }

/** An import's progress and result, without its rows. */
export interface ImportReport {
  counts: Counts
  /** Documents in it, without pictures. Absent if not counted: in older imports and in runs. */
  documents?: number
  badLineCount: number
  /** The first 20. */
  badLines: BadLine[]
  /** Parts read differently than the author intended, if any. */
  remarks?: Remarks
  /** Files of a folder or archive that are left out, if any. */
  leftOut?: LeftOutFiles[]
  /** How the first tables in it were read, if there are any. */
  tables?: TableSummary[]
  /** Things merged because their names differ only in case, accents or form, if any. */
  mergedNames?: MergedNames
  /** Why it failed, as a sentence, or null. */
  problem: string | null
  /** If it failed as a duplicate: the import with the same bytes. */
  sameAs?: number
  /** Only for imports that waited for approval; null if there was too much to compare. */
  comparison?: Comparison | null
  /** Only for runs of a synced folder. Their `counts` are differences, which may be negative. */
  sync?: SyncRun
  bytesRead: number
  /** Null when unknown (standard input). */
  bytesTotal: number | null
  /** The actual format of the file, if it differs from that of its name. */
  format?: string
}

/** One batch of writes into a Safe, as its owner sees it. */
export interface Import extends ImportReport {
  safeId: string
  id: number
  /**
   * `staging`: being read; `staged`: waiting for the owner's approval; `failed`: rejected, nothing was stored.
   */
  status: ImportStatus
  source: string
  format: string
  createdAt: number
  /** The e-mail address of the account, in lists. Null if it no longer exists. */
  by: string | null
  committedAt: number | null
  /** Committed and merged with others, so it can no longer be undone (ADR 31). */
  merged: boolean
}

/** An import of an owner that waits for a decision: staged, or rejected. */
export type OpenImport = Import & { safeName: string }

/** An undone import that can be restored until then (ADR 45). */
export interface UndoneImport
  extends Pick<Import, 'safeId' | 'id' | 'source' | 'format' | 'counts' | 'documents' | 'sync'> {
  restorableUntil: number
}

export interface ImportOptions {
  /** File name or similar; also determines the format when `format` is absent. */
  source: string
  format?: string
  /** The header of the column with the names of the rows, in tables. */
  nameColumn?: string
  bytes?: Readable
  /** A folder, instead of `bytes`. */
  files?: ImportFiles
  bytesTotal?: number
  /** Skip bad lines instead of rejecting the file. */
  skipBad?: boolean
  /** Commit as soon as it is staged; otherwise it waits for `commitImport`. */
  commit: boolean
  /** The connection that imports, for the activity. */
  connectionId?: string
  /** Called when a background import has ended. `isDone`: it has a result, so its file is no longer needed. */
  onEnd?: (isDone: boolean) => Promise<void>
  /** Called from time to time while the file is read. */
  onProgress?: (soFar: Import) => void
}

/** Files of a folder that are left out, by reason. */
export interface LeftOut {
  /** Hidden files and folders, and `node_modules`. */
  hidden: number
  /** By `.gitignore`. */
  ignored: number
  tooLarge: number
  links: number
  /** Of formats that are not read, or next to notes. */
  others: number
}

/** A file that could not be read. Its earlier content stays. */
export interface FailedFile {
  path: string
  size: number
  modifiedAt: number
  /** If it was known without reading the file. */
  contentHash?: string
  badLines: BadLine[]
}

/** The last run of a synced folder. */
export interface SyncReport extends RunCounts {
  /** The import that it made; null if nothing changed. */
  run: number | null
  failedCount: number
  /** The first 200. */
  failed: FailedFile[]
  /** Parts read differently than the author intended, if any: the first 200. */
  remarks?: BadLine[]
  leftOut: LeftOut
}

/** A folder that is synced into a Safe (ADR 52). */
export interface SyncedFolder {
  safeId: string
  id: number
  name: string
  /** Its location at the last run. */
  folder: string
  counts: FolderCounts
  /** The import whose state is visible; 0: none. */
  visibleRun: number
  /** Whether a run is in progress. */
  isBusy: boolean
  /** When the last run ended; null: never. */
  checkedAt: number | null
  report: SyncReport | null
}

/** Part of a list: `limit` items after the item with the id `after`, in the list's order. */
export interface ListOptions<Id> {
  after?: Id | undefined
  limit?: number
}

/** `withoutRuns`: without those of synced folders. */
export interface ImportListOptions extends ListOptions<number> {
  withoutRuns?: boolean
}

/** A Safe as a file. */
export interface Export {
  fileName: string
  contentType: string
  /** UTF-8 text or bytes. Throws when the Safe changes in a way that would leave the file incomplete. */
  chunks: AsyncIterable<string | Uint8Array>
}

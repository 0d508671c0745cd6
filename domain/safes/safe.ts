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
  /** What a member finds in it (ADR 41). */
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

/** What precedes every read of a Safe by one account. */
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

/** Rows in all. */
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
  /** What held at this time: a year, a month, a day, or a time with its zone. */
  asOf?: string
  /** Only these folders (`notes/`), tags (`tag:work`) and documents; what matches nothing is named in the answer. */
  in?: readonly string[]
  /** Only notes, and rows of tables, with these properties: each has the value, or one of the values. */
  where?: Readonly<Record<string, unknown>>
  /** Lists documents by their last change, the latest first; `since` and `until` are of the change. */
  recent?: boolean
  /** Other phrases for the same question: a list, or one text separated by commas (`otherWordsOf`). */
  otherWords?: string | readonly string[] | null
  /** Facts and passages together. Default 10, at most 50. */
  limit?: number
  /** Continues an earlier answer. */
  cursor?: string
  /** Sentences about how the question was read, which come before the hints of the answer. */
  notes?: readonly string[]
  /** Default 2,000, at most 20,000. */
  maxTokens?: number
  /** Most characters of each form, and of both together. Unlimited when absent. */
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

/** What of a file was read in another way than its author meant: how often, and the first 20. */
export interface Remarks {
  count: number
  first: BadLine[]
}

/** Documents of a staged import, without pictures, beside those in force with the same path. */
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
  /** In the Safe already. */
  there: Counts
  /** Things that the Safe knows by another type. */
  conflicts: number
  /** Absent in comparisons of older releases. */
  documents?: DocumentChanges
  /** Up to five of each, as text. */
  examples: Record<'added' | 'there' | 'conflicts', string[]>
}

/** What a run of a synced folder did, in files (ADR 52). */
export interface RunCounts {
  added: number
  changed: number
  renamed: number
  removed: number
  /** Unchanged files whose links mean other notes now. */
  relinked: number
}

/** The visible files of a synced folder, and what they contain. */
export interface FolderCounts extends Counts {
  files: number
}

/** A run of a synced folder that changed something. */
export interface SyncRun extends RunCounts {
  /** The folder's number. */
  folder: number
  /** The state before: that of this run; 0: none. */
  before: FolderCounts & { run: number }
  after: FolderCounts
  /** Who wrote what it brought, if not the account. */
  by?: string
}

export type { MergedNames, TableSummary }

/** One batch of writes into a Safe, as its owner sees it. */
export interface Import {
  safeId: string
  id: number
  /**
   * `staging`: being read; `staged`: waiting for the owner's approval; `failed`: rejected, nothing was kept.
   */
  status: ImportStatus
  source: string
  format: string
  counts: Counts
  /** Documents in it, without pictures. Absent where they were not counted: in older imports and in runs. */
  documents?: number
  badLineCount: number
  /** The first 20. */
  badLines: BadLine[]
  /** What was read in another way than its author meant, if anything. */
  remarks?: Remarks
  /** Files of a folder or archive that are left out, if any. */
  leftOut?: LeftOutFiles[]
  /** How the first tables in it were read, if there are any. */
  tables?: TableSummary[]
  /** Things in it that have become one because their names differ only in case, accents or form, if any. */
  mergedNames?: MergedNames
  /** Why it failed, as a sentence, or null. */
  problem: string | null
  /** If it failed as a duplicate: the import with the same bytes. */
  sameAs?: number
  /** Only of imports that waited for approval; null when there was too much to compare. */
  comparison?: Comparison | null
  /** Only of runs of a synced folder. Their `counts` are differences, which may be negative. */
  sync?: SyncRun
  bytesRead: number
  /** Null when unknown (standard input). */
  bytesTotal: number | null
  createdAt: number
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
  /** Called when a background import has ended. `isDone`: with a result, so its file is not needed any more. */
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
  /** Of formats that are not read, or beside notes. */
  others: number
}

/** A file that could not be read. What it had brought before stays. */
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
  /** What was read in another way than its author meant, if anything: the first 200. */
  remarks?: BadLine[]
  leftOut: LeftOut
}

/** A folder that a Safe is kept in step with (ADR 52). */
export interface SyncedFolder {
  safeId: string
  id: number
  name: string
  /** Where it was in the last run. */
  folder: string
  counts: FolderCounts
  /** The import whose state is visible; 0: none. */
  visibleRun: number
  /** Whether a run is at work. */
  isBusy: boolean
  /** When the last run ended; null: never. */
  checkedAt: number | null
  report: SyncReport | null
}

/** Part of a list: `limit` items after the item with the id `after`, in the list's order. */
export interface ListOptions<Id> {
  after?: Id
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

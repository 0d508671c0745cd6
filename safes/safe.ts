import type { Readable } from 'node:stream'
import type { GraphQuestion } from '../graph/modes/question.js'
import type { Answer } from './ask/answer.js'
import type { Form } from './ask/answer-costs.js'
import type { ImportFiles } from './imports/import-files.js'

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
  /** Totals of its committed imports. */
  counts: Counts
}

/** A Safe and an owner on whose behalf the operator acts. */
export interface OwnedSafe {
  safe: ReadableSafe
  ownerId: string
}

export interface Counts {
  entities: number
  relations: number
  passages: number
}

/** A question to a Safe. Fields that are left out are unrestricted or derived from the others (GRAPH §4). */
export interface Question
  extends Partial<Omit<GraphQuestion, 'limit' | 'offset' | 'since' | 'until' | 'otherWords'>> {
  /**
   * Only passages of this time, and no facts. A date (the whole day in UTC) or a time with its zone (ISO
   * 8601).
   */
  since?: string
  until?: string
  /** Other phrases for the same question: a list, or one text separated by commas (`otherWordsOf`). */
  otherWords?: string | readonly string[] | null
  /** Facts and passages together. Default 10, at most 50. */
  limit?: number
  /** Continues an earlier answer. */
  cursor?: string
  /** Default 2,000, at most 20,000. */
  maxTokens?: number
  /** `brief` shortens passages. */
  detail?: 'brief' | 'full'
  /** The form the caller will use, which stays within `maxTokens`. Both forms when absent. */
  form?: Form
}

export type ImportStatus = 'staging' | 'staged' | 'committed' | 'failed'

export interface BadLine {
  /** In a folder or an archive. */
  file?: string
  line: number
  problem: string
}

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
  badLineCount: number
  /** The first 20. */
  badLines: BadLine[]
  /** Why it failed, as a sentence, or null. */
  problem: string | null
  /** If it failed as a duplicate: the import with the same bytes. */
  sameAs?: number
  bytesRead: number
  /** Null when unknown (standard input). */
  bytesTotal: number | null
  createdAt: number
  committedAt: number | null
  /** Committed and merged with others, so it can no longer be undone (ADR 31). */
  merged: boolean
}

export interface ImportOptions {
  /** File name or similar; also determines the format when `format` is absent. */
  source: string
  format?: string
  bytes?: Readable
  /** A folder, instead of `bytes`. */
  files?: ImportFiles
  bytesTotal?: number
  /** Skip bad lines instead of rejecting the file. */
  skipBad?: boolean
  /** Commit as soon as it is staged; otherwise it waits for `commitImport`. */
  commit: boolean
  /** Called from time to time while the file is read. */
  onProgress?: (soFar: Import) => void
}

/** Part of a list: `limit` items after the item with the id `after`, in the list's order. */
export interface ListOptions<Id> {
  after?: Id
  limit?: number
}

/** A Safe as a file. */
export interface Export {
  fileName: string
  contentType: string
  /** UTF-8 text. Throws when the Safe changes in a way that would leave the file incomplete. */
  chunks: AsyncIterable<string>
}

/**
 * Safes, their members and their contents. Every method takes the calling account and throws `notFound` for
 * Safes that it may not read. Methods for owners throw 403 for readers.
 */
export interface Safes {
  create(accountId: string, name: string): Promise<Safe>
  rename(accountId: string, safeId: string, name: string): Promise<void>
  remove(accountId: string, safeId: string): Promise<void>
  /**
   * In the order in which the account received them; 100 by default. `search` keeps those whose names contain
   * these letters.
   */
  readableBy(accountId: string, page?: ListOptions<string> & { search?: string }): Promise<ReadableSafe[]>
  find(accountId: string, safeId: string): Promise<ReadableSafe | null>
  /** For the operator: every Safe with one of its owners, ordered by id. Checks no account. */
  all(page?: ListOptions<string>): Promise<OwnedSafe[]>
  /** For the operator: the Safe with this id, or up to 10 with this name. */
  named(idOrName: string): Promise<OwnedSafe[]>
  /** Whether the account may read this Safe now; checked before every read. One indexed look-up. */
  membership(accountId: string, safeId: string): Promise<{ name: string; version: number; role: Role } | null>
  share(ownerId: string, safeId: string, accountId: string, role: Role): Promise<void>
  unshare(ownerId: string, safeId: string, accountId: string): Promise<void>
  /** Ordered by id; 100 by default. */
  members(
    accountId: string,
    safeId: string,
    page?: ListOptions<string>,
  ): Promise<{ accountId: string; role: Role }[]>

  /**
   * Answers a question. `onWork` receives the milliseconds that each part of the work took in this thread.
   */
  ask(accountId: string, safeId: string, question: Question, onWork?: (ms: number) => void): Promise<Answer>

  /** The values of `ImportOptions.format`, for people to choose from. */
  readonly importFormats: readonly { id: string; title: string; extensions: readonly string[] }[]
  /**
   * Reads a file into a staged import. Resolves when it is staged, committed or failed; bad lines do not
   * throw.
   */
  import(accountId: string, safeId: string, options: ImportOptions): Promise<Import>
  /** Starts `import` and resolves as soon as its row exists, so that a page can show the progress. */
  startImport(accountId: string, safeId: string, options: ImportOptions): Promise<Import>
  commitImport(accountId: string, safeId: string, importId: number): Promise<Import>
  /**
   * Drops a staged import or undoes a committed one. @throws DomainError 409 when it has been merged with
   * others
   */
  undoImport(accountId: string, safeId: string, importId: number): Promise<void>
  /** Newest first; 100 by default. */
  imports(accountId: string, safeId: string, page?: ListOptions<number>): Promise<Import[]>
  findImport(accountId: string, safeId: string, importId: number): Promise<Import | null>
  /**
   * Exports everything in the Safe, for any member. @throws DomainError 400 when the format does not exist
   */
  export(accountId: string, safeId: string, format: string): Promise<Export>
  /** Creates a Safe that contains the sample graph. */
  createSample(accountId: string): Promise<Safe>
  /** Resolves when this process has no import or clean-up in progress. */
  settled(): Promise<void>
  /** Aborts work in progress, including questions that wait for an index. Safe to call twice. */
  close(): Promise<void>
}

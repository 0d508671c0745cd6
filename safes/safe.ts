import type { Readable } from 'node:stream'
import type { GraphQuestion } from '../graph/modes/question.js'
import type { Answer } from './ask/answer.js'
import type { Form } from './ask/answer-costs.js'
import type { ImportFiles } from './imports/import-files.js'

export type Role = 'owner' | 'reader'

export interface Safe {
  id: string
  name: string
  /** Raised whenever its visible content changes. */
  version: number
  createdAt: number
}

/** A Safe as one account sees it. */
export interface ReadableSafe extends Safe {
  role: Role
  /** Of its committed imports. */
  counts: Counts
}

/** A Safe and the account on whose behalf the operator acts: an owner. */
export interface OwnedSafe {
  safe: ReadableSafe
  ownerId: string
}

export interface Counts {
  entities: number
  relations: number
  passages: number
}

/** What is asked of a Safe; what is left out does not matter, or follows from the rest (GRAPH §4). */
export interface Question
  extends Partial<Omit<GraphQuestion, 'limit' | 'offset' | 'since' | 'until' | 'otherWords'>> {
  /** Only passages of this time, and no facts: a date, which is a whole day in UTC, or a time with its zone (ISO 8601). */
  since?: string
  until?: string
  /** Other phrases for what is asked: a list, or one text with commas between them (`otherWordsOf`). */
  otherWords?: string | readonly string[] | null
  /** Facts and passages together; default 10, at most 50. */
  limit?: number
  /** Of an earlier answer; continues it. */
  cursor?: string
  /** Default 2,000, at most 20,000. */
  maxTokens?: number
  /** `brief` cuts passages short. */
  detail?: 'brief' | 'full'
  /** What the asker will be sent, each of which stays within `maxTokens`; both when absent. */
  form?: Form
}

export type ImportStatus = 'staging' | 'staged' | 'committed' | 'failed'

export interface BadLine {
  /** Of a folder or an archive. */
  file?: string
  line: number
  problem: string
}

/** One batch of writes into a Safe, as its owner sees it. */
export interface Import {
  safeId: string
  id: number
  /** `staging`: being read; `staged`: waits for its owner's yes; `failed`: refused, nothing of it was kept. */
  status: ImportStatus
  source: string
  format: string
  counts: Counts
  badLineCount: number
  /** The first 20. */
  badLines: BadLine[]
  /** Why it failed, in a sentence, or null. */
  problem: string | null
  /** The import that brought the same bytes before, when this is why it failed. */
  sameAs?: number
  bytesRead: number
  /** Null when unknown (standard input). */
  bytesTotal: number | null
  createdAt: number
  committedAt: number | null
  /** Committed, and merged with others, so that it cannot be undone any more (ADR 31). */
  merged: boolean
}

export interface ImportOptions {
  /** File name or the like; also tells the format when `format` is absent. */
  source: string
  format?: string
  bytes?: Readable
  /** Instead of `bytes`: a folder. */
  files?: ImportFiles
  bytesTotal?: number
  /** Leave bad lines out instead of refusing the file. */
  skipBad?: boolean
  /** Make it visible as soon as it is staged; otherwise it waits for `commitImport`. */
  commit: boolean
  /** Called now and then while the file is read. */
  onProgress?: (soFar: Import) => void
}

/** Which part of a list: `limit` items after one of them (its id), in the order of the list. */
export interface ListOptions<Id> {
  after?: Id
  limit?: number
}

/** A Safe as a file. */
export interface Export {
  fileName: string
  contentType: string
  /** UTF-8 text; throws when the Safe changes in a way that would leave the file incomplete. */
  chunks: AsyncIterable<string>
}

/**
 * Safes, their members and what is in them. Every method takes the account that asks and throws `notFound` for what
 * that account may not read; what needs the owner throws a 403 for readers.
 */
export interface Safes {
  create(accountId: string, name: string): Promise<Safe>
  rename(accountId: string, safeId: string, name: string): Promise<void>
  remove(accountId: string, safeId: string): Promise<void>
  /**
   * In the order in which the account got them; 100 where no other limit is named. With `search` those that have these
   * letters in their names.
   */
  readableBy(accountId: string, page?: ListOptions<string> & { search?: string }): Promise<ReadableSafe[]>
  find(accountId: string, safeId: string): Promise<ReadableSafe | null>
  /** For the operator of the service: every Safe with one of its owners, in order of their ids. It checks no account. */
  all(page?: ListOptions<string>): Promise<OwnedSafe[]>
  /** For the operator: the Safe with this id, or up to 10 with this name. */
  named(idOrName: string): Promise<OwnedSafe[]>
  /** Whether this account may read this Safe now: the check before every read. One indexed look-up. */
  membership(accountId: string, safeId: string): Promise<{ name: string; version: number; role: Role } | null>
  share(ownerId: string, safeId: string, accountId: string, role: Role): Promise<void>
  unshare(ownerId: string, safeId: string, accountId: string): Promise<void>
  /** In order of their ids; 100 where no other limit is named. */
  members(
    accountId: string,
    safeId: string,
    page?: ListOptions<string>,
  ): Promise<{ accountId: string; role: Role }[]>

  /** `onWork` is told how many milliseconds of this thread each part of the answer took. */
  ask(accountId: string, safeId: string, question: Question, onWork?: (ms: number) => void): Promise<Answer>

  /** What `ImportOptions.format` may be, for people to choose from. */
  readonly importFormats: readonly { id: string; title: string; extensions: readonly string[] }[]
  /** Reads a file into a staged import. Resolves when it is staged, committed or failed; never throws for bad lines. */
  import(accountId: string, safeId: string, options: ImportOptions): Promise<Import>
  /** Starts `import` and returns as soon as its row exists, so that a page can show its progress. */
  startImport(accountId: string, safeId: string, options: ImportOptions): Promise<Import>
  commitImport(accountId: string, safeId: string, importId: number): Promise<Import>
  /** Drops a staged import, or undoes a committed one. @throws DomainError 409 when it has been merged with others */
  undoImport(accountId: string, safeId: string, importId: number): Promise<void>
  /** Newest first; 100 where no other limit is named. */
  imports(accountId: string, safeId: string, page?: ListOptions<number>): Promise<Import[]>
  findImport(accountId: string, safeId: string, importId: number): Promise<Import | null>
  /** What the Safe holds, for every member. @throws DomainError 400 when there is no such format */
  export(accountId: string, safeId: string, format: string): Promise<Export>
  /** Creates a Safe with the sample graph in it. */
  createSample(accountId: string): Promise<Safe>
  /** Resolves when no import or clean-up of this process is under way. */
  settled(): Promise<void>
  /** Breaks off what is under way, questions that wait for an index too; twice does no harm. */
  close(): Promise<void>
}

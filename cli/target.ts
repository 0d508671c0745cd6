import type { Readable } from 'node:stream'
import type { Answer } from '../domain/safes/ask/answer.js'
import type { ShownDocument } from '../domain/safes/documents/shown-document.js'
import type { ImportFiles } from '../domain/safes/imports/import-files.js'
import type { NoteForFolder } from '../domain/safes/notes/notes.js'
import type { Import, Question, Role, Safe, SafeCounts, SyncReport } from '../domain/safes/safe.js'
import type { SyncOptions } from '../domain/safes/sync/folder-run.js'

/** Maximum tokens of an answer: documents are read in pieces of this size. */
export const MAX_TOKENS = 20_000

/** The location of Safes: the installation on this machine, or a server that the person has signed in to. */
export interface SafesLocation {
  /** The Safes that the account with this e-mail address may read, or all of them. */
  safes(email?: string): AsyncIterable<ListedSafe>
  /** @throws CommandError unless exactly one Safe has this id or name */
  findSafe(idOrName: string): Promise<TargetSafe>
}

export type ListedSafe = Safe & SafeCounts & { role: Role }

/** A Safe at its place. */
export interface TargetSafe {
  id: string
  name: string
  ask(question: Question): Promise<Answer>
  /** The text of a document, in pieces. */
  read(wanted: { document: string; heading?: string }): AsyncIterable<ShownDocument>
  import(options: ReadOptions): Promise<Import>
  /** Discards an import that was only a trial, or undoes it. */
  undoImport(id: number): Promise<void>
  /** Notes and edits for a synced folder (`Notes.forFolder`). */
  notesFor(folder: string, below: string): AsyncIterable<NoteForFolder>
  sync(options: SyncOptions): Promise<{ report: SyncReport }>
  /** The Safe as a file, in pieces. */
  export(format: string): Promise<AsyncIterable<string | Uint8Array>>
  /** Waits for work that continues in this process after an answer. */
  idle(): Promise<void>
}

/** The source of an import. */
export interface ReadOptions {
  source: ImportFrom
  format?: string
  nameColumn?: string
  skipBad: boolean
  /** Otherwise it waits for `undoImport`. */
  commit: boolean
  /** Called from time to time while the file is sent to the server. */
  onSent: (bytes: number, bytesTotal: number) => void
  /** Called from time to time while the file is read. */
  onProgress: (soFar: Import) => void
}

export type ImportFrom =
  | { kind: 'file'; name: string; path: string; size: number }
  | { kind: 'folder'; name: string; files: ImportFiles }
  | { kind: 'stream'; name: string; bytes: Readable }

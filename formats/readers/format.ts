import type { Parsed } from '../../graph/model.js'
import type { NoteNames } from './note-names.js'

/** A file format for graphs. */
export interface Format {
  /** The value of `--format`, stored with the import. */
  id: string
  title: string
  /** File name extensions in lower case without the dot. */
  extensions: readonly string[]
  /** Whether its files are not text. Text never contains NUL characters. */
  isBinary?: true
  /** Names of files in this format although their extension belongs to another one. */
  names?: RegExp
  /** How files in this format begin, if another format has the same extension. */
  begins?: RegExp
  /**
   * Reads a file as it arrives: batches of records, each with its line (1-based). Never throws for the file's
   * contents (a bad line is a `problem`); errors of `bytes` itself are passed on. Memory does not grow with
   * the file.
   */
  parse(bytes: AsyncIterable<Uint8Array>, file?: SourceFile): AsyncIterable<Parsed[]>
}

/** What a format may need to know about a file besides its bytes. */
export interface SourceFile {
  /** Its name, or its path with slashes inside a folder or archive. */
  path: string
  /** Unique for each file, because a blank node identifies a different thing in every file (RDF 1.1 §3.4). */
  scope?: string
  /** The notes of its folder or archive; absent for a single file. */
  notes?: NoteNames
}

/** Why a file cannot be read at all, as a sentence for its owner. */
export class UnreadableFile extends Error {}

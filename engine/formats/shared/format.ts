import type { Parsed } from '../../graph/index.js'
import type { NoteNames } from '../notes/note-names.js'
import type { TableSink } from '../tables/table-reading.js'
import type { FileHead } from './file-head.js'

/** A file format for graphs. */
export interface Format {
  /** The value of `--format`, stored with the import. */
  id: string
  title: string
  /** File name extensions, in lower case without the dot. */
  extensions: readonly string[]
  /** Whether its files are binary. Text never contains NUL characters. */
  isBinary?: true
  /** Whether its files are zip archives. A zip that is not recognized by its contents gets the format of its extension. */
  isZip?: true
  /** Whether text that is not UTF-8 may be in a legacy character set such as Windows-1252. */
  mayBeLegacy?: true
  /** Whether its lines may be folded inside a character (RFC 5545 §3.1). */
  isFolded?: true
  /** Whether a file contains several documents, which the reader separates with `DocumentSink.begin`. */
  hasParts?: true
  /** Whether the document is the text written by the reader instead of the file's bytes. */
  isRewritten?: true
  /** Whether the document is the file's bytes although they are binary. */
  keepsBytes?: true
  /** Names of files in this format whose extension belongs to another one. */
  names?: RegExp
  /** Whether the first bytes prove that a file has this format, regardless of its name. */
  signature?(head: FileHead): boolean
  /** Matches beginnings that are unique to this format. Applied to the first characters (Latin-1) without leading space. */
  tells?: RegExp
  /** The same, but only compared with formats that share the extension. */
  begins?: RegExp
  /**
   * Reads a file as it arrives, in batches of records with their line numbers (1-based). Never throws for invalid
   * contents (a bad line is a `problem`); errors of `bytes` itself are passed on. Memory use does not grow with
   * the file.
   */
  parse(bytes: AsyncIterable<Uint8Array>, file?: SourceFile): AsyncIterable<Parsed[]>
}

/** A `parse` that is loaded with the first file, so the service starts faster. */
export const lazily = (load: () => Promise<Format['parse']>): Format['parse'] =>
  async function* (bytes, file) {
    yield* (await load())(bytes, file)
  }

/** Information about a file besides its bytes. */
export interface SourceFile {
  /** File name, or the path with slashes inside a folder or archive. */
  path: string
  /** Unique per file, because a blank node identifies a different thing in every file (RDF 1.1 §3.4). */
  scope?: string
  /** The notes of the folder or archive; absent for a single file. */
  notes?: NoteNames
  /** Nesting depth of attached files: the number of messages around this one. */
  depth?: number
  /** Names of people by their ids in an export, shared by all files of one import. */
  names?: Map<string, string>
  /** Whether line breaks within Markdown paragraphs are shown. */
  lineBreaks?: boolean | undefined
  /** Set for a page of Notion: the database that it belongs to, or null. */
  notion?: { database: string | null }
  /** Receives how the file's tables are read. */
  tables?: TableSink
  /** Receives a sentence about each part of the file that is not read as its author intended. */
  remark?: ((line: number, sentence: string) => void) | undefined
  /** Receives the file as a document; absent if documents are not stored. */
  document?: DocumentSink
  /** The format of a file inside this one, by its name and beginning; absent if such files are not read. */
  formatInside?(path: string, start: Uint8Array): Format | null
}

/** Receives the document of a file while it is read (ADR 70). */
export interface DocumentSink {
  about(facts: DocumentFacts): void
  /** Writes the text of a file that is not text itself: Markdown, or the lines of a PDF. For other files the bytes are kept. */
  write(text: string): void
  /** The number of the next line in that text, from 1; null if the bytes are kept. */
  readonly line: number | null
  /**
   * Begins a document within the file, such as a conversation (`hasParts`) or an attached file, which has a
   * format of its own. Everything after it belongs to that document.
   */
  begin(name: string, format?: string): void
}

export interface DocumentFacts {
  title?: string
  /** Milliseconds since 1970. */
  time?: number
  tags?: readonly string[]
  /** Link targets besides its path: from the root if they begin with a slash, otherwise in its folder. */
  addresses?: readonly string[]
}

/** A file that cannot be read at all; the message is a sentence for its owner. */
export class UnreadableFile extends Error {}

/** A file of an unsupported kind. If there are several files, the others are still read. */
export class OtherFile extends UnreadableFile {}

import type { Parsed } from '../../graph/index.js'
import type { NoteNames } from '../notes/note-names.js'
import type { TableSink } from '../tables/table-reading.js'
import type { FileHead } from './file-head.js'

/** A file format for graphs. */
export interface Format {
  /** The value of `--format`, stored with the import. */
  id: string
  title: string
  /** File name extensions in lower case without the dot. */
  extensions: readonly string[]
  /** Whether its files are not text. Text never contains NUL characters. */
  isBinary?: true
  /** Whether its files are zip archives. One that does not show by its beginning what it is has the format of its name. */
  isZip?: true
  /** Whether texts that are not UTF-8 are taken for Windows-1252, as programs of offices write them. */
  mayBeLegacy?: true
  /** Whether its lines may be cut inside of a character (RFC 5545 §3.1). */
  isFolded?: true
  /** Whether it holds several documents, which its reader tells apart with `DocumentSink.begin`. */
  hasParts?: true
  /** Whether its document is the text that the reader writes instead of the file's bytes. */
  isRewritten?: true
  /** Whether the document is the file's bytes although they are not text. */
  keepsBytes?: true
  /** Names of files in this format although their extension belongs to another one. */
  names?: RegExp
  /** Whether the first bytes prove that a file has this format, whatever its name is. */
  signature?(head: FileHead): boolean
  /** How texts in this format begin that are nothing else. Of the first characters, as bytes (Latin-1), without space before them. */
  tells?: RegExp
  /** The same, but only compared with formats of the same extension. */
  begins?: RegExp
  /**
   * Reads a file as it arrives: batches of records, each with its line (1-based). Never throws for the file's
   * contents (a bad line is a `problem`); errors of `bytes` itself are passed on. Memory does not grow with
   * the file.
   */
  parse(bytes: AsyncIterable<Uint8Array>, file?: SourceFile): AsyncIterable<Parsed[]>
}

/** What reads one file. */
interface FileReader {
  read(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Parsed[]>
}

/** Reads a format with a class that is loaded with the first file, to start faster. */
export const lazily = (
  load: () => Promise<new (file: SourceFile | undefined) => FileReader>,
): Format['parse'] =>
  async function* (bytes, file) {
    const Reader = await load()
    yield* new Reader(file).read(bytes)
  }

/** What a format may need to know about a file besides its bytes. */
export interface SourceFile {
  /** Its name, or its path with slashes inside a folder or archive. */
  path: string
  /** Unique for each file, because a blank node identifies a different thing in every file (RDF 1.1 §3.4). */
  scope?: string
  /** The notes of its folder or archive; absent for a single file. */
  notes?: NoteNames
  /** In how many messages it is a file. */
  depth?: number
  /** Names of people by their ids in an export, for all files of one import. */
  names?: Map<string, string>
  /** Line ends in its paragraphs are shown, if it is Markdown. */
  lineBreaks?: boolean | undefined
  /** Set for a page of Notion: the database that it belongs to, or null. */
  notion?: { database: string | null }
  /** Is told how the file's tables are read; absent where nobody asks. */
  tables?: TableSink
  /** Is told, as a sentence, what of the file is read in another way than its author meant. */
  remark?: ((line: number, sentence: string) => void) | undefined
  /** Takes what is known of the file as a document; absent where nobody keeps documents. */
  document?: DocumentSink
  /** The format of a file inside this one, by its name and beginning; absent where such files are not read. */
  formatInside?(path: string, start: Uint8Array): Format | null
}

/** What a reader says of a file as a document, while it reads it (ADR 70). */
export interface DocumentSink {
  about(facts: DocumentFacts): void
  /** The text of a file that is not text itself: Markdown, or of a PDF its lines. The bytes of others are kept as they came. */
  write(text: string): void
  /** The line of that text that comes next, counted from 1; null where the bytes are kept. */
  readonly line: number | null
  /**
   * Begins a document within the file, such as a conversation (`hasParts`), or a file attached to a message, which has a
   * format of its own. What follows belongs to it.
   */
  begin(name: string, format?: string): void
}

export interface DocumentFacts {
  title?: string
  /** Milliseconds since 1970. */
  time?: number
  tags?: readonly string[]
  /** What links may call it besides its path: from the top if it begins with a slash, otherwise in its folder. */
  addresses?: readonly string[]
}

/** Why a file cannot be read at all, as a sentence for its owner. */
export class UnreadableFile extends Error {}

/** A file of no kind that is read. Of several files, the others are read without it. */
export class OtherFile extends UnreadableFile {}

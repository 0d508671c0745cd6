import type { Parsed } from '../../graph/model.js'
import type { NoteNames } from './note-names.js'

/** One way of writing a graph into a file. */
export interface Format {
  /** What `--format` takes and an import remembers. */
  id: string
  title: string
  /** Ends of file names, without the dot, in lower case. */
  extensions: readonly string[]
  /**
   * Reads a file as it arrives: batches of records, each with its line (1-based). Never throws for what the file says
   * (a bad line is a `problem`); errors of `bytes` itself pass through. Memory does not grow with the file.
   */
  parse(bytes: AsyncIterable<Uint8Array>, file?: SourceFile): AsyncIterable<Parsed[]>
}

/** What a format may need to know of a file besides its bytes. */
export interface SourceFile {
  /** Its name; inside a folder or an archive its path there, with slashes. */
  path: string
  /** Differs from file to file: a blank node is another one in every file (RDF 1.1 §3.4). */
  scope?: string
  /** The folder or archive it comes with; absent when it comes alone. */
  notes?: NoteNames
}

import type { Parsed } from '../model.js'

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
  parse(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Parsed[]>
}

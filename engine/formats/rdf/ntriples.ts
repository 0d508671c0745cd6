import type { Parser } from 'n3'
import type { Parsed } from '../../graph/index.js'
import type { Format, SourceFile } from '../shared/format.js'
import { type Line, readLines } from '../shared/lines.js'
import { RdfReader } from './rdf.js'

/** N-Triples (W3C): one statement per line, so that bad lines can be reported and the rest is still read. */
export const ntriples: Format = {
  id: 'ntriples',
  title: 'N-Triples',
  extensions: ['nt'],
  parse: (bytes, file) => parseLines('N-Triples', bytes, file),
}

/** N-Quads (W3C). The graph of a text becomes its source; facts are kept without their graph. */
export const nquads: Format = {
  id: 'nquads',
  title: 'N-Quads',
  extensions: ['nq'],
  parse: (bytes, file) => parseLines('N-Quads', bytes, file),
}

type NTriplesSyntax = 'N-Triples' | 'N-Quads'

async function* parseLines(
  syntax: NTriplesSyntax,
  bytes: AsyncIterable<Uint8Array>,
  file?: SourceFile,
): AsyncGenerator<Parsed[]> {
  // Loaded with the first file, like the libraries of other formats, to start faster.
  const n3 = await import('n3')
  const statements = new StatementParser(() => new n3.Parser({ format: syntax, blankNodePrefix: '' }), file)
  for await (const lines of readLines(bytes)) {
    const batch: Parsed[] = []
    for (const line of lines) statements.read(line, batch)
    if (batch.length > 0) yield batch
  }
  const last: Parsed[] = []
  statements.end(last)
  if (last.length > 0) yield last
}

class StatementParser {
  readonly #newParser: () => Parser
  readonly #reader: RdfReader
  // One parser for all lines is twice as fast as one per line; after an error its state is unknown.
  #parser: Parser

  constructor(newParser: () => Parser, file?: SourceFile) {
    this.#newParser = newParser
    this.#reader = new RdfReader(file)
    this.#parser = newParser()
  }

  read(line: Line, batch: Parsed[]): void {
    if ('problem' in line) {
      batch.push(line)
      return
    }
    try {
      const quads = this.#parser.parse(line.text)
      if (quads.length > 1) {
        batch.push({ line: line.line, problem: 'There is more than one statement on this line.' })
        return
      }
      for (const quad of quads) this.#reader.read(line.line, quad, batch)
    } catch (error) {
      this.#parser = this.#newParser()
      batch.push({ line: line.line, problem: syntaxProblem(error) })
    }
  }

  end(batch: Parsed[]): void {
    this.#reader.end(batch)
  }
}

/**
 * The parser's message without its own line number, because it saw one line only, or counts lines as we do.
 */
export function syntaxProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/ on line \d+\.?$/, '').slice(0, 200)
}

import { Parser } from 'n3'
import type { Parsed } from '../model.js'
import type { Format } from './format.js'
import { type Line, readLines } from './lines.js'
import { recordOf } from './rdf.js'
import { checked } from './record.js'

/** N-Triples (W3C): one statement a line, so that every bad line can be named and the rest still be read. */
export const ntriples: Format = {
  id: 'ntriples',
  title: 'N-Triples',
  extensions: ['nt'],
  async *parse(bytes) {
    const statements = new StatementParser()
    for await (const lines of readLines(bytes)) {
      const batch: Parsed[] = []
      for (const line of lines) statements.read(line, batch)
      if (batch.length > 0) yield batch
    }
  },
}

class StatementParser {
  // One parser for all lines is twice as fast as one for each; after an error its state is unknown.
  #parser = newParser()

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
      for (const quad of quads) {
        const record = recordOf(quad)
        batch.push(
          typeof record === 'string' ? { line: line.line, problem: record } : checked(line.line, record),
        )
      }
    } catch (error) {
      this.#parser = newParser()
      batch.push({ line: line.line, problem: syntaxProblem(error) })
    }
  }
}

function newParser(): Parser {
  return new Parser({ format: 'N-Triples', blankNodePrefix: '' })
}

/** The parser's sentence without its own line number: it saw one line only, or counts them as we do. */
export function syntaxProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/ on line \d+\.?$/, '').slice(0, 200)
}

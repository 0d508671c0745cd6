import { EventEmitter } from 'node:events'
import { Parser } from 'n3'
import type { GraphRecord, Parsed } from '../model.js'
import type { Format } from './format.js'
import { type Line, maxLineLength, piecesOf, readLines } from './lines.js'
import { syntaxProblem } from './ntriples.js'
import { recordOf } from './rdf.js'
import { checked } from './record.js'

/** Turtle (W3C). Its statements span lines, so reading ends at the first syntax error. */
export const turtle: Format = {
  id: 'turtle',
  title: 'Turtle',
  extensions: ['ttl'],
  async *parse(bytes) {
    const document = new TurtleDocument()
    for await (const lines of readLines(bytes)) {
      for (const line of lines) {
        for (const piece of document.read(line)) {
          document.parse(piece)
          // Also when it is empty: whoever reads may let others have their turn.
          yield document.take()
        }
        if (document.failed) break
      }
      if (document.failed) return yield document.take()
    }
    document.end()
    const batch = document.take()
    if (batch.length > 0) yield batch
  },
}

/** Feeds the parser line by line, so that each statement gets the line on which it ended. */
class TurtleDocument {
  failed = false
  readonly #input = new EventEmitter()
  #batch: Parsed[] = []
  #line = 1
  /** Characters since the last statement: what the parser may be holding back. */
  #pending = 0

  constructor() {
    new Parser({ format: 'text/turtle', blankNodePrefix: '' }).parse(this.#input, {
      onQuad: (error, quad) => {
        if (error) this.#fail(syntaxProblem(error), errorLine(error) ?? this.#line)
        else if (quad) this.#add(recordOf(quad))
      },
    })
  }

  /** The line's text in pieces for `parse`. */
  read(line: Line): Iterable<string> {
    this.#line = line.line
    if ('problem' in line) {
      this.#fail(line.problem, line.line)
      return []
    }
    this.#pending += line.text.trimStart().startsWith('#') ? 0 : line.text.length + 1
    if (this.#pending > maxLineLength) {
      this.#fail('A statement is longer than 1 MiB.', line.line)
      return []
    }
    return piecesOf(`${line.text}\n`)
  }

  parse(piece: string): void {
    if (!this.failed) this.#input.emit('data', piece)
  }

  end(): void {
    if (!this.failed) this.#input.emit('end')
  }

  take(): Parsed[] {
    const batch = this.#batch
    this.#batch = []
    return batch
  }

  #add(record: GraphRecord | string): void {
    this.#pending = 0
    const line = this.#line
    this.#batch.push(typeof record === 'string' ? { line, problem: record } : checked(line, record))
  }

  #fail(problem: string, line: number): void {
    if (this.failed) return
    this.failed = true
    this.#batch.push({ line, problem })
  }
}

function errorLine(error: Error): number | null {
  const context: unknown = Reflect.get(error, 'context')
  const line: unknown = typeof context === 'object' && context !== null ? Reflect.get(context, 'line') : null
  return typeof line === 'number' ? line : null
}

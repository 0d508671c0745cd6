import { EventEmitter } from 'node:events'
import type { Parser } from 'n3'
import type { Parsed } from '../../graph/index.js'
import type { Format, SourceFile } from '../shared/format.js'
import { type Line, piecesOf, readLines } from '../shared/lines.js'
import { StatementFile, syntaxProblem } from './statement-file.js'

const PREFIX = /^@(?:prefix|base)\s/

/** Turtle (W3C). Its statements can span lines, so reading ends at the first syntax error. */
export const turtle: Format = {
  id: 'turtle',
  title: 'Turtle',
  extensions: ['ttl'],
  tells: PREFIX,
  parse: (bytes, file) => parseDocument('text/turtle', bytes, file),
}

/** TriG (W3C): Turtle with graphs, handled as in N-Quads. */
export const trig: Format = {
  id: 'trig',
  title: 'TriG',
  extensions: ['trig'],
  tells: PREFIX,
  parse: (bytes, file) => parseDocument('application/trig', bytes, file),
}

type TurtleSyntax = 'text/turtle' | 'application/trig'

async function* parseDocument(
  syntax: TurtleSyntax,
  bytes: AsyncIterable<Uint8Array>,
  file?: SourceFile,
): AsyncGenerator<Parsed[]> {
  const n3 = await import('n3')
  const document = new TurtleDocument(new n3.Parser({ format: syntax, blankNodePrefix: '' }), file)
  for await (const lines of readLines(bytes)) {
    for (const line of lines) {
      for (const piece of document.read(line)) {
        document.parse(piece)
        // Even when empty, so that the caller can yield to other work.
        yield document.take()
      }
      if (document.failed) break
    }
    if (document.failed) break
  }
  document.end()
  yield document.take()
}

/** Feeds the parser line by line, so that each statement gets the line on which it ends. */
class TurtleDocument extends StatementFile {
  readonly #input = new EventEmitter()

  constructor(parser: Parser, file?: SourceFile) {
    super(file)
    parser.parse(this.#input, {
      onQuad: (error, quad) => {
        if (error) this.fail(syntaxProblem(error), errorLine(error) ?? this.line)
        else if (quad) this.add(quad)
      },
      onPrefix: () => this.wait(0),
    })
  }

  /** The line's text in pieces for `parse`. */
  read(line: Line): Iterable<string> {
    this.line = line.line
    if ('problem' in line) this.fail(line.problem)
    else if (!line.text.trimStart().startsWith('#')) this.wait(line.text.length + 1)
    return 'problem' in line || this.failed ? [] : piecesOf(`${line.text}\n`)
  }

  parse(piece: string): void {
    this.#attempt(() => this.#input.emit('data', piece))
  }

  end(): void {
    this.#attempt(() => this.#input.emit('end'))
    this.finish()
  }

  /** The parser reports errors but may also throw them. */
  #attempt(work: () => void): void {
    if (this.failed) return
    try {
      work()
    } catch (error) {
      this.fail(syntaxProblem(error))
    }
  }
}

function errorLine(error: Error): number | null {
  const context: unknown = Reflect.get(error, 'context')
  const line: unknown = typeof context === 'object' && context !== null ? Reflect.get(context, 'line') : null
  return typeof line === 'number' ? line : null
}

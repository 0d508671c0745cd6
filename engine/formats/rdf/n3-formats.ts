import { EventEmitter } from 'node:events'
import type { Parser } from 'n3'
import type { Parsed } from '../../graph/index.js'
import type { Format, SourceFile } from '../shared/format.js'
import { type Line, piecesOf, readLines } from '../shared/lines.js'
import { RdfReader } from './rdf.js'
import { StatementFile, syntaxProblem } from './statement-file.js'

const PREFIX = /^@(?:prefix|base)\s/

/** Turtle (W3C). Its statements can span lines, so reading ends at the first syntax error. */
export const turtle: Format = {
  id: 'turtle',
  title: 'Turtle',
  extensions: ['ttl'],
  tells: PREFIX,
  parse: documentParser('text/turtle'),
}

/** TriG (W3C): Turtle with graphs, handled as in N-Quads. */
export const trig: Format = {
  id: 'trig',
  title: 'TriG',
  extensions: ['trig'],
  tells: PREFIX,
  parse: documentParser('application/trig'),
}

/** N-Triples (W3C): one statement per line, so bad lines are reported and the rest is still read. */
export const ntriples: Format = {
  id: 'ntriples',
  title: 'N-Triples',
  extensions: ['nt'],
  parse: linesParser('N-Triples'),
}

/** N-Quads (W3C). The graph of a text becomes its source; facts are stored without their graph. */
export const nquads: Format = {
  id: 'nquads',
  title: 'N-Quads',
  extensions: ['nq'],
  parse: linesParser('N-Quads'),
}

function documentParser(format: 'text/turtle' | 'application/trig'): Format['parse'] {
  return async function* (bytes, file) {
    const n3 = await import('n3')
    const document = new TurtleDocument(new n3.Parser({ format, blankNodePrefix: '' }), file)
    for await (const lines of readLines(bytes)) {
      for (const line of lines) {
        yield* document.read(line)
        if (document.failed) break
      }
      if (document.failed) break
    }
    document.end()
    yield document.take()
  }
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

  /** Yields after each piece, even without records, so that the caller can yield to other work. */
  *read(line: Line): Generator<Parsed[]> {
    this.line = line.line
    if ('problem' in line) return this.fail(line.problem)
    if (!line.text.trimStart().startsWith('#')) this.wait(line.text.length + 1)
    for (const piece of piecesOf(`${line.text}\n`)) {
      this.#emit('data', piece)
      yield this.take()
    }
  }

  end(): void {
    this.#emit('end')
    this.finish()
  }

  /** The parser reports errors but may also throw them. */
  #emit(event: 'data' | 'end', piece?: string): void {
    if (this.failed) return
    try {
      this.#input.emit(event, piece)
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

function linesParser(format: 'N-Triples' | 'N-Quads'): Format['parse'] {
  return async function* (bytes, file) {
    const n3 = await import('n3')
    const newParser = () => new n3.Parser({ format, blankNodePrefix: '' })
    const reader = new RdfReader(file)
    // One parser for all lines is twice as fast as one per line; after an error its state is unknown.
    let parser = newParser()
    const readLine = (line: number, text: string) => {
      try {
        const quads = parser.parse(text)
        if (quads.length > 1) reader.report(line, 'There is more than one statement on this line.')
        else for (const quad of quads) reader.add(quad, line)
      } catch (error) {
        parser = newParser()
        reader.report(line, syntaxProblem(error))
      }
    }
    for await (const lines of readLines(bytes)) {
      for (const line of lines)
        if ('problem' in line) reader.report(line.line, line.problem)
        else readLine(line.line, line.text)
      yield reader.take()
    }
    reader.finish()
    yield reader.take()
  }
}

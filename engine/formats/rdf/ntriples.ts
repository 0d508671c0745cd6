import type { Parsed } from '../../graph/index.js'
import type { Format, SourceFile } from '../shared/format.js'
import { readLines } from '../shared/lines.js'
import { RdfReader } from './rdf.js'
import { syntaxProblem } from './statement-file.js'

/** N-Triples (W3C): one statement per line, so bad lines are reported and the rest is still read. */
export const ntriples: Format = {
  id: 'ntriples',
  title: 'N-Triples',
  extensions: ['nt'],
  parse: (bytes, file) => parseLines('N-Triples', bytes, file),
}

/** N-Quads (W3C). The graph of a text becomes its source; facts are stored without their graph. */
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
  // Loaded with the first file, like the libraries of other formats, so the service starts faster.
  const n3 = await import('n3')
  const newParser = () => new n3.Parser({ format: syntax, blankNodePrefix: '' })
  const reader = new RdfReader(file)
  // One parser for all lines is twice as fast as one per line; after an error its state is unknown.
  let parser = newParser()
  const batch: Parsed[] = []
  const readLine = (line: number, text: string) => {
    try {
      const quads = parser.parse(text)
      if (quads.length > 1) batch.push({ line, problem: 'There is more than one statement on this line.' })
      else for (const quad of quads) reader.read(line, quad, batch)
    } catch (error) {
      parser = newParser()
      batch.push({ line, problem: syntaxProblem(error) })
    }
  }
  for await (const lines of readLines(bytes)) {
    for (const line of lines)
      if ('problem' in line) batch.push(line)
      else readLine(line.line, line.text)
    if (batch.length > 0) yield batch.splice(0)
  }
  reader.end(batch)
  if (batch.length > 0) yield batch
}

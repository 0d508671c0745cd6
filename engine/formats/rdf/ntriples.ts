import type { Format } from '../shared/format.js'
import { readLines } from '../shared/lines.js'
import { RdfReader } from './rdf.js'
import { syntaxProblem } from './statement-file.js'

/** N-Triples (W3C): one statement per line, so bad lines are reported and the rest is still read. */
export const ntriples: Format = {
  id: 'ntriples',
  title: 'N-Triples',
  extensions: ['nt'],
  parse: parserOf('N-Triples'),
}

/** N-Quads (W3C). The graph of a text becomes its source; facts are stored without their graph. */
export const nquads: Format = {
  id: 'nquads',
  title: 'N-Quads',
  extensions: ['nq'],
  parse: parserOf('N-Quads'),
}

function parserOf(format: 'N-Triples' | 'N-Quads'): Format['parse'] {
  return async function* (bytes, file) {
    // Loaded with the first file, like the libraries of other formats, so the service starts faster.
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

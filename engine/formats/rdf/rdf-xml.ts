import type { Format, SourceFile } from '../shared/format.js'
import { textPieces } from '../shared/lines.js'
import { QuadParser, type QuadStream, StatementFile } from './statement-file.js'

/** RDF/XML (W3C), also used for ontologies (OWL). Reading ends at the first syntax error. */
export const rdfxml: Format = {
  id: 'rdfxml',
  title: 'RDF/XML, OWL',
  extensions: ['rdf', 'owl', 'rdfs', 'xml'],
  tells:
    /^(?:<\?xml[^>]{0,200}>\s{0,20})?(?:<!--[^>]{0,500}-->\s{0,20}){0,3}(?:<!DOCTYPE\s{1,9}rdf:RDF|<rdf:RDF)\b/,
  async *parse(bytes, file) {
    const { RdfXmlParser } = await import('rdfxml-streaming-parser')
    // Checking for duplicate ids would need memory, and relative addresses have no base.
    const parser = new RdfXmlParser({ baseIRI: 'file:///', allowDuplicateRdfIds: true })
    const document = new RdfXmlDocument(parser, file)
    for await (const { piece } of textPieces(bytes)) {
      await document.parse(piece)
      // Even when empty, so that the caller can yield to other work.
      yield document.take()
      if (document.failed) break
    }
    await document.end()
    yield document.take()
  },
}

/** An element that only OWL/XML contains, which looks like RDF/XML. */
const DECLARATION = 'http://www.w3.org/2002/07/owl#Declaration'
const OTHER =
  'This is not RDF/XML. If it is an ontology in another form, save it as RDF/XML or Turtle (in Protégé: File › Save as).'

class RdfXmlDocument extends StatementFile {
  readonly #parser: QuadParser

  constructor(stream: QuadStream, file?: SourceFile) {
    super(file)
    this.#parser = new QuadParser(stream, quad => {
      if (quad.predicate.value === DECLARATION) this.fail(OTHER)
      this.add(quad)
    })
  }

  async parse(piece: string): Promise<void> {
    this.wait(piece.length)
    if (this.failed) return
    await this.#parser.write(piece)
    this.#check()
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) this.line++
  }

  async end(): Promise<void> {
    if (!this.failed) await this.#parser.end()
    this.#check()
    this.finish()
  }

  #check(): void {
    const { problem } = this.#parser
    if (problem !== null) this.fail(problem.includes('outside of root') ? OTHER : problem)
  }
}

import type { Quad_Object, Quad_Subject, Writer as TripleWriter } from 'n3'
import type { FactTimes } from '../../graph/index.js'
import { PASSAGE_PROPERTIES, STATEMENT_PROPERTIES, type UrnKind, urn } from '../rdf/urn.js'
import type { ExportFormat, Named, Statement, Writer } from './format.js'

type N3 = typeof import('n3')
type PassageProperty = keyof typeof PASSAGE_PROPERTIES
type StatementProperty = keyof typeof STATEMENT_PROPERTIES

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const XSD = 'http://www.w3.org/2001/XMLSchema#'
const LABEL = 'http://www.w3.org/2000/01/rdf-schema#label'
const SAME_AS = 'http://www.w3.org/2002/07/owl#sameAs'
const ALT_LABEL = 'http://www.w3.org/2004/02/skos/core#altLabel'

/** N-Triples with our own IRIs (`urn.ts`) and common properties for names and texts. */
export const ntriplesExport: ExportFormat = {
  id: 'ntriples',
  title: 'N-Triples',
  extension: 'nt',
  contentType: 'application/n-triples; charset=utf-8',
  writer: async () => new NtriplesWriter(await import('n3')),
}

class NtriplesWriter implements Writer {
  readonly #terms: N3['DataFactory']
  readonly #triples: TripleWriter
  #passages = 0
  #statements = 0

  constructor({ DataFactory, Writer }: Pick<N3, 'DataFactory' | 'Writer'>) {
    this.#terms = DataFactory
    this.#triples = new Writer({ format: 'N-Triples' })
  }

  write(statement: Statement): string {
    const { literal } = this.#terms
    switch (statement.kind) {
      case 'entity': {
        const { name, type } = statement.entity
        const subject = this.#entity(statement.entity)
        const typed = type === null ? '' : this.#triple(subject, `${RDF}type`, this.#urn('type', type))
        return this.#triple(subject, LABEL, literal(name)) + typed
      }
      case 'alias':
        return this.#triple(this.#entity(statement.entity), ALT_LABEL, literal(statement.alias))
      case 'same':
        return this.#triple(this.#entity(statement.entity), SAME_AS, this.#entity(statement.sameAs))
      case 'relation': {
        const subject = this.#entity(statement.subject)
        const predicate = this.#urn('predicate', statement.predicate)
        const object = this.#entity(statement.object)
        const dates = this.#dates(statement, { subject, predicate, object })
        return dates + this.#triple(subject, predicate.value, object)
      }
      case 'passage':
        return this.#passage(statement)
    }
  }

  end(): string {
    return ''
  }

  #passage({ entity, title, text, source, seq, time }: Statement & { kind: 'passage' }): string {
    const { literal, namedNode } = this.#terms
    const subject = this.#urn('passage', String(++this.#passages))
    const properties: [PassageProperty, Quad_Object][] = [
      ['about', this.#entity(entity)],
      ['title', literal(title)],
      ['text', literal(text)],
    ]
    if (source !== null) properties.push(['source', literal(source)])
    if (seq !== null) properties.push(['seq', literal(String(seq), namedNode(`${XSD}integer`))])
    if (time !== null)
      properties.push(['time', literal(new Date(time).toISOString(), namedNode(`${XSD}dateTime`))])
    return properties
      .map(([name, object]) => this.#triple(subject, PASSAGE_PROPERTIES[name], object))
      .join('')
  }

  /** Adds dates by reification. Readers without it still find the fact, which follows. */
  #dates(
    { validFrom, validTo, learnedOn }: FactTimes,
    fact: Record<'subject' | 'predicate' | 'object', Quad_Subject & Quad_Object>,
  ): string {
    const dates = Object.entries({ validFrom, validTo, learnedOn }).flatMap(([name, date]) =>
      date ? [[name, this.#terms.literal(date)] as const] : [],
    )
    if (dates.length === 0) return ''
    const node = this.#urn('statement', String(++this.#statements))
    return [...Object.entries(fact), ...dates]
      .map(([name, object]) => this.#triple(node, STATEMENT_PROPERTIES[name as StatementProperty], object))
      .join('')
  }

  #triple(subject: Quad_Subject, predicate: string, object: Quad_Object): string {
    return this.#triples.quadToString(subject, this.#terms.namedNode(predicate), object)
  }

  #entity({ key }: Named) {
    return this.#urn('entity', key)
  }

  #urn(kind: UrnKind, text: string) {
    return this.#terms.namedNode(urn(kind, text))
  }
}

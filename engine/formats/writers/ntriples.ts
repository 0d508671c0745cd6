import type { Quad_Object, Quad_Subject } from 'n3'
import type { FactTimes } from '../../graph/index.js'
import { PASSAGE_PROPERTIES, STATEMENT_PROPERTIES, type UrnKind, urn } from '../rdf/urn.js'
import type { ExportFormat, Statement, StatementWriter, WrittenEntity } from './format.js'

type N3 = typeof import('n3')
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
  writer: async () => ntriplesWriter(await import('n3')),
}

function ntriplesWriter({
  DataFactory,
  Writer: TripleWriter,
}: Pick<N3, 'DataFactory' | 'Writer'>): StatementWriter {
  const { literal, namedNode } = DataFactory
  const triples = new TripleWriter({ format: 'N-Triples' })
  let [passages, statements] = [0, 0]
  const iri = (kind: UrnKind, text: string) => namedNode(urn(kind, text))
  const entityOf = ({ key }: WrittenEntity) => iri('entity', key)
  const triple = (subject: Quad_Subject, predicate: string, object: Quad_Object) =>
    triples.quadToString(subject, namedNode(predicate), object)

  function passageOf({ entity, title, text, source, seq, time }: Statement & { kind: 'passage' }): string {
    const subject = iri('passage', String(++passages))
    const properties: [keyof typeof PASSAGE_PROPERTIES, Quad_Object][] = [
      ['about', entityOf(entity)],
      ['title', literal(title)],
      ['text', literal(text)],
    ]
    if (source !== null) properties.push(['source', literal(source)])
    if (seq !== null) properties.push(['seq', literal(String(seq), namedNode(`${XSD}integer`))])
    if (time !== null)
      properties.push(['time', literal(new Date(time).toISOString(), namedNode(`${XSD}dateTime`))])
    return properties.map(([name, object]) => triple(subject, PASSAGE_PROPERTIES[name], object)).join('')
  }

  /** Dates by reification. Readers without it still find the fact, which follows. */
  function datesOf(
    { validFrom, validTo, learnedOn }: FactTimes,
    fact: Record<'subject' | 'predicate' | 'object', Quad_Subject & Quad_Object>,
  ): string {
    const dates = Object.entries({ validFrom, validTo, learnedOn }).flatMap(([name, date]) =>
      date ? [[name, literal(date)] as const] : [],
    )
    if (dates.length === 0) return ''
    const node = iri('statement', String(++statements))
    return [...Object.entries(fact), ...dates]
      .map(([name, object]) => triple(node, STATEMENT_PROPERTIES[name as StatementProperty], object))
      .join('')
  }

  function write(statement: Statement): string {
    switch (statement.kind) {
      case 'entity': {
        const { name, type } = statement.entity
        const subject = entityOf(statement.entity)
        const typed = type === null ? '' : triple(subject, `${RDF}type`, iri('type', type))
        return triple(subject, LABEL, literal(name)) + typed
      }
      case 'alias':
        return triple(entityOf(statement.entity), ALT_LABEL, literal(statement.alias))
      case 'same':
        return triple(entityOf(statement.entity), SAME_AS, entityOf(statement.sameAs))
      case 'relation': {
        const [subject, object] = [entityOf(statement.subject), entityOf(statement.object)]
        const predicate = iri('predicate', statement.predicate)
        return datesOf(statement, { subject, predicate, object }) + triple(subject, predicate.value, object)
      }
      case 'passage':
        return passageOf(statement)
    }
  }
  return { write, end: () => '' }
}

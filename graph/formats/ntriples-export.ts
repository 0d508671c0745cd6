import type { ExportFormat, Statement, Writer } from './export.js'
import { passageProperties, urn } from './urn.js'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const xsd = 'http://www.w3.org/2001/XMLSchema#'
const label = 'http://www.w3.org/2000/01/rdf-schema#label'
const altLabel = 'http://www.w3.org/2004/02/skos/core#altLabel'

/** N-Triples over IRIs of our own (`urn.ts`), with the properties everybody knows for names and texts. */
export const ntriplesExport: ExportFormat = {
  id: 'ntriples',
  title: 'N-Triples',
  extension: 'nt',
  contentType: 'application/n-triples; charset=utf-8',
  writer: () => new NtriplesWriter(),
}

class NtriplesWriter implements Writer {
  #passages = 0

  write(statement: Statement): string {
    switch (statement.kind) {
      case 'entity': {
        const { key, name, type } = statement.entity
        const subject = iri(urn('entity', key))
        const typed = type === null ? '' : triple(subject, `${rdf}type`, iri(urn('type', type)))
        return triple(subject, label, literal(name)) + typed
      }
      case 'alias':
        return triple(iri(urn('entity', statement.entity.key)), altLabel, literal(statement.alias))
      case 'relation': {
        const { subject, predicate, object } = statement
        return triple(
          iri(urn('entity', subject.key)),
          urn('predicate', predicate),
          iri(urn('entity', object.key)),
        )
      }
      case 'passage':
        return this.#passage(statement)
    }
  }

  end(): string {
    return ''
  }

  #passage({ entity, title, text, source, seq, time }: Statement & { kind: 'passage' }): string {
    const subject = iri(urn('passage', String(++this.#passages)))
    const said: [keyof typeof passageProperties, string][] = [
      ['about', iri(urn('entity', entity.key))],
      ['title', literal(title)],
      ['text', literal(text)],
    ]
    if (source !== null) said.push(['source', literal(source)])
    if (seq !== null) said.push(['seq', literal(String(seq), 'integer')])
    if (time !== null) said.push(['time', literal(new Date(time).toISOString(), 'dateTime')])
    return said.map(([name, object]) => triple(subject, passageProperties[name], object)).join('')
  }
}

const triple = (subject: string, predicate: string, object: string) =>
  `${subject} <${predicate}> ${object} .\n`

const iri = (text: string) => `<${text}>`

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r' }

function literal(text: string, type?: 'integer' | 'dateTime'): string {
  const quoted = `"${text.replace(/[\\"\n\r]/g, character => escapes[character] ?? '')}"`
  return type ? `${quoted}^^<${xsd}${type}>` : quoted
}

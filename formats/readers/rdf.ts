import type { Quad, Term } from 'n3'
import type { GraphRecord, Parsed } from '../../graph/model.js'
import { trimEndOf } from '../../graph/text/trim-end.js'
import { passageProperties, textOfUrn } from '../urn.js'
import type { SourceFile } from './format.js'
import { checked } from './record.js'

const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'
const nameProperties = new Set([
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'http://xmlns.com/foaf/0.1/name',
  'http://schema.org/name',
  'https://schema.org/name',
])
/** Merges two things of our own export. In other files it is a relation like any other: nothing merges by itself. */
const sameAs = 'http://www.w3.org/2002/07/owl#sameAs'
const aliasProperties = new Set(['http://www.w3.org/2004/02/skos/core#altLabel'])
const textProperties = new Set([
  'http://www.w3.org/2000/01/rdf-schema#comment',
  'http://www.w3.org/2004/02/skos/core#definition',
  'http://purl.org/dc/elements/1.1/description',
  'http://purl.org/dc/terms/description',
])

/** Characters; a longer literal is a text about its subject instead of a name. */
const longestName = 80

/** Converts the statements of one file into records (GRAPH §6). */
export class RdfReader {
  readonly #scope: string
  /** The passage of the latest statements; in our export the statements about a passage are consecutive. */
  #passage: { id: string; line: number; properties: Map<string, string> } | null = null

  constructor(file?: SourceFile) {
    this.#scope = file?.scope ? `-${file.scope}` : ''
  }

  /** Adds the record of a statement to the batch, or the problem with it. */
  read(line: number, quad: Quad, batch: Parsed[]): void {
    const { subject, predicate, object } = quad
    const passage = textOfUrn('passage', subject.value)
    if (this.#passage && this.#passage.id !== passage) this.end(batch)
    if (passage !== null) {
      this.#passage ??= { id: passage, line, properties: new Map() }
      this.#passage.properties.set(predicate.value, this.#valueOf(object))
      return
    }
    const record = this.#recordOf(quad)
    batch.push(typeof record === 'string' ? { line, problem: record } : checked(line, record))
  }

  /** Adds the last passage. */
  end(batch: Parsed[]): void {
    if (!this.#passage) return
    const { line, properties } = this.#passage
    this.#passage = null
    batch.push(checked(line, passageOf(properties)))
  }

  #recordOf({ subject, predicate, object, graph }: Quad): GraphRecord | string {
    if (!['NamedNode', 'BlankNode', 'Literal'].includes(object.termType)) {
      return 'Statements about statements (RDF-star) are not supported.'
    }
    const id = this.#idOf(subject)
    const property = predicate.value
    if (property === rdfType) {
      const type = textOfUrn('type', object.value) ?? this.#idOf(object)
      return { kind: 'entity', id, name: id, type }
    }
    if (object.termType === 'Literal') {
      // Facts in a Safe have no graph; for a text the graph is its source.
      const source = graph.termType === 'NamedNode' ? { source: graph.value } : {}
      return literal(id, property, object.value, source)
    }
    const isOwn = [subject, object].every(term => textOfUrn('entity', term.value) !== null)
    if (property === sameAs && isOwn) return { kind: 'same', entity: id, sameAs: this.#idOf(object) }
    return { kind: 'relation', subject: id, predicate: predicateOf(property), object: this.#idOf(object) }
  }

  #idOf(term: Term): string {
    if (term.termType === 'BlankNode') return `_:${term.value}${this.#scope}`
    return this.#valueOf(term)
  }

  #valueOf(term: Term): string {
    if (term.termType !== 'NamedNode') return term.value
    return textOfUrn('entity', term.value) ?? localName(term.value)
  }
}

const predicateOf = (iri: string) => textOfUrn('predicate', iri) ?? localName(iri)

function literal(id: string, property: string, value: string, source: { source?: string }): GraphRecord {
  if (nameProperties.has(property)) return { kind: 'entity', id, name: value }
  if (aliasProperties.has(property)) return { kind: 'alias', entity: id, alias: value }
  if (textProperties.has(property) || value.length > longestName) {
    return { kind: 'passage', entity: id, title: id, text: value, ...source }
  }
  return { kind: 'relation', subject: id, predicate: predicateOf(property), object: value }
}

function passageOf(properties: Map<string, string>): GraphRecord {
  const { about, title, text, source, seq, time } = passageProperties
  const [place, date, origin] = [properties.get(seq), properties.get(time), properties.get(source)]
  const entity = properties.get(about) ?? ''
  return {
    kind: 'passage',
    entity,
    title: properties.get(title) ?? entity,
    text: properties.get(text) ?? '',
    ...(origin === undefined ? {} : { source: origin }),
    ...(place === undefined ? {} : { seq: Number(place) }),
    ...(date === undefined ? {} : { time: Date.parse(date) }),
  }
}

/**
 * The part after the last `#` or `/`, percent-decoded, with spaces for underscores; the whole IRI if that is
 * empty.
 */
export function localName(iri: string): string {
  const end = trimEndOf(iri, '#/')
  const local = end.slice(Math.max(end.lastIndexOf('#'), end.lastIndexOf('/')) + 1)
  return decoded(local).replaceAll('_', ' ').trim() || iri
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

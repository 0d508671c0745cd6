import type { Quad, Term } from 'n3'
import type { GraphRecord } from '../model.js'

const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'
const nameProperties = new Set([
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'http://xmlns.com/foaf/0.1/name',
  'http://schema.org/name',
  'https://schema.org/name',
])
const aliasProperties = new Set(['http://www.w3.org/2004/02/skos/core#altLabel'])
const textProperties = new Set([
  'http://www.w3.org/2000/01/rdf-schema#comment',
  'http://www.w3.org/2004/02/skos/core#definition',
  'http://purl.org/dc/elements/1.1/description',
  'http://purl.org/dc/terms/description',
])

/** Characters; a longer literal is a text about its subject, not the name of something. */
const longestName = 80

/** What one RDF statement says in the words of a Safe (GRAPH §6), or why it cannot be said. */
export function recordOf(quad: Quad): GraphRecord | string {
  const { subject, predicate, object } = quad
  if (object.termType !== 'NamedNode' && object.termType !== 'BlankNode' && object.termType !== 'Literal') {
    return 'Statements about statements (RDF-star) are not supported.'
  }
  const id = idOf(subject)
  if (predicate.value === rdfType) return { kind: 'entity', id, name: id, type: idOf(object) }
  if (object.termType === 'Literal') return literal(id, predicate.value, object.value)
  return { kind: 'relation', subject: id, predicate: localName(predicate.value), object: idOf(object) }
}

function literal(id: string, property: string, value: string): GraphRecord {
  if (nameProperties.has(property)) return { kind: 'entity', id, name: value }
  if (aliasProperties.has(property)) return { kind: 'alias', entity: id, alias: value }
  if (textProperties.has(property) || value.length > longestName) {
    return { kind: 'passage', entity: id, title: id, text: value }
  }
  return { kind: 'relation', subject: id, predicate: localName(property), object: value }
}

function idOf(term: Term): string {
  if (term.termType === 'BlankNode') return `_:${term.value}`
  return term.termType === 'NamedNode' ? localName(term.value) : term.value
}

/** What follows the last `#` or `/`, percent-decoded, with spaces for underscores; the IRI itself if that is nothing. */
export function localName(iri: string): string {
  const end = iri.replace(/[#/]+$/, '')
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

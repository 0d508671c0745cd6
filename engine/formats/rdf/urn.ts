/**
 * The IRIs of our own N-Triples (docs/decisions/0016): `urn:safe:entity:ada%20lovelace`. The kind is followed by
 * the percent-encoded text, so that it is restored exactly.
 */
const SCHEME = 'urn:safe:'

export type UrnKind = 'entity' | 'type' | 'predicate' | 'passage' | 'statement'

/** The IRI of something without its own. */
export const urn = (kind: UrnKind, text: string) => `${SCHEME}${kind}:${encodeURIComponent(text)}`

/** Properties of a passage other than its text. */
export const PASSAGE_PROPERTIES = {
  about: 'http://purl.org/dc/terms/subject',
  title: 'http://purl.org/dc/terms/title',
  text: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#value',
  source: 'http://purl.org/dc/terms/source',
  seq: 'http://schema.org/position',
  time: 'http://purl.org/dc/terms/date',
} as const

/** The namespace of RDF. */
export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

/** Properties of a dated fact: RDF reification, its validity, and when it was learned. */
export const STATEMENT_PROPERTIES = {
  subject: `${RDF}subject`,
  predicate: `${RDF}predicate`,
  object: `${RDF}object`,
  validFrom: 'http://schema.org/startDate',
  validTo: 'http://schema.org/endDate',
  learnedOn: 'http://schema.org/dateCreated',
} as const

/** The text of an IRI of this kind, or null for any other IRI. */
export function textOfUrn(kind: UrnKind, iri: string): string | null {
  if (!iri.startsWith(SCHEME) || !iri.startsWith(kind, SCHEME.length)) return null
  const start = SCHEME.length + kind.length
  if (iri[start] !== ':') return null
  try {
    return decodeURIComponent(iri.slice(start + 1))
  } catch {
    return null
  }
}

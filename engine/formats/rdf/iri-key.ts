/**
 * The id of the thing that an IRI identifies. IRIs that differ in case are different things (RFC 3987 §5.3.1), while ids
 * are compared without case: capitals are percent-encoded, which means the same IRI (RFC 3986 §6.2.2.2).
 */
export const iriKey = (iri: string): string =>
  iri.replace(/%[\da-f]{2}|[A-Z]/gi, part =>
    /^[A-Z]$/.test(part) ? `%${part.charCodeAt(0).toString(16)}` : part.toLowerCase(),
  )

import { decodedUri } from '../../../platform/common/decoded-uri.js'
import { trimEndOf } from '../../graph/index.js'

/**
 * The part after the last `#` or `/`, percent-decoded, with spaces for underscores; the whole IRI if that is
 * empty.
 */
export function localName(iri: string): string {
  const end = trimEndOf(iri, '#/')
  const local = end.slice(Math.max(end.lastIndexOf('#'), end.lastIndexOf('/')) + 1)
  return decodedUri(local).replaceAll('_', ' ').trim() || iri
}

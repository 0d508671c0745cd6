import { decodedUri } from '../../../platform/common/decoded-uri.js'
import { normalizeName, type Parsed, trimEndOf } from '../../graph/index.js'
import { checked } from '../shared/record.js'

/** IRIs that are remembered; beyond them, things with the same local part are one again. */
const MAX = 100_000

/**
 * The ids of the things that IRIs of one file identify (ADR 9): the local part, as in other files and notes. Another IRI
 * with the same local part, or one that differs in case, is another thing; its id is then the whole IRI.
 */
export class IriNames {
  /** By the normalized local part, the IRI that it stands for. */
  readonly #owners = new Map<string, string>()
  /** Things whose id is an IRI: their local part until they are named otherwise. */
  readonly #others = new Map<string, { local: string; isNamed: boolean }>()

  idOf(iri: string): string {
    const local = localName(iri)
    const key = normalizeName(local)
    const thing = iri.replace(/^https?:/, '')
    const owner = this.#owners.get(key)
    if (owner === thing) return local
    if (owner === undefined) {
      // A copy: a substring would keep the whole file in memory.
      if (this.#owners.size < MAX) this.#owners.set(copy(key), copy(thing))
      return local
    }
    const id = iriKey(iri)
    if (!this.#others.has(id)) {
      if (this.#others.size >= MAX) return local
      this.#others.set(copy(id), { local: copy(local), isNamed: false })
    }
    return id
  }

  /** What people read instead of an id. */
  nameOf(id: string): string {
    return this.#others.get(id)?.local ?? id
  }

  named(id: string): void {
    const other = this.#others.get(id)
    if (other) other.isNamed = true
  }

  /** Names for things that nothing names, or they would be shown with their IRIs. */
  *unnamed(): Generator<Parsed> {
    for (const [id, { local, isNamed }] of this.#others)
      if (!isNamed) yield checked(1, { kind: 'entity', id, name: local })
  }
}

const copy = (text: string) => Buffer.from(text).toString()

/**
 * The id of the thing that an IRI identifies. IRIs that differ in case are different things (RFC 3987 §5.3.1), while ids
 * are compared without case: capitals are percent-encoded, which means the same IRI (RFC 3986 §6.2.2.2).
 */
export const iriKey = (iri: string): string =>
  iri.replace(/%[\da-f]{2}|[A-Z]/gi, part =>
    /^[A-Z]$/.test(part) ? `%${part.charCodeAt(0).toString(16)}` : part.toLowerCase(),
  )

/**
 * The part after the last `#` or `/`, percent-decoded, with spaces for underscores; the whole IRI if that is
 * empty.
 */
export function localName(iri: string): string {
  const end = trimEndOf(iri, '#/')
  const local = end.slice(Math.max(end.lastIndexOf('#'), end.lastIndexOf('/')) + 1)
  return decodedUri(local).replaceAll('_', ' ').trim() || iri
}

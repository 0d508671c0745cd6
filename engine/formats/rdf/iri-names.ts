import { decodedUri } from '../../../platform/common/decoded-uri.js'
import { normalizeName, type Parsed, trimEndOf } from '../../graph/index.js'
import { checked } from '../shared/record.js'

/** Maximum IRIs stored; beyond them, IRIs with the same local part are merged. */
const MAX = 100_000

/**
 * Assigns ids to the IRIs of one file (ADR 9): the local part, as in other files and notes. A different IRI with the
 * same local part, or one that differs in case, is a different entity whose id is the whole IRI.
 */
export class IriNames {
  /** IRIs by their normalized local part. */
  readonly #owners = new Map<string, string>()
  /** Entities whose id is an IRI: their local part, and whether they have a name. */
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

  /** The name shown instead of an id. */
  nameOf(id: string): string {
    return this.#others.get(id)?.local ?? id
  }

  named(id: string): void {
    const other = this.#others.get(id)
    if (other) other.isNamed = true
  }

  /** Adds names for entities without one, which would be shown as IRIs. */
  *unnamed(): Generator<Parsed> {
    for (const [id, { local, isNamed }] of this.#others)
      if (!isNamed) yield checked(1, { kind: 'entity', id, name: local })
  }
}

const copy = (text: string) => Buffer.from(text).toString()

/**
 * The id of an IRI's entity. IRIs that differ in case are different (RFC 3987 §5.3.1), but ids are compared without
 * case: capital letters are percent-encoded, which is an equivalent IRI (RFC 3986 §6.2.2.2).
 */
export const iriKey = (iri: string): string =>
  iri.replace(/%[\da-f]{2}|[A-Z]/gi, part =>
    /^[A-Z]$/.test(part) ? `%${part.charCodeAt(0).toString(16)}` : part.toLowerCase(),
  )

/**
 * The part after the last `#` or `/`, percent-decoded, with spaces for underscores; the whole IRI if that part
 * is empty.
 */
export function localName(iri: string): string {
  const end = trimEndOf(iri, '#/')
  const local = end.slice(Math.max(end.lastIndexOf('#'), end.lastIndexOf('/')) + 1)
  return decodedUri(local).replaceAll('_', ' ').trim() || iri
}

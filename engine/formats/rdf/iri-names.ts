import { normalizeName, type Parsed } from '../../graph/index.js'
import { checked } from '../shared/record.js'
import { iriKey } from './iri-key.js'
import { localName } from './local-name.js'

/** IRIs that are remembered; beyond them, things with the same local part are one again. */
const MOST = 100_000

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
      if (this.#owners.size < MOST) this.#owners.set(copy(key), copy(thing))
      return local
    }
    const id = iriKey(iri)
    if (!this.#others.has(id)) {
      if (this.#others.size >= MOST) return local
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

import { findString, stringAt } from '../collections/strings.js'
import type { SafeIndex } from '../index/safe-index.js'

/** Turns entities into keys, and remembers for each key the import whose row gives its name. */
export class Keys {
  readonly naming = new Map<string, number>()
  readonly #index: SafeIndex

  constructor(index: SafeIndex) {
    this.#index = index
  }

  of(entity: number): string {
    const key = stringAt(this.#index.entities, entity)
    const importId = this.#index.namedIn[entity] ?? 0
    if (importId > 0) this.naming.set(key, importId)
    return key
  }

  /** The key itself. */
  known(key: string): string {
    const entity = findString(this.#index.entities, key)
    return entity < 0 ? key : this.of(entity)
  }
}

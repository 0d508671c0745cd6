import { itemsOf } from '../collections/groups.js'
import { stringAt } from '../collections/strings.js'
import type { SafeIndex } from '../index/safe-index.js'
import { words } from '../text/text.js'

/** Entities of one name that are compared. More are as different as the senses of a word. */
const NAMESAKES = 4

/** Which entities have a name or an alias, for names of the dictionary. */
export class NamedEntities {
  readonly #index: SafeIndex
  /** Entity → its names and aliases, up to 255. */
  readonly #names: Uint8Array

  constructor(index: SafeIndex) {
    this.#index = index
    this.#names = new Uint8Array(index.entities.size)
    for (const item of index.dictionary.meanings.items) {
      const [entity, names] = [item >>> 1, this.#names[item >>> 1]]
      if ((item & 1) === 0 && names !== undefined && names < 255) this.#names[entity] = names + 1
    }
  }

  /** The entities that are called so; none if they are too many, or if it is an id. */
  of(name: number): number[] {
    const { dictionary, isNamed } = this.#index
    const found: number[] = []
    for (const item of itemsOf(dictionary.meanings, name)) {
      const entity = item >>> 1
      if ((item & 1) === 1 || isNamed[entity] !== 1 || this.#isId(entity, name)) continue
      found.push(entity)
      if (found.length > NAMESAKES) return []
    }
    return found
  }

  /** Whether the name is the entity's key. */
  isKey(entity: number, name: number): boolean {
    const { dictionary, entities } = this.#index
    return words(stringAt(entities, entity)).join(' ') === stringAt(dictionary.phrases, name)
  }

  /** "dog.n.01" of a thing that is called "dog". */
  #isId(entity: number, name: number): boolean {
    const hasOthers = (this.#names[entity] ?? 0) > 1
    return hasOthers && /\d/.test(stringAt(this.#index.dictionary.phrases, name)) && this.isKey(entity, name)
  }
}

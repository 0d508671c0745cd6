import type { Pause } from '../collections/pause.js'
import { orderOf, StringsBuilder } from '../collections/strings.js'
import { Uint32List } from '../collections/uint32-list.js'
import type { Language } from '../text/languages/language.js'
import { words } from '../text/text.js'
import { DictionaryBuilder } from './dictionary.js'
import type { Layers } from './layers.js'
import { Identities, mergedKeys } from './merged.js'
import type { IndexData } from './safe-index.js'
import { textIndexOf } from './text-index-builder.js'

type Entities = Pick<
  IndexData,
  'entities' | 'byKey' | 'types' | 'typeOf' | 'namedIn' | 'merged' | 'dictionary' | 'names' | 'nameOf'
>

/** Entities with their types and names, merged ones as one. */
export class EntitiesBuilder {
  readonly dictionary = new DictionaryBuilder()
  readonly #layers: Layers
  /** Merged key → the key that replaces it. */
  readonly #roots: ReadonlyMap<string, string>
  readonly #entities = new StringsBuilder()
  /** Text of the layers → entity with this key + 1, type. */
  readonly #entityOf: Uint32Array
  readonly #typeNumberOf: Uint32Array
  readonly #types = new StringsBuilder()
  readonly #typeOf = new Uint32List()
  /** Import × 2 + (1 if its name differs from the key). */
  readonly #namedIn = new Uint32List()
  readonly #mergedNamedIn = new Map<string, number>()
  /** Names as written; stemmed at the end, when the Safe's languages are known. */
  readonly #names = new StringsBuilder()
  readonly #nameText = new Uint32List()
  readonly #nameOf = new Uint32List()

  constructor(layers: Layers) {
    this.#layers = layers
    this.#roots = rootsOf(layers)
    const { size } = layers.texts
    this.#entityOf = new Uint32Array(size)
    this.#typeNumberOf = new Uint32Array(size)
    this.#types.add('')
  }

  get size(): number {
    return this.#entities.size
  }

  /** The entity with this key, or -1. */
  find(key: string): number {
    return this.#entities.find(this.#roots.get(key) ?? key)
  }

  async addEntities(pause: Pause): Promise<void> {
    for (const { importId, numbers } of this.#layers.entities) {
      for (let at = 0; at < numbers.length; at += 4) {
        const [key, type, isStated] = [numbers[at] ?? 0, numbers[at + 2] ?? 0, numbers[at + 3] ?? 0]
        const entity = this.#numberOf(key)
        if (type > 0 && this.#typeOf.at(entity) === 0) this.#typeOf.set(entity, this.#typeNumber(type - 1))
        const text = isStated === 1 || this.#roots.size > 0 ? this.#layers.texts.at(key) : ''
        const isMerged = this.#roots.has(text)
        const known = isMerged ? (this.#mergedNamedIn.get(text) ?? 0) : this.#namedIn.at(entity)
        // A name that only repeats the key is replaced by one that an import states.
        if ((known & 1) === 0 && isMerged) this.#mergedNamedIn.set(text, importId * 2 + isStated)
        else if ((known & 1) === 0) this.#namedIn.set(entity, importId * 2 + isStated)
        this.#addName(entity, this.#layers.texts.at(numbers[at + 1] ?? 0))
        if (isStated === 1) this.#addName(entity, text)
        if (pause.due()) await pause.rest()
      }
    }
  }

  async addAliases(pause: Pause): Promise<void> {
    for (const { numbers } of this.#layers.aliases) {
      for (let at = 0; at < numbers.length; at += 2) {
        const entity = this.known(numbers[at] ?? 0)
        const alias = this.#layers.texts.at(numbers[at + 1] ?? 0)
        if (this.dictionary.addPhrase(entity, words(alias))) this.#addNameText(entity, alias)
        if (pause.due()) await pause.rest()
      }
    }
  }

  /**
   * The entity with this key, created with the key as its name if no row names it (the end of a dangling
   * relation).
   */
  known(key: number): number {
    const { size } = this.#entities
    const entity = this.#numberOf(key)
    if (entity === size) this.#addName(entity, this.#layers.texts.at(key))
    return entity
  }

  /** The entity with this key, or the one that it was merged with. */
  numbered(key: string): number {
    const entity = this.#entities.add(this.#roots.get(key) ?? key)
    if (entity === this.#typeOf.length) {
      this.#typeOf.push(0)
      this.#namedIn.push(0)
    }
    return entity
  }

  /** `named`: how many entities are named by rows, which come before those that are only mentioned. */
  async build(named: number, languages: readonly Language[], pause: Pause): Promise<Entities> {
    const entities = this.#entities.build()
    const nameAt = (at: number) => this.#names.at(this.#nameText.at(at))
    return {
      entities,
      byKey: orderOf(entities, named),
      types: this.#types.build(),
      typeOf: this.#typeOf.toArray(),
      namedIn: this.#namedIn.toArray().map(value => value >>> 1),
      merged: mergedKeys(
        this.#roots,
        key => (this.#mergedNamedIn.get(key) ?? 0) >>> 1,
        root => this.#entities.find(root),
      ),
      dictionary: await this.dictionary.build(pause),
      names: await textIndexOf(languages, this.#nameText.length, nameAt, pause),
      nameOf: this.#nameOf.toArray(),
    }
  }

  /** The entity with this key, a text of the layers. */
  #numberOf(key: number): number {
    const known = this.#entityOf[key] ?? 0
    if (known > 0) return known - 1
    const entity = this.numbered(this.#layers.texts.at(key))
    this.#entityOf[key] = entity + 1
    return entity
  }

  #typeNumber(type: number): number {
    const known = this.#typeNumberOf[type] ?? 0
    if (known > 0) return known
    const number = this.#types.add(this.#layers.texts.at(type))
    this.#typeNumberOf[type] = number
    return number
  }

  #addName(entity: number, name: string): void {
    const folded = words(name)
    if (this.dictionary.addName(entity, name, folded)) this.#addNameText(entity, name)
  }

  #addNameText(entity: number, name: string): void {
    this.#nameText.push(this.#names.add(name))
    this.#nameOf.push(entity)
  }
}

/** Merged key → the key that replaces it. */
function rootsOf({ identities: pieces, texts }: Layers): Map<string, string> {
  const identities = new Identities()
  for (const { numbers } of pieces)
    for (let at = 0; at < numbers.length; at += 2)
      identities.add({ key: texts.at(numbers[at] ?? 0), sameAs: texts.at(numbers[at + 1] ?? 0) })
  return identities.resolve()
}

import { type EntityRow, normalizeName } from '../../../engine/graph/index.js'
import { HashTables } from '../hash-tables.js'

/** The imports that name entities and set their types. */
interface Origin {
  name: number
  /** 0: none. */
  type: number
}

/** The numbers of an entity. Its name: import × 2 + (1 if the name differs from the key). */
const NAME = 0
const TYPE = 1

/**
 * Which imports set each entity's name and type, as answers show them (`SafeIndex.namedIn`): two rows are
 * enough, however many imports describe it. About 30 bytes per entity.
 */
export class EntityOrigins {
  readonly #tables = new HashTables(2)

  /** Takes rows of imports, the oldest first, and keeps the first name that differs from the key, and the first type. */
  add({ importId, key, name, type }: EntityRow): void {
    const [table, hash] = this.#tables.placeOf(key)
    const at = table.add(hash)
    const isStated = table.number(NAME, at) % 2 === 1
    if (!isStated) table.setNumber(NAME, at, importId * 2 + Number(normalizeName(name) !== key))
    if (type !== null && table.number(TYPE, at) === 0) table.setNumber(TYPE, at, importId)
  }

  /** Null when there is no row of this entity. */
  of(key: string): Origin | null {
    const [table, hash] = this.#tables.placeOf(key)
    const at = table.find(hash)
    return at === -1 ? null : { name: Math.floor(table.number(NAME, at) / 2), type: table.number(TYPE, at) }
  }
}

import { findEntity } from '../index/merged.js'
import type { SafeIndex } from '../index/safe-index.js'
import type { Keys } from './keys.js'
import { type Neighbours, neighbourhoodOf } from './neighbours.js'
import { typeName } from './things.js'

/** What a picture of two rings around an entity shows. */
interface Around extends Neighbours {
  key: string
  type: string | null
}

/** Null when there is no entity with this key. */
export function around(index: SafeIndex, keys: Keys, { key }: { key: string }): Around | null {
  const entity = findEntity(index, key)
  if (entity < 0 || index.isNamed[entity] !== 1) return null
  return {
    key: keys.of(entity),
    type: typeName(index, entity),
    ...neighbourhoodOf(index, keys, entity, true),
  }
}

import { lowerBound } from '../collections/search.js'
import { findString, type Strings, StringsBuilder, stringAt } from '../collections/strings.js'
import type { IdentityRow } from '../model.js'

/**
 * Which keys are replaced by others (ADR 56). The last statement about a key counts, so that a later import can merge
 * entities differently, or take them apart.
 */
export class Identities {
  /** Key → the one that it is the same as, in the order of the statements. */
  readonly #sameAs = new Map<string, string>()

  /** Takes rows of imports, the oldest first. */
  add({ key, sameAs }: Pick<IdentityRow, 'key' | 'sameAs'>): void {
    this.#sameAs.delete(key)
    if (sameAs !== key) this.#sameAs.set(key, sameAs)
  }

  /** Merged key → the key that replaces it. Where statements form a circle, the oldest of them is left out. */
  resolve(): Map<string, string> {
    const roots = new Map<string, string>()
    for (const [key, sameAs] of [...this.#sameAs].reverse())
      if (rootOf(roots, sameAs) !== key) roots.set(key, sameAs)
    const found = Array.from(this.#sameAs.keys(), key => [key, rootOf(roots, key)] as const)
    return new Map(found.filter(([key, root]) => key !== root))
  }
}

/** The last key on the way from a key. All keys on the way are then set to it. */
function rootOf(next: Map<string, string>, start: string): string {
  let root = start
  for (let key = next.get(start); key !== undefined; key = next.get(key)) root = key
  for (let key = start; key !== root; ) {
    const after = next.get(key) ?? root
    next.set(key, root)
    key = after
  }
  return root
}

/** The keys replaced by others since their entities were merged (ADR 56), in the order of these entities. */
export interface Merged {
  keys: Strings
  /** The entity of each key. */
  entity: Uint32Array
  /** The import whose row gives its name; 0 = none. */
  namedIn: Uint32Array
}

/** The entity with this key, or the one it was merged into; -1 if there is none. */
export function findEntity({ entities, merged }: { entities: Strings; merged: Merged }, key: string): number {
  const entity = findString(entities, key)
  if (entity >= 0 || merged.keys.size === 0) return entity
  const place = findString(merged.keys, key)
  return place < 0 ? -1 : (merged.entity[place] ?? -1)
}

/** A merged key, and the import whose row gives its name. */
export interface MergedKey {
  key: string
  importId: number
}

/** At most `most` keys that were merged into an entity and still occur in the Safe. */
export function mergedInto({ keys, entity: of, namedIn }: Merged, entity: number, most: number): MergedKey[] {
  const found: MergedKey[] = []
  for (let place = lowerBound(of, entity); of[place] === entity && found.length < most; place++) {
    const importId = namedIn[place] ?? 0
    if (importId > 0) found.push({ key: stringAt(keys, place), importId })
  }
  return found
}

/** The merged keys of a Safe. `roots`: the key that replaces each; `entityOf`: the entity of a key, or -1. */
export function mergedKeys(
  roots: ReadonlyMap<string, string>,
  namedIn: (key: string) => number,
  entityOf: (root: string) => number,
): Merged {
  const found = [...roots]
    .map(([key, root]) => ({ key, entity: entityOf(root) }))
    .filter(({ entity }) => entity >= 0)
    .sort((a, b) => a.entity - b.entity || (a.key < b.key ? -1 : 1))
  const keys = new StringsBuilder()
  for (const { key } of found) keys.add(key)
  return {
    keys: keys.build(),
    entity: Uint32Array.from(found, ({ entity }) => entity),
    namedIn: Uint32Array.from(found, ({ key }) => namedIn(key)),
  }
}

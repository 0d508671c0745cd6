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

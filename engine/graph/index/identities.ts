import type { IdentityRow } from '../model.js'

/**
 * Which keys stand for other entities (ADR 56). The last statement about a key counts, so that a later import can
 * merge entities differently, or take them apart.
 */
export class Identities {
  /** Key → the one that it is the same as, in the order of the statements. */
  readonly #sameAs = new Map<string, string>()

  /** Takes rows of imports, the oldest first. */
  add({ key, sameAs }: Pick<IdentityRow, 'key' | 'sameAs'>): void {
    this.#sameAs.delete(key)
    if (sameAs !== key) this.#sameAs.set(key, sameAs)
  }

  /** Merged key → the key that stands for it. Where statements form a circle, the oldest of them is left out. */
  resolve(): Map<string, string> {
    const order = new Map([...this.#sameAs.keys()].map((key, at) => [key, at]))
    const roots = new Map<string, string>()
    for (const start of this.#sameAs.keys()) {
      const way = this.#wayFrom(start, roots)
      const last = way.at(-1) ?? start
      const circle = way.slice(way.indexOf(last), -1)
      const oldest = (one: string, other: string) =>
        (order.get(one) ?? 0) < (order.get(other) ?? 0) ? one : other
      const root = circle.length > 0 ? circle.reduce(oldest) : (roots.get(last) ?? last)
      for (const key of way) if (key !== root) roots.set(key, root)
    }
    return roots
  }

  /** The keys from here up to one that is resolved, that stands for itself, or that was met before. */
  #wayFrom(start: string, roots: ReadonlyMap<string, string>): string[] {
    const way = [start]
    const met = new Set(way)
    for (let key = start; !roots.has(key); ) {
      const next = this.#sameAs.get(key)
      if (next === undefined) break
      way.push(next)
      if (met.has(next)) break
      met.add(next)
      key = next
    }
    return way
  }
}

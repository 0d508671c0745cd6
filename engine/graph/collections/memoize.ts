/** Limits of the cache: words, and letters of a word. Questions repeat words. */
const REMEMBERED = 4_000
const MAX_LENGTH = 30

/** Caches the result of a function for recent words. */
export function memoize<T extends NonNullable<unknown>>(workOut: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>()
  return word => {
    const before = known.get(word)
    if (before !== undefined) return before
    const found = workOut(word)
    if (word.length > MAX_LENGTH) return found
    if (known.size >= REMEMBERED) known.clear()
    // A copy: a substring would keep the whole text in memory.
    known.set(Buffer.from(word).toString(), found)
    return found
  }
}

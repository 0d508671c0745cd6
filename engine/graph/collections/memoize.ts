/** Caches the result of a function for `most` recent words of up to `longest` letters. Questions repeat words. */
export function memoize<T extends NonNullable<unknown>>(
  workOut: (word: string) => T,
  { most = 4_000, longest = 30 }: { most?: number | undefined; longest?: number } = {},
): (word: string) => T {
  const known = new Map<string, T>()
  return word => {
    const before = known.get(word)
    if (before !== undefined) return before
    const found = workOut(word)
    if (word.length > longest) return found
    if (known.size >= most) known.clear()
    // A copy: a substring would keep the whole text in memory.
    known.set(Buffer.from(word).toString(), found)
    return found
  }
}

/** Words that are remembered, and letters of the longest of them: questions repeat words. */
const remembered = 4_000
const longest = 30

/** What a word comes to, worked out once for each of the latest words. */
export function remembering<T extends NonNullable<unknown>>(
  workOut: (word: string) => T,
): (word: string) => T {
  const known = new Map<string, T>()
  return word => {
    const before = known.get(word)
    if (before !== undefined) return before
    const found = workOut(word)
    if (word.length > longest) return found
    if (known.size >= remembered) known.clear()
    // A copy: a part of a text keeps all of the text in memory.
    known.set(Buffer.from(word).toString(), found)
    return found
  }
}

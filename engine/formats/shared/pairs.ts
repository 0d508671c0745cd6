/** Parses pairs of words: `MO Monday TU Tuesday`. */
export function pairs(text: string): ReadonlyMap<string, string> {
  const found = text.split(/\s+/)
  return new Map(found.flatMap((word, at) => (at % 2 === 0 ? [[word, found[at + 1] ?? '']] : [])))
}

export const TYPO_DEFINITION = [
  'One typo in every long name: in each run of capitalised words behind the first word of the question that has 6',
  'letters or more, one edit (two neighbours swapped, a letter dropped, doubled or replaced; random, seeded) inside its',
  'longest word, never at its first letter.',
]

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** After the first word. */
const NAME = /(?<=\S\s+)\p{Lu}\S*(?:\s+\p{Lu}\S*)*/gu

/** The question with a typo in every long name; the same seed makes the same typos. */
export function withTypos(question: string, random: () => number): string {
  return question.replace(NAME, run => {
    if ((run.match(/\p{L}/gu) ?? []).length < 6) return run
    const longest = (run.match(/\p{L}+/gu) ?? []).reduce((best, word) =>
      word.length > best.length ? word : best,
    )
    return longest.length < 3 ? run : run.replace(longest, edited(longest, random))
  })
}

/** The word with one edit inside it. */
function edited(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2))
  const [before, letter, next, after] = [
    word.slice(0, at),
    word[at] ?? '',
    word[at + 1] ?? '',
    word.slice(at + 2),
  ]
  switch (Math.floor(random() * 4)) {
    case 0:
      return letter === next ? before + next + after : before + next + letter + after
    case 1:
      return before + next + after
    case 2:
      return before + letter + letter + next + after
    default: {
      const other = LETTERS[Math.floor(random() * 26)] ?? 'x'
      return before + (other === letter.toLowerCase() ? 'x' : other) + next + after
    }
  }
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

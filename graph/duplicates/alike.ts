/** Why two names may be of one thing. */
export type Likeness =
  /** The same name, or names of the same letters: "Lens Restoration", "LensRestoration". */
  | 'letters'
  /** The same words in another order: "Lindqvist, Jonas". */
  | 'order'
  /** Words that are cut to their first letters: "J. Lindqvist". */
  | 'initials'
  /** A word in the middle that only one of them has: "Jonas E. Lindqvist". */
  | 'middle'
  /** "Lighthouse", "Lighthouses". */
  | 'plural'
  /** One letter that differs, is missing, or has changed places with the next. */
  | 'spelling'
  /** The first letters of the other's words: "WHO". */
  | 'acronym'

/** How likely names that are alike in this way are of one thing, without other signs: 0 … 1. */
const WORTH: Record<Exclude<Likeness, 'spelling'>, number> = {
  letters: 0.9,
  order: 0.8,
  initials: 0.5,
  middle: 0.5,
  plural: 0.55,
  acronym: 0.3,
}

/** Letters of a name in which one different letter may be an error of writing, from the shortest on. */
const SPELLING: readonly [letters: number, worth: number][] = [
  [14, 0.6],
  [10, 0.5],
  [6, 0.3],
]

/** Compares two names, given as folded words. Null when they are not alike. Takes time in proportion to their length. */
export function alike(
  one: readonly string[],
  other: readonly string[],
): { how: Likeness; worth: number } | null {
  // "Chapter 1" and "Chapter 2" are as different as names can be.
  if (numbersOf(one) !== numbersOf(other)) return null
  const how = wordsAlike(one, other)
  if (how) return { how, worth: WORTH[how] }
  const worth = spelledAlike(one, other)
  return worth > 0 ? { how: 'spelling', worth } : null
}

const numbersOf = (words: readonly string[]) => words.join(' ').match(/\d+/g)?.join(' ') ?? ''

function wordsAlike(one: readonly string[], other: readonly string[]): Exclude<Likeness, 'spelling'> | null {
  if (one.join('') === other.join('')) return 'letters'
  if (one.length > 1 && sorted(one) === sorted(other)) return 'order'
  if (singular(one.join('')) === singular(other.join(''))) return 'plural'
  if (acronymOf(one) === other.join('') || acronymOf(other) === one.join('')) return 'acronym'
  const [a, b] = [initialFirst(one), initialFirst(other)]
  if (areInitials(a, b)) return 'initials'
  return isWithoutMiddle(a, b) || isWithoutMiddle(b, a) ? 'middle' : null
}

export const sorted = (words: readonly string[]) => words.toSorted().join(' ')

/** "lindqvist j" as "j lindqvist". */
export function initialFirst(words: readonly string[]): readonly string[] {
  const [last] = words.slice(-1)
  return words.length > 1 && last?.length === 1 && (words[0]?.length ?? 0) > 1
    ? [last, ...words.slice(0, -1)]
    : words
}

/** Without a plural "s" at the end. */
export function singular(letters: string): string {
  if (letters.length < 4) return letters
  if (letters.endsWith('ies')) return `${letters.slice(0, -3)}y`
  if (/(?:ch|sh|x|ss|z)es$/.test(letters)) return letters.slice(0, -2)
  return /[^sui]s$/.test(letters) ? letters.slice(0, -1) : letters
}

/** The first letters of at least three words. */
export const acronymOf = (words: readonly string[]): string | null =>
  words.length > 2 ? words.map(([first = '']) => first).join('') : null

/** As many words, of which the last is equal and others may be initials. */
function areInitials(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length || one.length < 2) return false
  const [last = ''] = one.slice(-1)
  if (last.length < 3 || last !== other.at(-1)) return false
  return one.every((word, at) => isInitial(word, other[at] ?? ''))
}

const isInitial = (one: string, other: string) =>
  one === other ||
  (one.length === 1 && other.startsWith(one)) ||
  (other.length === 1 && one.startsWith(other))

/** Whether the shorter one has the same first and last words, or initials of them, and fewer in between. */
function isWithoutMiddle(shorter: readonly string[], longer: readonly string[]): boolean {
  const [first = '', last = ''] = [shorter[0], shorter.at(-1)]
  if (shorter.length !== 2 || longer.length !== 3 || last.length < 3) return false
  const [longFirst = '', middle = '', longLast] = longer
  // "University of Oxford" is not "University Oxford", and initials alone say too little.
  return (
    last === longLast && first === longFirst && first.length > 1 && (middle.length === 1 || middle.length > 3)
  )
}

/** What it is worth that the names differ by one letter; 0 if they do not, or if they are too short to tell. */
function spelledAlike(one: readonly string[], other: readonly string[]): number {
  if (one.length !== other.length) return 0
  const [a, b] = [one.join(' '), other.join(' ')]
  const shortest = Math.min(a.length, b.length)
  const worth = SPELLING.find(([letters]) => shortest >= letters)?.[1] ?? 0
  if (worth === 0 || !isOneEdit(a, b)) return 0
  const at = one.findIndex((word, place) => word !== other[place])
  const [word = '', written = ''] = [one[at], other[at]]
  // Short words that differ by a letter are other words, and so are most that begin with another one.
  if (Math.min(word.length, written.length) < 4) return 0
  return word[0] === written[0] ? worth : worth - 0.25
}

/** Whether one letter was inserted, left out, replaced, or has changed places with the next. */
export function isOneEdit(one: string, other: string): boolean {
  if (one.length > other.length) return isOneEdit(other, one)
  if (other.length - one.length > 1) return false
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  if (one.length < other.length) return one.slice(at) === other.slice(at + 1)
  if (one.slice(at + 1) === other.slice(at + 1)) return true
  return one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2)
}

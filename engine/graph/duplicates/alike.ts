/** Why two names may be of one thing. */
export type Likeness =
  /** One is called exactly like the other. */
  | 'name'
  /** Names of the same letters: "Lens Restoration", "LensRestoration". */
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

export interface Alike {
  how: Likeness
  /** How likely it is that they are one, without other signs: 0 … 1. */
  worth: number
}

/**
 * Compares two names with the same numbers, given as folded words separated by blanks. Null when they are not alike in this
 * way.
 */
export type Comparison = (one: string, other: string) => Alike | null

/** Names with the same letters, or one is the plural or an acronym of the other. */
export const byLetters: Comparison = (one, other) => {
  const [a, b] = [joined(one), joined(other)]
  if (a === b) return { how: 'letters', worth: 0.9 }
  if (singular(a) === singular(b)) return { how: 'plural', worth: 0.55 }
  const isAcronym = acronymOf(one.split(' ')) === b || acronymOf(other.split(' ')) === a
  return isAcronym ? { how: 'acronym', worth: 0.3 } : null
}

/** Names with the same words in another order. */
export const byOrder: Comparison = (one, other) =>
  one !== other && sorted(one.split(' ')) === sorted(other.split(' ')) ? { how: 'order', worth: 0.8 } : null

/** Names with the same last word and the same first letter. */
export const byInitials: Comparison = (one, other) => {
  const [a, b] = [initialFirst(one.split(' ')), initialFirst(other.split(' '))]
  if (areInitials(a, b)) return { how: 'initials', worth: 0.5 }
  const middle = middleOf(a, b) ?? middleOf(b, a)
  if (middle === null) return null
  return { how: 'middle', worth: middle.length === 1 ? 0.5 : 0.35 }
}

/** Letters of a name in which one different letter may be an error of writing, from the longest on. */
const SPELLING: readonly [letters: number, worth: number][] = [
  [14, 0.6],
  [10, 0.5],
  [6, 0.3],
]

/** Names that differ by one letter in one word, if they are long enough for that to be a slip. */
export const bySpelling: Comparison = (one, other) => {
  const shortest = Math.min(one.length, other.length)
  const known = SPELLING.find(([letters]) => shortest >= letters)?.[1]
  if (known === undefined || !isOneEdit(one, other)) return null
  const [words, others] = [one.split(' '), other.split(' ')]
  if (words.length !== others.length) return null
  const at = words.findIndex((word, place) => word !== others[place])
  const [word = '', written = ''] = [words[at], others[at]]
  // Short words that differ by a letter are other words.
  if (Math.min(word.length, written.length) < 4 || isNumeral(word)) return null
  // So are most words with another first or last letter ("league", "leaguer"), and most single words.
  const isInside = word[0] === written[0] && word.at(-1) === written.at(-1)
  return { how: 'spelling', worth: known - (isInside ? 0 : 0.2) - (words.length > 1 ? 0 : 0.2) }
}

/** A name without its spaces. */
export const joined = (name: string) => name.replaceAll(' ', '')

/** Words in alphabetical order, as one text to compare. */
export const sorted = (words: readonly string[]) => words.toSorted().join(' ')

const DIGITS = /\d+/g

/** "Chapter 1" and "Chapter 2" are as different as names can be. */
export function haveSameNumbers(one: string, other: string): boolean {
  const [a, b] = [one.match(DIGITS), other.match(DIGITS)]
  return a === b || a?.join(' ') === b?.join(' ')
}

/** "Otto II" and "Otto IV" are two. */
const isNumeral = (word: string) => /^[ivxl]+$/.test(word)

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

/** The same number of words: the last is equal, others may be initials. */
function areInitials(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length || one.length < 2) return false
  const [last = ''] = one.slice(-1)
  if (last.length < 3 || last !== other.at(-1)) return false
  return one.every((word, at) => isInitial(word, other[at] ?? ''))
}

function isInitial(one: string, other: string): boolean {
  if (one === other) return true
  if (isNumeral(one) && isNumeral(other)) return false
  return (one.length === 1 && other.startsWith(one)) || (other.length === 1 && one.startsWith(other))
}

/** The middle one of three words, if the other name has only the first and the last. */
function middleOf(shorter: readonly string[], longer: readonly string[]): string | null {
  if (shorter.length !== 2 || longer.length !== 3) return null
  const [[first = '', last = ''], [longFirst, middle = '', longLast]] = [shorter, longer]
  // "University of Oxford" is not "University Oxford", and initials alone say too little.
  const isSame = last === longLast && last.length > 2 && first === longFirst && first.length > 1
  return isSame && !isNumeral(middle) && (middle.length === 1 || middle.length > 3) ? middle : null
}

/** Whether one letter was inserted, left out, replaced, or has changed places with the next. */
export function isOneEdit(one: string, other: string): boolean {
  if (one.length > other.length) return isOneEdit(other, one)
  if (other.length - one.length > 1) return false
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  if (one.length < other.length) return one.slice(at) === other.slice(at + 1)
  if (at === one.length) return false
  if (one.slice(at + 1) === other.slice(at + 1)) return true
  return one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2)
}

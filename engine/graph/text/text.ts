import { normalForm } from '../../../platform/common/normal-form.js'
import { WORDS } from './languages/words.js'

/** A word and its position in the text (UTF-16 offsets). */
export interface Word {
  text: string
  start: number
  end: number
}

// Accents of Latin, Greek and Cyrillic, Hebrew points, Arabic vowel signs. Not all of \p{M}: in Indic and
// South-East Asian scripts vowel signs are letters, and without them different names would be equal.
const ACCENTS =
  /(?:[\u0300-\u036f]|[\u0591-\u05bd\u05bf\u05c1\u05c2]|[\u064b-\u065f\u0670]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff])/g
// Soft hyphen, zero-width space, byte order mark, direction marks: names that look the same must be equal.
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g
/** Like `accents`, but й and ў, ї remain letters of their own; ё becomes е. Decomposed. */
const SEARCH_ACCENTS = new RegExp(
  `(?<!\\u0438|\\u0443)\\u0306|(?<!\\u0456)\\u0308|(?![\\u0306\\u0308])${ACCENTS.source}`,
  'g',
)
/** Letters with several spellings and no decomposition. Tatweel only stretches a word. */
const VARIANTS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i', ς: 'σ' },
  ...{ ة: 'ه', ى: 'ي', ی: 'ي', ک: 'ك', ـ: '', ٱ: 'ا' },
}
const VARIANT = new RegExp(`[${Object.keys(VARIANTS).join('')}]`, 'gu')
/** Digits of non-Latin scripts. */
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu
const LONE_SURROGATES = /\p{Surrogate}/gu
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/

/**
 * The identity of an entity (GRAPH §1): its name without case, accents and differences of white space and
 * form.
 */
export function normalizeName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase()
  const folded = fold(name).replace(/\s+/g, ' ').trim()
  return folded === '' ? name.trim() : folded
}

function fold(text: string, marks = ACCENTS): string {
  const plainer = normalForm(text, 'NFKD').toLowerCase().replace(marks, '').replace(INVISIBLE, '')
  // Normalizes again, because characters between marks may have been removed.
  return normalForm(plainer, 'NFC').replace(LONE_SURROGATES, '\ufffd')
}

// Scripts written without spaces: each character (with its signs) is a word, so that names of up to ten
// characters can be linked and longer texts still match.
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const LETTER = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}])`
const WORD_PATTERN = new RegExp(
  `[${UNSPACED}]\\p{M}*|${LETTER}(?:${LETTER}|\\p{M}|['\u2019](?=\\p{L}))*|\\p{Extended_Pictographic}`,
  'gu',
)

const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')

/** A text in lower case, each letter at its place: only the lower case of İ is longer than the letter. */
export const lowerCase = (text: string): string =>
  (text.includes('İ') ? text.replaceAll('İ', 'i') : text).toLowerCase()

/** Whether two words are adjacent in a script without spaces, where word boundaries are unknown. */
export function arePair(first: Word | undefined, second: Word): boolean {
  return (
    first !== undefined && first.end === second.start && isUnspaced(first.text) && isUnspaced(second.text)
  )
}

function isUnspaced(word: string): boolean {
  return word.charCodeAt(0) >= 0x0e00 && STARTS_UNSPACED.test(word)
}

/** "l’eau", "dell'arte": elided articles and prepositions of Romance languages are separate words. */
const ELISION =
  /^([cdjlmnstç]|qu|jusqu|lorsqu|puisqu|quoiqu|gl|un|(?:quest|quell|bell|sant|anch|dov|com|cos|tutt)|(?:d|n|s)?(?:all|ell|ull)|coll)['\u2019](?=\p{L}{2})/iu

const APOSTROPHE = /['\u2019]/

/** The words of a text as written, in order. */
export function wordsAt(text: string): Word[] {
  const words: Word[] = []
  const mayElide = APOSTROPHE.test(text)
  const pattern = ASCII.test(text) ? ASCII_WORDS : WORD_PATTERN
  // `matchAll` would copy the pattern for each text.
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const { 0: word, index } = found
    const end = index + word.length
    const elided = mayElide ? ELISION.exec(word)?.[1] : undefined
    if (elided === undefined) words.push({ text: word, start: index, end })
    else {
      const start = index + elided.length + 1
      words.push({ text: elided, start: index, end: start - 1 }, { text: text.slice(start, end), start, end })
    }
  }
  return words
}

/**
 * Folds a word for search, merging spellings of letters. Only indexes contain such words and are rebuilt when
 * this changes; keys of entities are in databases, so `normalizeName` must not change.
 */
function foldForSearch(word: string): string {
  const folded = fold(word, SEARCH_ACCENTS)
  return ASCII.test(folded)
    ? folded
    : folded.replace(VARIANT, letter => VARIANTS[letter] ?? letter).replace(OTHER_DIGIT, asciiDigit)
}

/** Unicode digits are in runs of ten that begin with zero. */
function asciiDigit(digit: string): string {
  let zero = digit.codePointAt(0) ?? 0
  const code = zero
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return String(code - zero)
}

/** A word in dictionary form: folded, and without the possessive ("Ada’s" → "ada"). */
export function foldWord(word: string): string {
  const folded = PLAIN.test(word) ? word.toLowerCase() : foldForSearch(word)
  return folded.replace(/['\u2019]s?$/, '').replace(/['\u2019]/g, '') || folded
}

const ASCII_WORD = /[a-z0-9]+/g
const ASCII_WORDS = /[A-Za-z0-9]+(?:'[A-Za-z]+)*/g
const ASCII = /^\p{ASCII}*$/u

/** The folded words of a text, in order. */
export function words(text: string): string[] {
  if (ASCII.test(text) && !text.includes("'")) return text.toLowerCase().match(ASCII_WORD) ?? []
  return wordsAt(text).map(word => foldWord(word.text))
}

/** The stems of a text's content words. */
export function terms(text: string): string[] {
  return words(text)
    .filter(word => !STOP_WORDS.has(word))
    .map(stem)
}

/** A predicate as words: `worksFor`, `works_for` and `works-for` become "works for". */
export function spacedPredicate(predicate: string): string {
  return predicate.replace(/[_-]+/g, ' ').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
}

/** Whether a folded word says too little to search for (English). */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}

const STOP_WORDS = new Set(WORDS.languages.en?.words.split(' '))

const IRREGULAR = new Map(
  Object.entries(WORDS.irregular).flatMap(([base, forms]) =>
    forms.split(' ').map((form): [string, string] => [form, base]),
  ),
)

/** Endings, the longest first, each with the number of letters that must remain. */
type Endings = readonly (readonly [ending: string, least: number])[]

const endings = (least: number, list: string): Endings => list.split(' ').map(ending => [ending, least])

/**
 * Of derived words: "natural" and "naturally", "different" and "difference", "organisation" and "organised".
 */
const DERIVATIONS: Endings = [
  ...endings(
    4,
    'ibilities abilities izations ibility ability ivities ization fulness izing ivity izers ively ances ences',
  ),
  ...endings(
    4,
    'ables ibles ities izes ized izer ance ence ants ents ives able ible ably ibly ness ally fully',
  ),
  ...endings(4, 'als ant ent ive ful ity ize al ly'),
]

const SUFFIXES: Endings = [
  ...endings(4, 'ations ation'),
  ...endings(3, 'ments ment ings ing'),
  ...endings(4, 'ors ers or er'),
  ...endings(3, 'ions ion ies ied ed es s e y'),
]

/**
 * A light stemmer: "manages", "managed", "managing", "manager" and "management" share a stem. Removes one
 * derivational ending, then one inflectional ending.
 */
export function stem(word: string): string {
  const base = IRREGULAR.get(word) ?? word
  if (base.length < 4 || !ASCII.test(base)) return base
  const american = asInAmerica(base)
  const underived = withoutDerivation(american)
  return withoutForm(underived, underived === american)
}

/** Converts to American spelling: "colour" → "color", "organised" → "organized". */
function asInAmerica(word: string): string {
  return word
    .replace(/our(?=s?$|ed$|ing$|ful$|able$|al$|ist$|ites?$)/, word.length > 5 ? 'or' : 'our')
    .replace(/(?<=[a-z]{4}i)s(?=e[sdr]?$|ers$|ing$|ations?$)/, 'z')
}

function withoutDerivation(word: string): string {
  if (/ments?$/.test(word)) return word
  // "families" is stemmed like "family".
  const singular = word.length > 5 ? word.replace(/lie[sd]$/, 'ly') : word
  const found = DERIVATIONS.find(
    ([ending, least]) => singular.length - ending.length >= least && singular.endsWith(ending),
  )
  return found === undefined ? word : singular.slice(0, -found[0].length)
}

function withoutForm(word: string, canBePlural: boolean): string {
  for (const [suffix, least] of SUFFIXES) {
    if (!word.endsWith(suffix) || (suffix.endsWith('s') && !canBePlural)) continue
    if (suffix === 's' && word.endsWith('ss')) break
    const rest = word.slice(0, -suffix.length)
    if (rest.length < least || !/[aeiouy]/.test(rest)) continue
    return suffix === 'y' || suffix.startsWith('ie') ? `${rest}i` : undoubled(rest)
  }
  return word
}

/** "plann" → "plan" */
function undoubled(rest: string): string {
  const last = rest.at(-1) ?? ''
  const doubled = rest.length > 3 && rest.at(-2) === last && !'aeiousl'.includes(last)
  return doubled ? rest.slice(0, -1) : rest.replace(/[ei]$/, '')
}

/** The regular English singular of a word, or the word itself. */
export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && /(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

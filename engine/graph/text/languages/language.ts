import { createRequire } from 'node:module'
import { normalForm } from '../../../../platform/common/normal-form.js'
import { memoize } from '../../collections/memoize.js'
import { foldWord, stem as stemEnglish } from '../text.js'
import { germanForms } from './german-forms.js'
import { WORDS } from './words.js'

/** A language with known function words and, usually, inflection. */
export interface Language {
  /** ISO 639-1. */
  code: string
  /** Its position in `languages`, and its bit in a set of languages. */
  number: number
  /** As Unicode names them. */
  scripts: readonly string[]
  /** The folded stem of a word as written. */
  stem: (word: string) => string
  /** The word without endings separated by its language: "Ankara'nın" becomes "Ankara". */
  bare: (word: string) => string
  /** Folded stems of other words with the same root, for some languages. */
  related: (word: string) => readonly string[]
  /**
   * For languages that capitalise all nouns: whether a folded lower-case word precedes common nouns rather
   * than names.
   */
  beforeNouns: (folded: string) => boolean
}

const SCRIPTS = 'Latin Cyrillic Greek Arabic Hebrew Devanagari Tamil Armenian'.split(' ')

/** Letters of the longest word that is stemmed, which bounds the time per word. */
const MAX_STEMMED_LENGTH = 60

const SCRIPT_TESTS = SCRIPTS.map(script => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const)

/** The script of a word's first letter. */
function scriptOf(word: string): string {
  const code = word.charCodeAt(0)
  if (code < 0x80) return code > 0x40 ? 'Latin' : 'Other'
  const [first = ''] = word
  return SCRIPT_TESTS.find(([, test]) => test.test(first))?.[0] ?? 'Other'
}

type Stem = (word: string) => string

const require = createRequire(import.meta.url)

/**
 * Snowball's stem of the word as written, because stemmers depend on accents, then folded. The stemmer is loaded with
 * the first word in its language: all of them would make every start longer.
 */
function snowball(language: string, lowered: Stem = word => word.toLowerCase()): Stem {
  let stem: Stem | undefined
  return word => {
    stem ??= (require(`@orama/stemmers/${language}`) as { stemmer: Stem }).stemmer
    return foldWord(stemOr(stem, lowered(normalForm(word, 'NFC'))))
  }
}

/** That of Bulgarian throws at words such as "времена", which it changes in place. No word may keep a Safe from being asked. */
function stemOr(stem: Stem, word: string): string {
  try {
    return stem(word)
  } catch {
    return word
  }
}

/** "Haeuser" is "Häuser" typed without umlauts. */
const withUmlauts = (word: string): string =>
  word
    .toLowerCase()
    .replace(/ae/g, 'ä')
    .replace(/oe/g, 'ö')
    .replace(/(?<![aeq])ue/g, 'ü')

/** Turkish separates a name and its endings by an apostrophe. */
const turkishBare = (word: string): string => word.replace(/(?<=.)['\u2019].*$/su, '')

/** I is the capital of ı, İ that of i. */
const turkishLower = (word: string): string =>
  turkishBare(word).replace(/I/g, 'ı').replace(/İ/g, 'i').toLowerCase()

/** The stems of a language; without a stemmer, its folded words. */
function stemsOf(code: string, stemmer: string | undefined): Stem {
  if (code === 'en') return word => stemEnglish(foldWord(word))
  return stemmer ? snowball(stemmer, { de: withUmlauts, tr: turkishLower }[code]) : foldWord
}

/** German articles, pronouns, contracted prepositions, and words with adjective endings. */
const GERMAN_BEFORE_NOUNS =
  /^(?:de[mnrs]|das|die|(?:d?ein|kein|mein|sein|ihr|unser|euer|eur|dies|jed|jen|welch|manch|solch|viel|all)(?:e[mnrs]?)?|[avz][mu][mr]|im|ins|ans|vom|beim|aufs|\p{Ll}{3,}e[mnrs]?)$/u

/** All languages, English first. At most 31, because a set of them is a bit mask. */
export const LANGUAGES: readonly Language[] = Object.entries(WORDS.languages).map(
  ([code, { stemmer, scripts = ['Latin'] }], number) => ({
    code,
    number,
    scripts,
    stem: stemsOf(code, stemmer),
    related: code === 'de' ? memoize(word => germanForms(word).map(stemsOf(code, stemmer))) : () => [],
    bare: code === 'tr' ? turkishBare : word => word,
    beforeNouns: code === 'de' ? word => GERMAN_BEFORE_NOUNS.test(word) : () => false,
  }),
)

/** A language by its ISO 639-1 code. */
export const languageOf = (code: string): Language | undefined =>
  LANGUAGES.find(language => language.code === code)

export const english = LANGUAGES[0] as Language

/** The language used to stem words of a script inside a text in another script: the first that has it. */
const BY_SCRIPT = new Map(
  SCRIPTS.map(script => [script, LANGUAGES.find(({ scripts }) => scripts.includes(script))]),
)

/** The stem of a word, as written, in a text of this language. */
export function stemIn(language: Language, word: string): string {
  if (word.length > MAX_STEMMED_LENGTH) return foldWord(word)
  const script = scriptOf(word)
  if (language.scripts.includes(script)) return language.stem(word)
  return BY_SCRIPT.get(script)?.stem(word) ?? foldWord(word)
}

/** The languages, as bits, in which this form of a word is a function word. Lists are read with the first word. */
function marksBy(form: (word: string) => string): (word: string) => number {
  const marks = new Map<string, number>()
  return word => {
    if (marks.size === 0)
      for (const { code, number } of LANGUAGES)
        for (const listed of (WORDS.languages[code]?.words ?? '').split(' ').map(form))
          marks.set(listed, (marks.get(listed) ?? 0) | (1 << number))
    return marks.get(word) ?? 0
  }
}

const lowerCased = (word: string): string => normalForm(word, 'NFC').toLowerCase()
const marksOfLowerCase = marksBy(lowerCased)
const marksOfFolded = marksBy(foldWord)

/** The languages, as bits, in which the word as written is a function word. */
export function marksIn(word: string): number {
  return marksOfLowerCase(lowerCased(word))
}

/** Whether the folded word is a stop word in this language. */
export function isStopWordIn(language: Language, folded: string): boolean {
  return (marksOfFolded(folded) & (1 << language.number)) !== 0
}

import { createRequire } from 'node:module'
import { normalForm } from '../../../../platform/common/normal-form.js'
import { foldWord, stem as stemEnglish } from '../text.js'
import { FUNCTION_WORDS } from './function-words.js'

/** A language with known function words and, usually, inflection. */
export interface Language {
  /** ISO 639-1. */
  code: string
  /** Its position in `languages`, and its bit in a set of languages. */
  number: number
  scripts: readonly Script[]
  /** The folded stem of a word as written. */
  stem: (word: string) => string
  /** The word without endings separated by its language: "Ankara'nın" becomes "Ankara". */
  bare: (word: string) => string
  /**
   * For languages that capitalise all nouns: whether a folded lower-case word precedes common nouns rather
   * than names.
   */
  beforeNouns: (folded: string) => boolean
}

type Script =
  | 'Latin'
  | 'Cyrillic'
  | 'Greek'
  | 'Arabic'
  | 'Hebrew'
  | 'Devanagari'
  | 'Tamil'
  | 'Armenian'
  | 'Other'

/** Letters of the longest word that is stemmed, which bounds the time per word. */
const MAX_STEMMED_LENGTH = 60

const SCRIPT_TESTS: readonly [Script, RegExp][] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Devanagari', /\p{Script=Devanagari}/u],
  ['Tamil', /\p{Script=Tamil}/u],
  ['Armenian', /\p{Script=Armenian}/u],
]

/** The script of a word's first letter. */
function scriptOf(word: string): Script {
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

const stems: Readonly<Record<string, Stem>> = {
  en: word => stemEnglish(foldWord(word)),
  ar: snowball('arabic'),
  bg: snowball('bulgarian'),
  da: snowball('danish'),
  de: snowball('german', withUmlauts),
  el: snowball('greek'),
  es: snowball('spanish'),
  fi: snowball('finnish'),
  fr: snowball('french'),
  ga: snowball('irish'),
  hi: snowball('indian'),
  hu: snowball('hungarian'),
  hy: snowball('armenian'),
  id: snowball('indonesian'),
  it: snowball('italian'),
  lt: snowball('lithuanian'),
  ne: snowball('nepali'),
  nl: snowball('dutch'),
  no: snowball('norwegian'),
  pt: snowball('portuguese'),
  ro: snowball('romanian'),
  ru: snowball('russian'),
  sr: snowball('serbian'),
  sv: snowball('swedish'),
  ta: snowball('tamil'),
  tr: snowball('turkish', turkishLower),
  uk: snowball('ukrainian'),
}

const SCRIPTS: Readonly<Record<string, readonly Script[]>> = {
  ar: ['Arabic'],
  bg: ['Cyrillic'],
  el: ['Greek'],
  fa: ['Arabic'],
  he: ['Hebrew'],
  hi: ['Devanagari'],
  hy: ['Armenian'],
  ne: ['Devanagari'],
  ru: ['Cyrillic'],
  sr: ['Cyrillic', 'Latin'],
  ta: ['Tamil'],
  uk: ['Cyrillic'],
}

/** German articles, pronouns, contracted prepositions, and words with adjective endings. */
const GERMAN_BEFORE_NOUNS =
  /^(?:de[mnrs]|das|die|(?:d?ein|kein|mein|sein|ihr|unser|euer|eur|dies|jed|jen|welch|manch|solch|viel|all)(?:e[mnrs]?)?|[avz][mu][mr]|im|ins|ans|vom|beim|aufs|\p{Ll}{3,}e[mnrs]?)$/u

/** All languages, English first. At most 31, because a set of them is a bit mask. */
export const LANGUAGES: readonly Language[] = Object.keys(FUNCTION_WORDS).map((code, number) => ({
  code,
  number,
  scripts: SCRIPTS[code] ?? ['Latin'],
  stem: stems[code] ?? foldWord,
  bare: code === 'tr' ? turkishBare : word => word,
  beforeNouns: code === 'de' ? word => GERMAN_BEFORE_NOUNS.test(word) : () => false,
}))

const BY_CODE = new Map(LANGUAGES.map(language => [language.code, language]))

/** A language by its ISO 639-1 code. */
export function languageOf(code: string): Language | undefined {
  return BY_CODE.get(code)
}

export const english: Language = LANGUAGES[0] ?? unknownLanguage()

function unknownLanguage(): never {
  throw new Error('No languages')
}

/** The language used to stem words of a script inside a text in another script. */
const BY_SCRIPT = new Map(
  (['en', 'ru', 'el', 'ar', 'he', 'hi', 'ta', 'hy'] as const).flatMap(code => {
    const language = BY_CODE.get(code)
    return language ? language.scripts.map((script): [Script, Language] => [script, language]) : []
  }),
)

/** The stem of a word, as written, in a text of this language. */
export function stemIn(language: Language, word: string): string {
  if (word.length > MAX_STEMMED_LENGTH) return foldWord(word)
  const script = scriptOf(word)
  if (language.scripts.includes(script)) return language.stem(word)
  return BY_SCRIPT.get(script)?.stem(word) ?? foldWord(word)
}

/** The languages, as bits, of which a word is a function word, in this form. Their list is read with the first word. */
function marksBy(form: (word: string) => string): (word: string) => number {
  let marks: Map<string, number> | undefined
  return word => {
    marks ??= readMarks(form)
    return marks.get(word) ?? 0
  }
}

function readMarks(form: (word: string) => string): Map<string, number> {
  const marks = new Map<string, number>()
  for (const { code, number } of LANGUAGES) {
    for (const word of (FUNCTION_WORDS[code] ?? '').split(' ').map(form)) {
      marks.set(word, (marks.get(word) ?? 0) | (1 << number))
    }
  }
  return marks
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

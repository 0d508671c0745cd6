import { createRequire } from 'node:module'
import { rootDir } from '../../../../platform/common/package.js'

/** What a question asks for, by its question word. */
export type Expected =
  | 'list'
  | 'quantity'
  | 'duration'
  | 'degrees'
  | 'date'
  | 'place'
  | 'person'
  | 'reason'
  | 'choice'

type Kind =
  | ('numbers' | 'one' | 'units' | 'periods' | 'months' | 'times')
  | ('prepositions' | 'articles' | 'by' | 'particles' | 'answers' | 'and')

/** The words of `words.json`. */
interface LanguageWords {
  /**
   * By ISO 639-1 code, English first: the name of its Snowball stemmer and its scripts, unless that is Latin; and its function
   * words (articles, pronouns, prepositions, conjunctions, auxiliaries, question words), which are stop words and identify
   * the language of a text. These lists are short on purpose: published ones include numbers, months and words such as
   * "estados" or "año", which questions ask for.
   */
  languages: Readonly<Record<string, { stemmer?: string; scripts?: readonly string[]; words: string }>>
  /** English: the basic form of a word, and its irregular forms. */
  irregular: Readonly<Record<string, string>>
  /** Words that show the kind of content of a sentence, by kind; `*` at the end matches any ending. */
  answers: Readonly<Record<Kind, string>>
  /** Question words by what they ask for, the more specific first, as patterns. Whole words; `_` joins words. */
  asking: Readonly<Record<Expected, string>>
  /** Forms of questions as patterns, with their shared `parts` in braces (`forms.ts`). */
  forms: Forms
}

type FormList = 'about' | 'type' | 'overview' | 'difference' | 'pair' | 'openings'

interface Forms extends Readonly<Record<FormList, readonly string[]>> {
  parts: Readonly<Record<string, string>>
  path: readonly (readonly string[])[]
  people: string
  inSafe: string
  article: string
  closing: string
}

export const WORDS: LanguageWords = createRequire(import.meta.url)(
  `${rootDir}/engine/graph/text/languages/words.json`,
)

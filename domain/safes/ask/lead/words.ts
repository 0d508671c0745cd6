import { foldWord, isStopWord, stem, terms } from '../../../../engine/graph/index.js'

const WORD = /[\p{L}\p{N}]+/gu

/** The stems of the words that a question is about. */
export const stemsOf = (question: string): ReadonlySet<string> => new Set(terms(question))

/** The stem of a word in a text if a question has it, however it is inflected; else null. */
export function askedStem(written: string, stems: ReadonlySet<string>): string | null {
  const word = foldWord(written)
  const found = stem(word)
  return stems.has(found) && !isStopWord(word) ? found : null
}

/** The stems of a question that a text has. */
function stemsIn(text: string, stems: ReadonlySet<string>): Set<string> {
  const found = new Set<string>()
  for (const [word] of text.matchAll(WORD)) {
    const asked = askedStem(word, stems)
    if (asked !== null) found.add(asked)
  }
  return found
}

/** How many different words of a question are in a text. */
export const countWords = (text: string, stems: ReadonlySet<string>): number => stemsIn(text, stems).size

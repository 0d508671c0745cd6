import { foldWord, isStopWord, stem, terms } from '../../../engine/graph/index.js'

/** A tag, an entity, or a word. */
const PIECES = /<[^<>]*>|&#?\w{1,10};|[\p{L}\p{N}]+/gu

/** The stems of the words that a question is about. */
export const stemsOf = (question: string): ReadonlySet<string> => new Set(terms(question))

/** Marks the words of a question in HTML, in any inflection. */
export function markWords(html: string, stems: ReadonlySet<string>): string {
  if (stems.size === 0) return html
  return html.replace(PIECES, piece => (isAsked(piece, stems) ? `<mark>${piece}</mark>` : piece))
}

function isAsked(piece: string, stems: ReadonlySet<string>): boolean {
  if (/^[<&]/.test(piece)) return false
  const word = foldWord(piece)
  return !isStopWord(word) && stems.has(stem(word))
}

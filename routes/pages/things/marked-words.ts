import { foldWord, isStopWord, stem, terms } from '../../../engine/graph/index.js'

/** A tag, an entity, or a word. */
const PIECES = /<[^<>]*>|&#?\w{1,10};|[\p{L}\p{N}]+/gu

/** The stems of the words that a question is about. */
export const stemsOf = (question: string): ReadonlySet<string> => new Set(terms(question))

/** Marks in HTML the words of a question, however they are inflected. */
export function markWords(html: string, stems: ReadonlySet<string>): string {
  if (stems.size === 0) return html
  return html.replace(PIECES, piece => (isAsked(piece, stems) ? `<mark>${piece}</mark>` : piece))
}

/** How many different words of a question are in a text. */
export function countWords(text: string, stems: ReadonlySet<string>): number {
  const found = new Set<string>()
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu))
    if (isAsked(word, stems)) found.add(stem(foldWord(word)))
  return found.size
}

function isAsked(piece: string, stems: ReadonlySet<string>): boolean {
  if (piece.startsWith('<') || piece.startsWith('&')) return false
  const word = foldWord(piece)
  return !isStopWord(word) && stems.has(stem(word))
}

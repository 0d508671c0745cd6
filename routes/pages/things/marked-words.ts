import { askedStem } from '../../../domain/safes/ask/lead/words.js'

/** A tag, an entity, or a word. */
const PIECES = /<[^<>]*>|&#?\w{1,10};|[\p{L}\p{N}]+/gu

/** Marks in HTML the words of a question, however they are inflected. */
export function markWords(html: string, stems: ReadonlySet<string>): string {
  if (stems.size === 0) return html
  return html.replace(PIECES, piece =>
    /^[<&]/.test(piece) || askedStem(piece, stems) === null ? piece : `<mark>${piece}</mark>`,
  )
}

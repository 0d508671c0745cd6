import * as bidiJs from 'bidi-js'

/** A piece of text on a line, from `x` on. */
interface Piece {
  str: string
  dir: string
  x: number
  width: number
  height: number
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const STRONG_RIGHT = /[\u05d0-\u05f2\u0620-\u064a\u066e-\u06d3\u0700-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g
const STRONG_LEFT = /[A-Za-z\u00c0-\u024f\u0370-\u052f]/g
/** Shapes of letters that have characters of their own. */
const SHAPES = /[\ufb00-\ufb06\ufb13-\ufdff\ufe70-\ufefc]+/g
/** A gap of this share of the height separates words. */
const WORD_GAP = 0.15

// What a bundle and Node make of its only export differs from its types.
const bidi = (bidiJs as unknown as { default: () => bidiJs.Bidi }).default()

/** Whether a text has letters that are written from right to left. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text)

/** Letters in place of their shapes (NFKC, Unicode Standard Annex #15): `ﬁ`, and those of Arabic and Hebrew. */
export const withoutShapes = (text: string): string =>
  text.replace(SHAPES, shapes => shapes.normalize('NFKC'))

/**
 * A line with text from right to left in the order in which it is read. Its pieces stand in the order of the page, and each is
 * in its own order: the whole is put as it is seen, from left to right, and reordered from there (Unicode Standard Annex #9).
 */
export function readingOrder(pieces: readonly Piece[]): string {
  let seen = ''
  let end: number | null = null
  for (const { str, dir, x, width, height } of [...pieces].sort((a, b) => a.x - b.x)) {
    const isApart = end !== null && x - end > WORD_GAP * height && height > 0
    if (isApart && !/\s$/.test(seen) && !/^\s/.test(str)) seen += ' '
    seen += isRightToLeft(str) ? reordered(str, dir === 'rtl' ? 'rtl' : 'ltr') : str
    end = Math.max(end ?? x, x + width)
  }
  const right = seen.match(STRONG_RIGHT)?.length ?? 0
  return reordered(seen, right >= (seen.match(STRONG_LEFT)?.length ?? 0) ? 'rtl' : 'ltr')
}

/** From the order of reading to that of the page, and back. */
function reordered(text: string, direction: 'ltr' | 'rtl'): string {
  const levels = bidi.getEmbeddingLevels(text, direction)
  return Array.from(bidi.getReorderedIndices(text, levels) as Iterable<number>, at => text[at] ?? '').join('')
}

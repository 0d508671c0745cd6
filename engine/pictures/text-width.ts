import { type Box, FONT, type PictureLabel } from './picture.js'

/** A text that fits a width, and its estimated width. */
interface FittedText {
  text: string
  width: number
  isCut: boolean
}

const ELLIPSIS = '\u2026'
const CHARACTERS = new Intl.Segmenter('en')

/** Widths in em, rounded up from DejaVu Sans, the widest of the fonts that systems use for pages: the first that fits. */
const WIDTHS: readonly [RegExp, number][] = [
  [/[ijlI.,:;'’|! ]/, 0.34],
  [/[ftr()[\]{}/\\`-]/, 0.42],
  [/[mwMW@%—…]/, 1],
  [/[A-Z&<>=+~^#]/, 0.78],
  [/\p{ASCII}/u, 0.64],
  [/[\p{M}\p{Cf}]/u, 0],
  // Scripts whose characters fill a square.
  [
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u,
    1.05,
  ],
  [/\p{Extended_Pictographic}/u, 1.5],
  [/\p{Lu}/u, 0.78],
]
const OTHER_WIDTH = 0.7
/** Direction marks would move the text of other labels; the others have no width. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/**
 * The estimated width of a text in pixels, without a browser to measure it: too wide rather than too narrow, because a
 * text estimated too narrow would overlap its neighbour.
 */
export function textWidth(text: string, fontSize: number): number {
  let ems = 0
  for (const character of text) ems += knownWidthOf(character)
  return ems * fontSize
}

/** A map has thousands of characters, and few different ones. */
const KNOWN_WIDTHS = new Map<string, number>()
const MAX_KNOWN = 10_000

function knownWidthOf(character: string): number {
  const known = KNOWN_WIDTHS.get(character)
  if (known !== undefined) return known
  const width = WIDTHS.find(([form]) => form.test(character))?.[1] ?? OTHER_WIDTH
  if (KNOWN_WIDTHS.size < MAX_KNOWN) KNOWN_WIDTHS.set(character, width)
  return width
}

/** Cuts a text with an ellipsis so that it is at most this wide. Never cuts inside a character. */
export function fitText(text: string, maxWidth: number, fontSize: number): FittedText {
  const line = text.slice(0, MAX_LENGTH).replace(/\s+/g, ' ').replace(INVISIBLE, '').trim()
  const width = textWidth(line, fontSize)
  if (width <= maxWidth && text.length <= MAX_LENGTH) return { text: line, width, isCut: false }
  let kept = ''
  let used = textWidth(ELLIPSIS, fontSize)
  for (const { segment } of CHARACTERS.segment(line)) {
    const next = used + textWidth(segment, fontSize)
    if (next > maxWidth) break
    kept += segment
    used = next
  }
  return { text: kept.trimEnd() + ELLIPSIS, width: used, isCut: true }
}

/** Maximum characters that a label shows. */
const MAX_LENGTH = 400

/** Optional parts of a label. */
type More = { [Member in 'anchor' | 'href' | 'of' | 'colour']?: PictureLabel[Member] | undefined }

/** A label whose text is cut to `room`, in pixels. @param boxOf its box, by the width of its text */
export function fittedLabel(
  kind: PictureLabel['kind'],
  whole: string,
  room: number,
  boxOf: (width: number) => Box,
  { anchor = 'start', ...more }: More = {},
): PictureLabel {
  const { text, width, isCut } = fitText(whole, room, FONT[kind])
  const known = { full: isCut ? whole : undefined, ...more }
  return {
    ...{ kind, box: boxOf(width), anchor, text },
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  }
}

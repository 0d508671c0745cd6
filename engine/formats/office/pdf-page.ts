/** A piece of text on a page, as PDF.js finds it. */
export interface PdfText {
  str: string
  /** `[…, left, bottom]` */
  transform: number[]
  height: number
  hasEOL: boolean
}

/** Lines that are further apart than this many times their height belong to different paragraphs. */
const PARAGRAPH_GAP = 1.7
/** So do lines whose heights differ by more than this factor: headings and notes. */
const OTHER_HEIGHT = 1.1
/** A line shorter than this share of the longest ends where its author ended it: in lists, tables and poems. */
const SHORT_LINE = 0.75
/** Characters after which a paragraph ends with its line. */
const LONGEST_PARAGRAPH = 4_000

/** The paragraphs of a page: lines joined, words that were divided at their ends put together. */
export function paragraphsOf(texts: readonly PdfText[]): string[] {
  const paragraphs: string[] = []
  const lines = [...linesOf(texts)]
  const longest = lines.reduce((most, { text }) => Math.max(most, text.length), 0)
  let before: Line | null = null
  for (const line of lines) {
    const last = paragraphs.at(-1)
    if (last === undefined || before === null || isOther(before, line) || last.length > LONGEST_PARAGRAPH)
      paragraphs.push(line.text)
    else if (before.text.length < SHORT_LINE * longest || /^[•◦▪–-]\s/.test(line.text))
      paragraphs[paragraphs.length - 1] = `${last}\n${line.text}`
    else paragraphs[paragraphs.length - 1] = joined(last, line.text)
    before = line
  }
  return paragraphs
}

function isOther(before: Line, line: Line): boolean {
  const [lower, higher] = [Math.min(before.height, line.height), Math.max(before.height, line.height)]
  return higher > OTHER_HEIGHT * lower || before.bottom - line.bottom > PARAGRAPH_GAP * higher
}

interface Line {
  text: string
  bottom: number
  height: number
}

function* linesOf(texts: readonly PdfText[]): Generator<Line> {
  let [text, bottom, height] = ['', 0, 0]
  for (const piece of texts) {
    if (text === '') bottom = piece.transform[5] ?? 0
    text += piece.str
    height = Math.max(height, piece.height)
    if (!piece.hasEOL) continue
    if (text.trim() !== '') yield { text: flat(text), bottom, height }
    text = ''
    height = 0
  }
  if (text.trim() !== '') yield { text: flat(text), bottom, height }
}

function joined(text: string, next: string): string {
  return /\p{L}-$/u.test(text.slice(-3)) && /^\p{Ll}/u.test(next)
    ? text.slice(0, -1) + next
    : `${text} ${next}`
}

/** Characters of damaged fonts are NUL. */
const flat = (text: string) => text.replace(/[\s\0]+/g, ' ').trim()

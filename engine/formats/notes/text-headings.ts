import { withoutId } from './note-headings.js'

export interface DocumentHeading {
  /** 1 to 6. */
  level: number
  text: string
}

interface Placed extends DocumentHeading {
  /** Where its line begins. */
  at: number
  /** With what names it for programs, as titles of passages of older imports have it. */
  whole: string
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** The headings of a Markdown text, without those in code; of a PDF its pages. */
export const headingsOf = (text: string): DocumentHeading[] =>
  placed(text).map(({ level, text }) => ({ level, text }))

/** Where the line of a heading begins; null if there is none with these words. */
export function placeOf(text: string, heading: string): number | null {
  const wanted = folded(heading.split(/ [>›] /).at(-1) ?? '')
  return placed(text).find(({ text, whole }) => [text, whole].map(folded).includes(wanted))?.at ?? null
}

/** Where the text directly below a heading ends; null if there is none with these words. */
export function endOfHeading(text: string, heading: string): number | null {
  const at = placeOf(text, heading)
  return at === null ? null : (placed(text).find(next => next.at > at)?.at ?? text.length)
}

function placed(text: string): Placed[] {
  if (text.includes('\f')) return pages(text)
  const headings: Placed[] = []
  let fence = ''
  let at = 0
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && mark.startsWith(fence)) fence = ''
    const [, hashes, rest = ''] = (fence === '' && HEADING.exec(line)) || []
    const whole = withoutClosing(rest)
    const words = withoutId(whole)
    if (hashes !== undefined && words !== '') headings.push({ level: hashes.length, text: words, at, whole })
    at += line.length + 1
  }
  return headings
}

/** A heading may end with a space and hashes, which are no part of it (CommonMark §4.2). */
function withoutClosing(text: string): string {
  const words = text.trimEnd()
  let end = words.length
  while (words[end - 1] === '#') end--
  return end === 0 || words[end - 1] === ' ' || words[end - 1] === '\t'
    ? words.slice(0, end).trimEnd()
    : words
}

function pages(text: string): Placed[] {
  const starts = [0]
  for (let at = text.indexOf('\f'); at !== -1; at = text.indexOf('\f', at + 1)) starts.push(at)
  return starts.map((at, page) => ({ level: 1, text: `Page ${page + 1}`, at, whole: `Page ${page + 1}` }))
}

const folded = (text: string) => text.replace(/[*_`]/g, '').replace(/\s+/g, ' ').trim().toLowerCase()

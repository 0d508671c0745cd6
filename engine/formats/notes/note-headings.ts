import { plainText } from './note-text.js'

export interface NoteHeading {
  level: number
  text: string
  /** Indentation of its bullet if it is in a list, as in Logseq. */
  indent: number | null
}

/** Maximum characters of one heading in a title. */
export const MAX_HEADING_LENGTH = 200
/** Maximum characters of a title; validation rejects more than 1,000. */
const MAX_TITLE_LENGTH = 800
/** Maximum depth of nested headings; outlines have no limit. */
const MAX_HEADINGS = 20

/** The headings above the current line of a note, outermost first. */
export class HeadingPath {
  /** The name of the note. */
  name: string
  /** The first heading if it is the title of the note; titles below it omit the note's name. */
  heading = ''
  #headings: (NoteHeading & { hasBullets: boolean })[] = []

  constructor(name: string) {
    this.name = name
  }

  /** Whether the innermost heading ends where this one begins. */
  isEndedBy(heading: NoteHeading): boolean {
    const innermost = this.#headings.at(-1)
    return innermost !== undefined && isEnded(innermost, heading)
  }

  add(heading: NoteHeading): void {
    this.#headings = this.#headings.filter(above => !isEnded(above, heading)).slice(-MAX_HEADINGS)
    if (heading.text !== '') {
      this.#headings.push({ ...heading, text: heading.text.slice(0, MAX_HEADING_LENGTH), hasBullets: false })
    }
  }

  /**
   * Whether a bullet ends headings of its list: deeper ones, and those that already contain bullets.
   */
  isEndedByBullet(indent: number): boolean {
    return this.#headings.some(heading => isEndedByBullet(heading, indent))
  }

  addBullet(indent: number): void {
    this.#headings = this.#headings.filter(heading => !isEndedByBullet(heading, indent))
    for (const heading of this.#headings) {
      if (heading.indent !== null && heading.indent < indent) heading.hasBullets = true
    }
  }

  /** `Note > Heading > Subheading`, without a first heading that repeats the note's name. */
  title(): string {
    const texts = this.#headings.map(({ text }) => text)
    const isTitled = texts[0] !== undefined && texts[0] === this.heading
    const name = isTitled ? this.heading : this.name
    if (isTitled || isSameName(texts[0] ?? '', name)) texts.shift()
    // The innermost headings are the most specific, so outer ones are dropped first.
    while (texts.length > 1 && texts.join(' > ').length + name.length > MAX_TITLE_LENGTH) texts.shift()
    return [name, ...texts].join(' > ')
  }
}

function isEnded(above: NoteHeading, by: NoteHeading): boolean {
  if (above.indent === null) return by.indent === null && above.level >= by.level
  if (by.indent === null) return true
  return above.indent > by.indent || (above.indent === by.indent && above.level >= by.level)
}

const isEndedByBullet = ({ indent, hasBullets }: NoteHeading & { hasBullets: boolean }, bullet: number) =>
  indent !== null && (indent > bullet || (indent === bullet && hasBullets))

const comparable = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** `getting-started` and `Getting started` look like the same name. */
export function isSameName(one: string, other: string): boolean {
  return comparable(one) === comparable(other.slice(other.lastIndexOf('/') + 1))
}

const HTML = /^\s{0,8}<h([1-6])(?=[\s>])[^<>]{0,500}>(.{1,500})<\/h[1-6]>\s*$/i

/** The id at the end of a heading: a comment in MDX, or `{#id}`. */
const NAME = /\{(?:\/\*[^{}*]{1,300}\*\/|:?\s?#[\w:.-]{1,100})\}$/

/** A heading without its id. */
export const withoutId = (text: string): string =>
  text.endsWith('}') ? text.replace(NAME, '').trimEnd() : text

/** Parses `## Heading ##`, `- ## Heading` or `<h2>Heading</h2>`, without the `{#id}` of site generators and MDX. */
export function headingOf(line: string): NoteHeading | null {
  const [start = '', bullet] = /^(?:(\s{0,200}[-*+]\s{1,5}))?(?=#)/.exec(line) ?? []
  const level = /^#{1,6}(?=\s|$)/.exec(line.slice(start.length))?.[0].length
  if (level !== undefined) {
    const text = plainText(withoutId(withoutClosing(line.slice(start.length + level).trim())))
    return { level, text, indent: bullet === undefined ? null : widthOf(bullet) }
  }
  const [, digit, inside = ''] = line.includes('</h') ? (HTML.exec(line) ?? []) : []
  return digit === undefined ? null : { level: Number(digit), text: plainText(inside), indent: null }
}

/** Indentation of a bullet, or null if the line has none. */
export function bulletIndent(line: string): number | null {
  const start = /^\s{0,200}(?=[-*+]\s|\d{1,9}[.)]\s)/.exec(line)?.[0]
  return start === undefined ? null : widthOf(start)
}

/** Columns before the first non-space character. `tab`: columns of a tab stop. */
export function widthOf(text: string, tab = 4): number {
  let width = 0
  for (const character of text) {
    if (character === '\t') width += tab - (width % tab)
    else if (character === ' ') width++
    else break
  }
  return width
}

/** `Heading ##` → `Heading`; `C#` stays (CommonMark §4.2). @param text without spaces at its end */
export function withoutClosing(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '#') end--
  return end === 0 || /\s/.test(text[end - 1] ?? '') ? text.slice(0, end).trimEnd() : text
}

import { DomainError } from '../../../platform/common/domain-error.js'
import { withoutClosing, withoutId } from './note-headings.js'

export interface DocumentHeading {
  /** 1 to 6. */
  level: number
  text: string
}

interface PlacedHeading extends DocumentHeading {
  /** Offset of its line. */
  at: number
  /** The text including its id, as in passage titles of older imports. */
  whole: string
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** The headings of a Markdown text, except in code; the pages of a PDF. */
export const headingsOf = (text: string): DocumentHeading[] =>
  placed(text).map(({ level, text }) => ({ level, text }))

/** Offset of the line with this heading, or null. */
export function placeOf(text: string, heading: string): number | null {
  const wanted = folded(heading.split(/ [>›] /).at(-1) ?? '')
  return placed(text).find(({ text, whole }) => [text, whole].map(folded).includes(wanted))?.at ?? null
}

/** Offset where the text directly below a heading ends; null if there is no such heading. */
function endOfHeading(text: string, heading: string): number | null {
  const at = placeOf(text, heading)
  return at === null ? null : (placed(text).find(next => next.at > at)?.at ?? text.length)
}

function placed(text: string): PlacedHeading[] {
  if (text.includes('\f')) return pages(text)
  const headings: PlacedHeading[] = []
  let fence = ''
  let at = 0
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && mark.startsWith(fence)) fence = ''
    const [, hashes, rest = ''] = (fence === '' && HEADING.exec(line)) || []
    const whole = withoutClosing(rest.trimEnd())
    const words = withoutId(whole)
    if (hashes !== undefined && words !== '') headings.push({ level: hashes.length, text: words, at, whole })
    at += line.length + 1
  }
  return headings
}

function pages(text: string): PlacedHeading[] {
  const starts = [0]
  for (let at = text.indexOf('\f'); at !== -1; at = text.indexOf('\f', at + 1)) starts.push(at)
  return starts.map((at, page) => ({ level: 1, text: `Page ${page + 1}`, at, whole: `Page ${page + 1}` }))
}

const folded = (text: string) => text.replace(/[*_`]/g, '').replace(/\s+/g, ' ').trim().toLowerCase()

/** A new note, or a change of a document's text. */
export interface TextEdit {
  change: 'note' | 'append' | 'under_heading' | 'replace' | 'set_property'
  /** The path of the document, for messages. */
  path: string
  /** The heading, the exact quotation or the property name; otherwise empty. */
  at: string
  text: string
}

const PROPERTY = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,99}$/u
/** A value that does not need quotes in YAML: words, a number, a date, or a list in brackets. */
const PLAIN = /^(?:[\p{L}\p{N}][^:#]*|\[[^[\]{}:#]*\])$/u
const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s/

/** The text of a document after an edit, with `\n` as line ends. @throws DomainError 400 with advice */
export function editedText(text: string, { change, path, at, text: added }: TextEdit): string {
  if (change === 'note') return added
  if (change === 'append') return `${joined(text, added)}\n`
  if (change === 'replace') return replaced(text, path, at, added)
  if (change === 'set_property') return withProperty(text, at, added.trim())
  const end = endOfHeading(text, at)
  if (end === null) throw unknownHeading(text, path, at)
  const after = text.slice(end)
  return `${joined(text.slice(0, end), added)}\n${after === '' ? '' : `\n${after}`}`
}

/** An item continues a list; anything else begins a new paragraph. */
function joined(before: string, added: string): string {
  const [above, below] = [before.trimEnd(), added.replace(/^\n+/, '').trimEnd()]
  if (above === '') return below
  const isList = LIST_ITEM.test(above.slice(above.lastIndexOf('\n') + 1)) && LIST_ITEM.test(below)
  return `${above}${isList ? '\n' : '\n\n'}${below}`
}

function replaced(text: string, path: string, quote: string, by: string): string {
  const [before = '', after, ...more] = text.split(quote)
  if (quote !== '' && after !== undefined && more.length === 0) return `${before}${by}${after}`
  const problem = after === undefined ? 'is not' : 'is more than once'
  throw refused(
    'quote',
    `The quotation ${problem} in “${path}”. Read the document, and quote in "at" exactly, with its marks and line ends, a passage that occurs once.`,
  )
}

function withProperty(text: string, name: string, value: string): string {
  if (!PROPERTY.test(name) || value.includes('\n'))
    throw refused(
      'property',
      'A property needs a name of letters, digits, spaces, "-" and "_" in "at", and a value of one line.',
    )
  const line = `${name}: ${PLAIN.test(value) ? value : JSON.stringify(value)}`
  const lines = text.split('\n')
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1
  if (end === -1) return `---\n${line}\n---\n\n${text}`
  const key = `${name.toLowerCase()}:`
  const from = lines.findIndex((each, i) => i > 0 && i < end && each.toLowerCase().startsWith(key))
  let to = from === -1 ? end : from + 1
  // Further lines of a value are indented or list items.
  while (from !== -1 && to < end && /^(?:\s|- )/.test(lines[to] ?? '')) to++
  return lines.toSpliced(from === -1 ? end : from, from === -1 ? 0 : to - from, line).join('\n')
}

function unknownHeading(text: string, path: string, heading: string): DomainError {
  const known = headingsOf(text)
    .slice(0, 20)
    .map(({ text }) => `“${text}”`)
    .join(', ')
  const next = known === '' ? 'It has none; append instead.' : `It has: ${known}.`
  return refused('heading', `“${path}” has no heading “${heading.slice(0, 200)}”. ${next}`)
}

const refused = (code: string, message: string) => new DomainError(400, code, message)

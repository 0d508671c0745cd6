import type { Parsed } from '../../graph/index.js'
import { Document } from '../shared/document.js'
import type { Format, SourceFile } from '../shared/format.js'
import { type Line, readLines } from '../shared/lines.js'
import { withIsoDate } from './written-date.js'

/** Kindle highlights and notes of all books by time (`My Clippings.txt`): each book is a document. */
export const kindle: Format = {
  id: 'kindle',
  title: 'Kindle highlights (My Clippings.txt)',
  extensions: ['txt'],
  hasParts: true,
  mayBeLegacy: true,
  names: /^My Clippings\b.{0,40}\.txt$/i,
  begins: /^[^\n]{1,400}\n- [^\n]{1,300}\n[\s\S]{0,700}?\n={10}/,
  async *parse(bytes, file) {
    const books = new Map<string, Clipping[]>()
    let lines: TextLine[] = []
    let [characters, left] = [0, 0]
    const end = () => {
      const clipping = clippingOf(lines)
      lines = []
      if (clipping) books.set(clipping.book, [...(books.get(clipping.book) ?? []), clipping])
    }
    for await (const some of readLines(bytes)) {
      yield some.filter(line => 'problem' in line)
      for (const line of some.filter(line => 'text' in line)) {
        if (END.test(line.text)) end()
        else if (characters > MAX_CHARACTERS) left ||= line.line
        else lines.push(line)
        characters += line.text.length + 1
      }
    }
    end()
    for (const clippings of books.values()) yield bookOf(file, clippings)
    if (books.size === 0) yield [{ line: 1, problem: 'This file has no highlights of a Kindle.' }]
    if (left > 0)
      yield [{ line: left, problem: 'Highlights of more than 8 MB are not read. Divide the file.' }]
  },
}

type TextLine = Extract<Line, { text: string }>

interface Clipping {
  line: number
  /** The title and the authors, as written. */
  book: string
  /** The kind and the location: `Your Highlight on page 7 | Location 96-99`. */
  place: string
  time: number | undefined
  text: string[]
}

const END = /^={10}\s*$/
/** Maximum characters held to group clippings by book; a device stores one or two megabytes. */
const MAX_CHARACTERS = 8_000_000

function clippingOf([title, about, ...rest]: readonly TextLine[]): Clipping | null {
  const book = title?.text.replaceAll('\ufeff', '').replace(/\s+/g, ' ').trim() ?? ''
  const text = rest.map(({ text }) => text.trim())
  // Bookmarks have no text.
  if (!title || !about?.text.startsWith('- ') || book === '' || text.every(line => line === '')) return null
  const at = about.text.lastIndexOf('|')
  const place = about.text.slice(2, at < 0 ? undefined : at).trim()
  return { line: title.line, book, place, time: at < 0 ? undefined : timeOf(about.text.slice(at + 1)), text }
}

function bookOf(file: SourceFile | undefined, clippings: readonly Clipping[]): Parsed[] {
  const { book = '', line: begin = 1 } = clippings[0] ?? {}
  const [, title = book, authors = ''] = /^(.{1,300}) \(([^()]{1,200})\)$/.exec(book) ?? []
  const document = new Document(file, { id: title, name: title, type: 'book', path: title }, begin)
  for (const name of authors.split(';').filter(name => name.trim() !== ''))
    document.addPerson(begin, 'author', { name, address: '' })
  for (const { line, place, time, text } of clippings) {
    document.addHeading(line, 2, place)
    document.time = time
    for (const part of text) document.addLine(line, part)
  }
  document.end()
  return document.take()
}

/** Maximum words before a date: "Added on", and the weekday. */
const MAX_WORDS = 8

/** The time in `Added on Sunday, February 23, 2020 2:58:27 PM`, in the supported languages; otherwise undefined. */
function timeOf(written: string): number | undefined {
  const text = written
    .slice(0, 150)
    .replace(/(\d:\d\d):\d\d/, '$1')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/星期[一二三四五六日天]|[日月火水木金土]曜日|[월화수목금토일]요일/, '')
    .replace(/ (?:à|às|at|um|alle|kl\.) (?=\d)/, ' ')
    .replace(/\b([ap])\. ?m\./i, '$1m')
    .replace(/ {2,}/g, ' ')
  const words = [...text.matchAll(/(?:^|[\s,:.]|\D(?=\d{4}[年년]))(?=[\p{L}\d])/gu)].slice(0, MAX_WORDS)
  for (const { index, 0: before } of words) {
    const rest = text.slice(index + before.length)
    const [found] = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?/.exec(withIsoDate(rest)) ?? []
    if (found !== undefined) return Date.parse(found.length > 10 ? `${found}Z` : found)
  }
  return undefined
}

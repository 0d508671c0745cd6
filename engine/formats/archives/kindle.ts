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
    const clippings = new Clippings()
    for await (const lines of readLines(bytes)) {
      yield lines.filter(line => 'problem' in line)
      for (const line of lines) if ('text' in line) clippings.add(line)
    }
    yield* clippings.documents(file)
  },
}

interface Clipping {
  line: number
  /** The kind and the location: `Your Highlight on page 7 | Location 96-99`. */
  place: string
  time: number | undefined
  text: string[]
}

const END = /^={10}\s*$/
/** Maximum characters held to group clippings by book; a device stores one or two megabytes. */
const MAX_CHARACTERS = 8_000_000

class Clippings {
  readonly #books = new Map<string, Clipping[]>()
  #lines: Extract<Line, { text: string }>[] = []
  #characters = 0
  #left: number | null = null

  add(line: Extract<Line, { text: string }>): void {
    if (END.test(line.text)) this.#end()
    else if (this.#characters > MAX_CHARACTERS) this.#left ??= line.line
    else {
      this.#characters += line.text.length + 1
      this.#lines.push(line)
    }
  }

  *documents(file: SourceFile | undefined): Generator<Parsed[]> {
    this.#end()
    for (const [written, clippings] of this.#books) {
      const [, title = written, authors = ''] = /^(.{1,300}) \(([^()]{1,200})\)$/.exec(written) ?? []
      const [first] = clippings
      const part = { id: title, name: title, type: 'book', path: title, time: undefined }
      const document = new Document(file, part, first?.line)
      for (const name of authors.split(';').filter(name => name.trim() !== ''))
        document.addPerson(first?.line ?? 1, 'author', { name, address: '' })
      for (const { line, place, time, text } of clippings) {
        document.addHeading(line, 2, place)
        document.time = time
        for (const part of text) document.addLine(line, part)
      }
      document.end()
      yield document.take()
    }
    if (this.#books.size === 0) yield [{ line: 1, problem: 'This file has no highlights of a Kindle.' }]
    if (this.#left !== null)
      yield [{ line: this.#left, problem: 'Highlights of more than 8 MB are not read. Divide the file.' }]
  }

  #end(): void {
    const [title, about, ...rest] = this.#lines
    this.#lines = []
    const name = title?.text.replaceAll('\ufeff', '').replace(/\s+/g, ' ').trim() ?? ''
    const text = rest.map(({ text }) => text.trim())
    // Bookmarks have no text.
    if (!title || !about?.text.startsWith('- ') || name === '' || text.every(line => line === '')) return
    const at = about.text.lastIndexOf('|')
    const place = about.text.slice(2, at < 0 ? undefined : at).trim()
    const book = this.#books.get(name) ?? []
    this.#books.set(name, book)
    book.push({ line: title.line, place, time: at < 0 ? undefined : timeOf(about.text.slice(at + 1)), text })
  }
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

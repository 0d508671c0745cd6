import { Parser } from 'htmlparser2'
import type { Parsed } from '../../graph/model.js'
import { Document } from './document.js'
import type { SourceFile } from './format.js'
import { HtmlText } from './html-text.js'
import { piecesOf, textPieces } from './lines.js'
import { PartTitles } from './part-titles.js'

/** A note as it stands in the file. */
interface EvernoteNote {
  line: number
  title: string
  /** ENML, which is XHTML. */
  content: string
  created: string
  updated: string
  author: string
  address: string
  tags: string[]
}

/** Characters of a note's text, and of its other parts. */
const LONGEST_NOTE = 4_194_304
const LONGEST_FIELD = 2_000
const MOST_TAGS = 100
/** Levels of elements around the notes. */
const DEEPEST = 20

/** Reads the notes of an export one by one; pictures and files in them are passed over. */
export class EvernoteReader {
  readonly #file: SourceFile | undefined
  readonly #titles = new PartTitles()
  readonly #open: string[] = []
  #note: EvernoteNote | null = null
  #tag = ''
  #finished: EvernoteNote[] = []
  #line = 1
  #count = 0
  #isTooDeep = false
  readonly #parser = new Parser(
    {
      onopentag: name => this.#begin(name),
      ontext: text => this.#add(text),
      onclosetag: name => this.#end(name),
    },
    { xmlMode: true, decodeEntities: true },
  )

  constructor(file: SourceFile | undefined) {
    this.#file = file
  }

  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Parsed[]> {
    for await (const { piece, lines } of textPieces(bytes)) {
      this.#parser.write(piece)
      this.#line += lines
      yield* this.#take()
      if (this.#isTooDeep) return yield [{ line: this.#line, problem: 'This is not an export of Evernote.' }]
      // Even when empty, so that the caller can yield to other work.
      yield []
    }
    this.#parser.end()
    yield* this.#take()
    if (this.#count === 0) yield [{ line: 1, problem: 'This file has no notes of Evernote.' }]
  }

  #begin(name: string): void {
    if (this.#open.push(name) > DEEPEST) this.#isTooDeep = true
    if (name === 'note' && !this.#note) {
      const empty = { title: '', content: '', created: '', updated: '', author: '', address: '', tags: [] }
      this.#note = { line: this.#line, ...empty }
    }
    this.#tag = ''
  }

  #add(text: string): void {
    const note = this.#note
    if (!note) return
    switch (this.#open.at(-1)) {
      case 'title':
        note.title = (note.title + text).slice(0, LONGEST_FIELD)
        break
      case 'content':
        if (note.content.length < LONGEST_NOTE) note.content += text
        break
      case 'created':
        note.created = (note.created + text).slice(0, 40)
        break
      case 'updated':
        note.updated = (note.updated + text).slice(0, 40)
        break
      case 'author':
        note.author = (note.author + text).slice(0, 200)
        break
      case 'source-url':
        note.address = (note.address + text).slice(0, LONGEST_FIELD)
        break
      case 'tag':
        this.#tag = (this.#tag + text).slice(0, 200)
    }
  }

  #end(name: string): void {
    this.#open.pop()
    const note = this.#note
    if (note && name === 'tag' && note.tags.length < MOST_TAGS) note.tags.push(this.#tag)
    if (!note || name !== 'note') return
    this.#note = null
    this.#count++
    this.#finished.push(note)
  }

  *#take(): Generator<Parsed[]> {
    const notes = this.#finished
    this.#finished = []
    for (const note of notes) yield* this.#records(note)
  }

  *#records({
    line,
    title,
    content,
    created,
    updated,
    author,
    address,
    tags,
  }: EvernoteNote): Generator<Parsed[]> {
    const name = this.#titles.next(title)
    const time = timeOf(created) ?? timeOf(updated)
    const document = new Document(this.#file, { id: name, name, path: name, time }, line)
    for (const tag of tags) document.tag(line, tag)
    if (author.trim()) document.addPerson(line, 'author', { name: author, address: '' })
    for (const linked of linksIn(content)) if (linked !== name) document.relate(line, 'links to', linked)
    const text = new HtmlText(document, { isPart: true, lineOf: () => line })
    for (const piece of piecesOf(content)) {
      text.write(piece)
      yield document.take()
    }
    text.end()
    if (address.trim()) document.addLine(line, `Source: ${address.trim()}`)
    // A note that is only a title or a picture is still found.
    if (!document.hasText) document.addLine(line, name)
    document.end()
    yield document.take()
  }
}

/** `20240501T101500Z` */
function timeOf(text: string): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text.trim()) ?? []
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time) ? undefined : time
}

const LINK = /<a\b([^<>]*)>([^<>]*)<\/a>/g
const MOST_LINKS = 500

/** The titles of notes that a note links to: Evernote writes them as the text of the link. */
function linksIn(content: string): Set<string> {
  const titles = new Set<string>()
  for (const [, attributes = '', text = ''] of content.matchAll(LINK)) {
    if (titles.size >= MOST_LINKS) break
    if (!attributes.includes('href="evernote:')) continue
    const title = text.replace(/&amp;/g, '&').replace(/\s+/g, ' ').trim().slice(0, 200)
    if (title !== '') titles.add(title)
  }
  return titles
}

import { Parser } from 'htmlparser2'
import type { Parsed } from '../../graph/index.js'
import { Document } from '../shared/document.js'
import type { SourceFile } from '../shared/format.js'
import { piecesOf, textPieces } from '../shared/lines.js'
import { HtmlText } from '../web/html-text.js'
import { PartTitles } from './part-titles.js'

/** A note as it stands in the file. */
interface EvernoteNote {
  line: number
  /** Its parts by the names of their elements. `content` is ENML, which is XHTML. */
  parts: Parts
  tags: string[]
  /** What is to be done, by the names of elements. */
  tasks: Parts[]
}

type Parts = Map<string, string>

/** Characters of a note's text, and of its other parts. */
const LONGEST_NOTE = 4_194_304
const LONGEST_FIELD = 2_000
/** Parts that are read, with the element that they are in: tasks and reminders have titles and dates of their own. */
const LONGEST: Readonly<Record<string, number>> = {
  'note title': LONGEST_FIELD,
  'note content': LONGEST_NOTE,
  'note created': 40,
  'note updated': 40,
  'note tag': 200,
  'note-attributes author': 200,
  'note-attributes source-url': LONGEST_FIELD,
  'task title': LONGEST_FIELD,
  'task taskStatus': 40,
  'task dueDate': 40,
}
const MOST_TAGS = 100
const MOST_TASKS = 1_000
/** Levels of elements around the notes. */
const DEEPEST = 20

/** Reads the notes of an export one by one; pictures and files in them are passed over. */
export class EvernoteReader {
  readonly #file: SourceFile | undefined
  readonly #titles = new PartTitles()
  readonly #open: string[] = []
  #note: EvernoteNote | null = null
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
    if (name === 'note') this.#note ??= { line: this.#line, parts: new Map(), tags: [], tasks: [] }
    else if (name === 'tag') this.#note?.parts.delete('tag')
    else if (name === 'task' && this.#note && this.#note.tasks.length < MOST_TASKS)
      this.#note.tasks.push(new Map())
  }

  #add(text: string): void {
    const [within, name = ''] = this.#open.slice(-2)
    const longest = LONGEST[`${within} ${name}`]
    const parts = within === 'task' ? this.#note?.tasks.at(-1) : this.#note?.parts
    if (longest === undefined || !parts) return
    const known = parts.get(name) ?? ''
    if (known.length < longest) parts.set(name, known + text.slice(0, longest - known.length))
  }

  #end(name: string): void {
    this.#open.pop()
    const note = this.#note
    if (note && name === 'tag' && note.tags.length < MOST_TAGS) note.tags.push(note.parts.get('tag') ?? '')
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

  *#records({ line, parts, tags, tasks }: EvernoteNote): Generator<Parsed[]> {
    const part = (key: string) => parts.get(key)?.trim() ?? ''
    const content = part('content')
    const author = part('author')
    const name = this.#titles.next(part('title'))
    const time = timeOf(part('created')) ?? timeOf(part('updated'))
    const document = new Document(this.#file, { id: name, name, path: name, time }, line)
    for (const tag of tags) document.tag(line, tag)
    if (author !== '') document.addPerson(line, 'author', { name: author, address: '' })
    for (const linked of linksIn(content)) if (linked !== name) document.relate(line, 'links to', linked)
    const text = new HtmlText(document, { isPart: true, lineOf: () => line })
    for (const piece of piecesOf(content)) {
      text.write(piece)
      yield document.take()
    }
    text.end()
    for (const task of tasks) document.addLine(line, taskLine(task))
    if (part('source-url') !== '') document.addLine(line, `Source: ${part('source-url')}`)
    // A note that is only a title or a picture is still found.
    if (!document.hasText) document.addLine(line, name)
    document.end()
    yield document.take()
  }
}

function taskLine(task: Parts): string {
  const due = timeOf(task.get('dueDate') ?? '')
  const until = due === undefined ? '' : ` (due ${new Date(due).toISOString().slice(0, 10)})`
  return `- [${task.get('taskStatus') === 'completed' ? 'x' : ' '}] ${task.get('title')?.trim() ?? ''}${until}`
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
    // Evernote shows the address of a note that has no title.
    if (title !== '' && !title.startsWith('evernote:')) titles.add(title)
  }
  return titles
}

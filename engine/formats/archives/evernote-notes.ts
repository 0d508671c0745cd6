import type { Parsed } from '../../graph/index.js'
import { isoTime } from '../shared/conversation.js'
import { Document } from '../shared/document.js'
import { flat } from '../shared/flat.js'
import type { SourceFile } from '../shared/format.js'
import { boxOf } from '../shared/markdown-text.js'
import { htmlInto } from '../web/html-lines.js'
import { PartTitles } from './part-titles.js'
import { Fields, xmlPieces } from './xml-pieces.js'

/** A note as read from the file. */
interface EvernoteNote {
  line: number
  /** `content` is ENML, a form of XHTML. */
  fields: Fields
  tags: string[]
  /** Its tasks. */
  tasks: Fields[]
}

/** Maximum characters of a note's text, and of its other parts. */
const MAX_NOTE_LENGTH = 4_194_304
const MAX_FIELD_LENGTH = 2_000
/** Maximum characters by parent and element; tasks and reminders have titles and dates of their own. */
const MAX_LENGTH: Readonly<Record<string, number>> = {
  'note title': MAX_FIELD_LENGTH,
  'note content': MAX_NOTE_LENGTH,
  'note created': 40,
  'note updated': 40,
  'note tag': 200,
  'note-attributes author': 200,
  'note-attributes source-url': MAX_FIELD_LENGTH,
  'task title': MAX_FIELD_LENGTH,
  'task taskStatus': 40,
  'task dueDate': 40,
}
const MAX_TAGS = 100
const MAX_TASKS = 1_000
/** Maximum nesting of elements around the notes. */
const MAX_DEPTH = 20

/** Reads the notes of an export one by one; pictures and files in them are skipped. */
export class EvernoteReader {
  line = 1
  readonly #file: SourceFile | undefined
  readonly #titles = new PartTitles()
  readonly #open: string[] = []
  #note: EvernoteNote | null = null
  readonly #finished: EvernoteNote[] = []
  #count = 0
  #isTooDeep = false

  constructor(file: SourceFile | undefined) {
    this.#file = file
  }

  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Parsed[]> {
    for await (const _ of xmlPieces(bytes, this)) {
      yield* this.#take()
      if (this.#isTooDeep) return yield [{ line: this.line, problem: 'This is not an export of Evernote.' }]
      // Even when empty, so that the caller can yield to other work.
      yield []
    }
    yield* this.#take()
    if (this.#count === 0) yield [{ line: 1, problem: 'This file has no notes of Evernote.' }]
  }

  onopentag(name: string): void {
    if (this.#open.push(name) > MAX_DEPTH) this.#isTooDeep = true
    if (name === 'note') this.#note ??= { line: this.line, fields: new Fields(), tags: [], tasks: [] }
    else if (name === 'task' && this.#note && this.#note.tasks.length < MAX_TASKS)
      this.#note.tasks.push(new Fields())
  }

  ontext(text: string): void {
    const [within, name = ''] = this.#open.slice(-2)
    const fields = within === 'task' ? this.#note?.tasks.at(-1) : this.#note?.fields
    fields?.add(name, text, MAX_LENGTH[`${within} ${name}`] ?? 0)
  }

  onclosetag(name: string): void {
    this.#open.pop()
    const note = this.#note
    if (note && name === 'tag' && note.tags.length < MAX_TAGS) note.tags.push(note.fields.take('tag'))
    if (!note || name !== 'note') return
    this.#note = null
    this.#count++
    this.#finished.push(note)
  }

  *#take(): Generator<Parsed[]> {
    for (const note of this.#finished.splice(0)) yield* this.#records(note)
  }

  *#records({ line, fields, tags, tasks }: EvernoteNote): Generator<Parsed[]> {
    const content = fields.get('content')
    const author = fields.get('author')
    const name = this.#titles.next(fields.get('title'))
    const time = timeOf(fields.get('created')) ?? timeOf(fields.get('updated'))
    const document = new Document(this.#file, { id: name, name, path: name, time }, line)
    for (const tag of tags) document.tag(line, tag)
    if (author !== '') document.addPerson(line, 'author', { name: author, address: '' })
    for (const linked of linksIn(content)) if (linked !== name) document.relate(line, 'links to', linked)
    yield* htmlInto(document, content, { isPart: true, lineOf: () => line })
    for (const task of tasks) document.addLine(line, taskLine(task))
    const source = fields.get('source-url')
    if (source !== '') document.addLine(line, `Source: ${source}`)
    // A note with only a title or a picture can still be found.
    if (!document.hasText) document.addLine(line, name)
    document.end()
    yield document.take()
  }
}

function taskLine(task: Fields): string {
  const due = timeOf(task.get('dueDate'))
  const until = due === undefined ? '' : ` (due ${new Date(due).toISOString().slice(0, 10)})`
  return `- ${boxOf(task.get('taskStatus') === 'completed')}${task.get('title')}${until}`
}

/** `20240501T101500Z` */
const timeOf = (text: string) =>
  isoTime(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

const LINK = /<a\b([^<>]*)>([^<>]*)<\/a>/g
const MAX_LINKS = 500

/** The titles of linked notes: Evernote writes them as the link text. */
function linksIn(content: string): Set<string> {
  const titles = new Set<string>()
  for (const [, attributes = '', text = ''] of content.matchAll(LINK)) {
    if (titles.size >= MAX_LINKS) break
    if (!attributes.includes('href="evernote:')) continue
    const title = flat(text.replace(/&amp;/g, '&')).slice(0, 200)
    // For a note without a title, Evernote shows its address.
    if (title !== '' && !title.startsWith('evernote:')) titles.add(title)
  }
  return titles
}

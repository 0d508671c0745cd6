import type { Parsed } from '../../graph/index.js'
import { type Person, personId, personRecords } from '../mail/person.js'
import type { Fence } from '../notes/note-blocks.js'
import { PassageRecords } from '../notes/passage-records.js'
import { linePartsOf } from '../notes/text.js'
import { baseName } from './file-name.js'
import { type SourceFile, UnreadableFile } from './format.js'

/** Characters of a name. */
const MAX_NAME_LENGTH = 300
/** Names of one document. */
const MAX_NAMES = 10

/** A document that is about something else than a file: one of several in a file, such as a message or a note. */
interface DocumentPart {
  /** The thing that its passages are about. */
  id: string
  /** How that thing is called. Every passage's title begins with it. */
  name: string
  /** What kind of thing it is. */
  type?: string
  /** The document's own title, if it differs from the thing's name. */
  title?: string
  /** Its name within the file, if the file holds several documents. */
  path?: string
  /** Milliseconds since 1970. */
  time?: number | undefined
}

/**
 * Turns the headings and lines of a document into records: an entity named after its file, with passages
 * whose titles are `Report.docx > Heading > Subheading`.
 */
export class Document extends PassageRecords {
  /** Whether any text has been found. */
  hasText = false
  readonly #names = new Set<string>()
  #hasPlaces = false

  /** @param about the document's own title, if that is a better name than its file's; or what it is about instead of a file */
  constructor(file: SourceFile | undefined, about: string | DocumentPart = '', line = 1) {
    const path = file?.path ?? 'document'
    const isOneOfMany = file?.notes !== undefined
    const fileName = path.slice(path.lastIndexOf('/') + 1)
    const part = typeof about === 'string' ? null : about
    const title = (part?.title ?? part?.name ?? String(about)).trim().slice(0, MAX_NAME_LENGTH)
    const id = part?.id ?? (isOneOfMany ? path : fileName)
    const name = (part?.name.trim().slice(0, MAX_NAME_LENGTH) ?? title) || fileName
    const sink = file?.document
    super({ id, name, source: isOneOfMany ? path : undefined, sink })
    this.time = part?.time
    if (part?.path !== undefined) sink?.begin(part.path)
    if (title !== '') sink?.about({ title })
    const type = part?.type === undefined ? {} : { type: part.type }
    this.add(line, { kind: 'entity', id, name, ...type })
    this.#names.add(name)
    if (part) return
    this.addName(1, fileName)
    this.addName(1, baseName(path))
  }

  /** Another name of the document. */
  addName(line: number, name: string): void {
    const alias = name.trim().slice(0, MAX_NAME_LENGTH)
    if (alias !== '' && !this.#names.has(alias) && this.#names.size < MAX_NAMES)
      this.add(line, { kind: 'alias', entity: this.subject.id, alias })
    this.#names.add(alias)
  }

  relate(line: number, predicate: string, name: string): void {
    const object = name.trim().slice(0, MAX_NAME_LENGTH)
    if (object !== '') this.add(line, { kind: 'relation', subject: this.subject.id, predicate, object })
  }

  /** A tag of the document and of the thing that it is about. */
  tag(line: number, tag: string): void {
    const name = tag.trim().slice(0, MAX_NAME_LENGTH)
    if (name !== '') this.relate(line, 'tagged', name)
  }

  /** Somebody who has to do with it, with all names that are known of them. */
  addPerson(line: number, predicate: string, person: Person): void {
    for (const record of personRecords(person)) this.add(line, record)
    this.relate(line, predicate, personId(person))
  }

  /** Text that people read and no passage has. */
  addAside(text: string): void {
    this.subject.sink?.write(`${text}\n`)
  }

  addHeading(line: number, level: number, text: string): void {
    const heading = { level, text: text.trim(), indent: null }
    if (heading.text === '') return
    this.beginSection(heading)
    this.bareHeading = { ...heading, line: this.#write(line, `${'#'.repeat(level)} ${heading.text}\n`) }
    this.hasText = true
  }

  /** A heading that is no text of the document: the number of a page. In the document, pages are separated by a form feed. */
  addPlace(text: string): void {
    this.endSection(true)
    if (this.#hasPlaces) this.subject.sink?.write('\f')
    this.#hasPlaces = true
    this.headings.add({ level: 1, text, indent: null })
  }

  /** A line; an empty one separates paragraphs. */
  addLine(line: number, text: string): void {
    const at = this.#write(line, text)
    for (const part of linePartsOf(text.trim() === '' ? '' : text)) this.passages.add(at, part)
    this.#noteText(text)
  }

  /** A line of code; `fence` is the block that is still open after it. */
  addCode(line: number, text: string, fence: Fence | null): void {
    const at = this.#write(line, text)
    for (const part of linePartsOf(text)) this.passages.addCode(at, part, fence)
    this.#noteText(text)
  }

  addProblem(line: number, problem: string): void {
    this.batch.push({ line, problem })
  }

  end(): void {
    this.endSection(true)
    if (this.time !== undefined) this.subject.sink?.about({ time: this.time })
  }

  /** Ends it. @throws UnreadableFile with the sentence `empty` if it has no text */
  finish(empty: string): Parsed[] {
    this.end()
    if (!this.hasText) throw new UnreadableFile(empty)
    return this.take()
  }

  /** Adds a line to the document that people read. Returns at which line passages begin there. */
  #write(line: number, text: string): number {
    const at = this.subject.sink?.line ?? line
    this.subject.sink?.write(`${text}\n`)
    return at
  }

  #noteText(text: string): void {
    if (text.trim() === '') return
    this.bareHeading = null
    this.hasText = true
  }
}

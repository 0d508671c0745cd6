import type { Parsed } from '../../graph/index.js'
import { type Person, personId, personRecords } from '../mail/person.js'
import type { Fence } from '../notes/note-blocks.js'
import { PassageRecords } from '../notes/passage-records.js'
import { linePartsOf } from '../notes/text.js'
import { baseName } from './file-name.js'
import { type SourceFile, UnreadableFile } from './format.js'

/** Maximum characters of a name. */
const MAX_NAME_LENGTH = 300
/** Maximum names of one document. */
const MAX_NAMES = 10

/** A document that describes something other than its file, such as one message or note in a file with several. */
interface DocumentPart {
  /** The id of the entity that its passages describe. */
  id: string
  /** The name of the entity. Every passage title begins with it. */
  name: string
  /** The type of the entity. */
  type?: string
  /** The document's own title, if it differs from the name. */
  title?: string
  /** Its name within the file, if the file holds several documents. */
  path?: string
  /** Milliseconds since 1970. */
  time?: number | undefined
}

/**
 * Turns the headings and lines of a document into records: an entity named after the file, with passages
 * titled `Report.docx > Heading > Subheading`.
 */
export class Document extends PassageRecords {
  /** Whether any text has been found. */
  hasText = false
  readonly #names = new Set<string>()
  #hasPlaces = false

  /** @param about the document's own title, if it is a better name than the file's; or the entity to describe instead of a file */
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

  /** Adds another name of the document. */
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

  /** Adds a related person with all known names. */
  addPerson(line: number, predicate: string, person: Person): void {
    for (const record of personRecords(person)) this.add(line, record)
    this.relate(line, predicate, personId(person))
  }

  /** Adds text that is shown but not part of a passage. */
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

  /** A heading that is not part of the text, such as a page number. In the document, pages are separated by a form feed. */
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

  /** Ends the document. @throws UnreadableFile with the sentence `empty` if it has no text */
  finish(empty: string): Parsed[] {
    this.end()
    if (!this.hasText) throw new UnreadableFile(empty)
    return this.take()
  }

  /** Adds a line to the document. Returns the line number for passages that begin there. */
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

import type { Parsed } from '../../graph/index.js'
import { RewrittenNote, tagValue } from '../notes/rewritten-note.js'
import { Document } from '../shared/document.js'
import type { SourceFile } from '../shared/format.js'
import { htmlInto } from '../web/html-lines.js'

/** Maximum titles stored to number repeated ones. */
const MAX = 100_000

/** Names the documents of one file, so that documents with the same title become two entities: `List`, `List (2)`. */
export class PartTitles {
  readonly #counts = new Map<string, number>()

  next(title: string): string {
    const name = title.replace(/\s+/g, ' ').trim().slice(0, 200) || 'Untitled note'
    const key = name.toLowerCase()
    const count = (this.#counts.get(key) ?? 0) + 1
    if (count > 1 || this.#counts.size < MAX) this.#counts.set(key, count)
    return count === 1 ? name : `${name} (${count})`
  }
}

/** A note or post in a file with several. */
interface ArchiveNote {
  title: string
  tags?: Iterable<string>
  /** Milliseconds since 1970. */
  time?: number | undefined
}

/** A note whose text is HTML. */
interface HtmlNote extends ArchiveNote {
  line: number
  html: string
  author: string
  /** Titles of linked notes. */
  links?: Iterable<string>
  /** Lines below its text. */
  lines: readonly string[]
  /** Its address; may be empty. */
  source: string
}

/** The notes of one file as documents. */
export class ArchiveNotes {
  readonly #titles = new PartTitles()
  readonly #file: SourceFile | undefined

  constructor(file: SourceFile | undefined) {
    this.#file = file
  }

  *html(note: HtmlNote): Generator<Parsed[]> {
    const { line, html, tags = [], author, links = [], lines, source, time } = note
    const name = this.#titles.next(note.title)
    const document = new Document(this.#file, { id: name, name, path: name, time }, line)
    for (const tag of tags) document.relate(line, 'tagged', tag)
    if (author !== '') document.addPerson(line, 'author', { name: author, address: '' })
    for (const linked of links) if (linked !== name) document.relate(line, 'links to', linked)
    yield* htmlInto(document, html, { isPart: true, lineOf: () => line })
    for (const text of lines) document.addLine(line, text)
    // A note with only a title or a picture can still be found.
    if (!document.hasText) document.addLine(line, name)
    if (source !== '') document.addLine(line, `Source: ${source}`)
    document.end()
    yield document.take()
  }

  /** A note whose lines are Markdown. */
  *markdown({ title, tags = [], time }: ArchiveNote, lines: Iterable<string>): Generator<Parsed[]> {
    const name = this.#titles.next(title)
    const document = this.#file?.document
    document?.begin(name)
    // A slash in a title is part of the name, not a folder.
    const path = `${name.replaceAll('/', '___')}.md`
    const note = new RewrittenNote({ path, ...(document ? { document } : {}) }, () => '')
    const values = [...tags].map(tag => tagValue(tag.replace(/^#/, '')))
    if (values.length > 0) note.write(`tags:: ${values.join(', ')}`, { key: 'tags', values })
    for (const line of lines) note.write(line)
    yield* note.end(time)
    document?.about({ title: name })
  }
}

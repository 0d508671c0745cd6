import type { Parsed } from '../../graph/index.js'
import type { SourceFile } from '../shared/format.js'
import { inBatches, type Line, readParts } from '../shared/lines.js'
import { Note } from './note.js'
import { linePartsOf } from './text.js'

/** A property of the whole note. */
export interface NoteProperty {
  key: string
  values: string[]
}

/** A tag as a value of a property; one of several words is written as one link. */
export const tagValue = (tag: string): string => (tag.includes(' ') ? `[[${tag}]]` : tag)

/** The note syntax for a property: `key:: value`. */
export const propertyLine = ({ key, values }: NoteProperty): string => `${key}:: ${values.join(', ')}`

/** The first lines of a note: its title, if any, and its properties, also where the lines of a paragraph are joined. */
export function headerLines<Own extends NoteProperty>(
  title: string,
  properties: readonly Own[],
): { line: string; property?: Own }[] {
  const lines = properties.map((property, at) => {
    const end = at < properties.length - 1 ? '  ' : ''
    return { line: `${propertyLine(property)}${end}`, property }
  })
  const blank = { line: '' }
  return [
    ...(title === '' ? [] : [{ line: `# ${title}` }, blank]),
    ...lines,
    ...lines.slice(0, 1).map(() => blank),
  ]
}

/** A note that a reader writes as Markdown, line by line, both for display and for its records. */
export class RewrittenNote {
  readonly #file: SourceFile
  readonly #title: () => string
  #note: Note | null = null
  #line = 0

  /** @param title a better title than the file name, or empty; called with the first line */
  constructor(file: SourceFile, title: () => string) {
    this.#file = file
    this.#title = title
  }

  /** @param property the note property that the line contains */
  write(text: string, property?: NoteProperty): void {
    this.#file.document?.write(`${text}\n`)
    this.#line++
    const note = this.#begun()
    if (property) note.addPageProperty(this.#line, property.key, property.values)
    else for (const part of linePartsOf(text)) note.read(this.#line, part)
  }

  /** Reads the lines of a file with `read`. */
  read(lines: AsyncIterable<Line[]>, read: (text: string) => void): AsyncGenerator<Parsed[]> {
    return readParts(lines, {
      read: ({ text }) => {
        read(text)
        return this.#note?.take() ?? []
      },
    })
  }

  /** Returns the records since the last call. */
  take(): Iterable<Parsed[]> {
    return inBatches(this.#note?.take() ?? [])
  }

  /** @param time the date of the note unless it has its own */
  end(time?: number): Iterable<Parsed[]> {
    const note = this.#begun()
    note.time ??= time
    note.end()
    return this.take()
  }

  #begun(): Note {
    this.#note ??= new Note(this.#file, null, this.#title())
    return this.#note
  }
}

import type { GraphRecord, Parsed } from '../model.js'
import type { Format, SourceFile } from './format.js'
import type { FrontMatter } from './front-matter.js'
import { maxBatch, readLines } from './lines.js'
import { said } from './note-line.js'
import { NoteNames } from './note-names.js'
import { recordsOf } from './note-properties.js'
import { checked } from './record.js'
import { partsOf } from './text.js'

/**
 * A note of Obsidian or Logseq: an entity named after its file, with passages by heading and paragraph. `[[Links]]`,
 * `key:: values`, `#tags` and the front matter become relations. Read line by line and not as a tree: markdown parsers
 * take seconds over a few kilobytes that mean harm (docs/decisions/0015).
 */
export const markdown: Format = {
  id: 'markdown',
  title: 'Markdown note (Obsidian, Logseq)',
  extensions: ['md', 'markdown'],
  async *parse(bytes, file) {
    const { FrontMatter } = await import('./front-matter.js')
    const note = new Note(file ?? { path: 'note.md' }, new FrontMatter())
    for await (const lines of readLines(bytes)) {
      for (const line of lines) {
        if ('problem' in line) {
          note.batch.push(line)
          continue
        }
        for (const part of partsOf(line.text)) {
          note.read(line.line, part)
          // Reading properties is slow: others get their turn after each.
          if (note.batch.length >= maxBatch || note.isInFrontMatter) yield note.take()
        }
        if (line.text === '') note.read(line.line, '')
      }
      yield note.take()
    }
    note.end()
    yield note.take()
  },
}

/** Characters of a passage after which a blank line ends it, and after which any line does. */
const enough = 800
const tooMuch = 2_000
const longestHeading = 200

class Note {
  batch: Parsed[] = []
  readonly #name: string
  readonly #notes: NoteNames
  readonly #source: string | undefined
  #frontMatter: FrontMatter | null
  /** What opened a block of code, until it is closed. */
  #fence: string | null = null
  #heading = ''
  #passage: { line: number; lines: string[]; length: number } | null = null
  #seq = 0
  #time: number | undefined

  constructor({ path, notes }: SourceFile, frontMatter: FrontMatter) {
    this.#frontMatter = frontMatter
    this.#notes = notes ?? new NoteNames()
    this.#source = notes && path
    this.#name = this.#notes.ofFile(path)
    this.#time = dateOf(this.#name.slice(this.#name.lastIndexOf('/') + 1))
  }

  get isInFrontMatter(): boolean {
    return this.#frontMatter?.isOpen ?? false
  }

  read(line: number, text: string): void {
    const state = this.#frontMatter?.read(line, text)
    if (state === 'ended' || state === 'none') this.#begin()
    if (state === undefined || state === 'none') this.#readText(line, text)
  }

  end(): void {
    if (this.isInFrontMatter) {
      this.batch.push({ line: 1, problem: 'The front matter never ends.' })
      return
    }
    if (this.#frontMatter) this.#begin()
    this.#endPassage()
  }

  take(): Parsed[] {
    const { batch } = this
    this.batch = []
    return batch
  }

  /** The note's text begins: its front matter is known. */
  #begin(): void {
    const properties = this.#frontMatter?.properties ?? []
    this.#frontMatter = null
    this.#add(1, { kind: 'entity', id: this.#name, name: this.#name })
    for (const property of properties) {
      if ('problem' in property) this.batch.push(property)
      else this.#addProperty(property.line, property.key, property.values)
    }
  }

  #readText(line: number, text: string): void {
    const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(text)?.[1]
    const inCode = this.#fence !== null || fence !== undefined
    if (this.#fence === null) this.#fence = fence ?? null
    else if (fence?.startsWith(this.#fence)) this.#fence = null
    if (inCode) this.#keep(line, text)
    else this.#readSaid(line, text)
  }

  #readSaid(line: number, text: string): void {
    const found = said(text)
    for (const { key, values } of found.properties) this.#addProperty(line, key, values)
    for (const target of found.links)
      this.#relate(line, found.linkedAs ?? 'links to', this.#notes.ofLink(target))
    for (const tag of found.tags) this.#relate(line, 'tagged', tag)
    if (found.heading !== null) {
      this.#endPassage()
      this.#heading = found.heading.slice(0, longestHeading)
    } else this.#keep(line, text)
  }

  #keep(line: number, text: string): void {
    if (text.trim() === '') {
      if (this.#passage && this.#passage.length > enough) this.#endPassage()
      else this.#passage?.lines.push('')
      return
    }
    if (this.#passage && this.#passage.length + text.length > tooMuch) this.#endPassage()
    this.#passage ??= { line, lines: [], length: 0 }
    this.#passage.lines.push(text)
    this.#passage.length += text.length
  }

  #endPassage(): void {
    if (!this.#passage) return
    const { line, lines } = this.#passage
    this.#passage = null
    this.#add(line, {
      kind: 'passage',
      entity: this.#name,
      title: this.#heading === '' ? this.#name : `${this.#name} > ${this.#heading}`,
      text: lines.join('\n').trimEnd(),
      seq: ++this.#seq,
      ...(this.#source === undefined ? {} : { source: this.#source }),
      ...(this.#time === undefined ? {} : { time: this.#time }),
    })
  }

  #addProperty(line: number, key: string, values: string[]): void {
    if (/^(?:date|created)$/i.test(key)) this.#time = dateOf(values[0] ?? '') ?? this.#time
    for (const record of recordsOf(this.#name, key, values, this.#notes)) this.#add(line, record)
  }

  #relate(line: number, predicate: string, object: string): void {
    this.#add(line, { kind: 'relation', subject: this.#name, predicate, object })
  }

  #add(line: number, record: GraphRecord): void {
    this.batch.push(checked(line, record))
  }
}

/** `2024-01-31`, as daily notes are named (Logseq: `2024_01_31`) and dates are written. Midnight in UTC. */
function dateOf(text: string): number | undefined {
  const [, year, month, day] = /^(\d{4})[-_](\d\d)[-_](\d\d)(?!\d)/.exec(text) ?? []
  const date = `${year}-${month}-${day}`
  const time = Date.parse(date)
  // `Date` takes the 30th of February for the 1st of March.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(date)) return undefined
  return time
}

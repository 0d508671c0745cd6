import type { FrontMatter, Property } from '../../syntax/index.js'
import type { SourceFile } from '../shared/format.js'
import { withBlocks } from './block-references.js'
import { NoteBlocks } from './note-blocks.js'
import { bulletIndent, headingOf, isSameName, MAX_HEADING_LENGTH, type NoteHeading } from './note-headings.js'
import { contentOfLine, type NoteLink } from './note-line.js'
import { addressesIn, addressesOfPath, NoteNames } from './note-names.js'
import { NotePassages } from './note-passages.js'
import { contentOf, dateRank, isName, isSetting, journalNames, timeOf } from './note-properties.js'
import { plainText, readable, withoutComments } from './note-text.js'
import { PassageRecords } from './passage-records.js'
import { partsOf } from './text.js'

/** Maximum characters of properties read as text. */
const MAX_PROPERTIES_LENGTH = 20_000
/** Maximum characters of a passage with properties. */
const MAX_PASSAGE_LENGTH = 2_000
/** The key used for a line of tags. */
const TAGS = '#'
/** Characters from which a line of front matter is read as text of its own. */
const LONG_LINE = 4_000
/** Maximum relations of a note stored to omit duplicates. */
const MAX_REMEMBERED = 10_000
/** Properties of the page rather than of a block. */
const OF_PAGE = /^(?:name|alias|aliases|title|type|date|created|updated)$/i

const NO_PROPERTY = 'This line of the front matter is not “name: value”. It was read as text.'
const ENDLESS = 'The front matter never ends, or is very long. It was read as text.'

/** Converts the lines of one note into records. */
export class Note extends PassageRecords {
  /** The displayed name: the title, or the file name. */
  #shown: string
  readonly #notes: NoteNames
  readonly #file: SourceFile
  /** The title from the properties or the first heading. */
  #title = ''
  readonly #blocks = new NoteBlocks()
  /** Relations of the text so far. */
  readonly #related = new Set<string>()
  #frontMatter: FrontMatter | null
  /** Whether the front matter had a line that is not a property. */
  #hasOddLine = false
  /** Lines of front matter, added to the end of the first passage. */
  #properties: { line: number; text: string; isName: boolean; isDate: boolean }[] = []
  #propertiesLength = 0
  /** Whether only properties have been read so far. */
  #isAtTop = true
  /** The rank of the property that gave the time. */
  #timeRank = Number.POSITIVE_INFINITY

  /** @param frontMatter null if the text begins immediately; @param title a better display name than the file name */
  constructor(file: SourceFile, frontMatter: FrontMatter | null, title = '') {
    const names = file.notes ?? new NoteNames()
    const id = names.ofFile(file.path)
    super({ id, name: title || id, source: file.notes && file.path, sink: file.document })
    this.#frontMatter = frontMatter
    this.#notes = names
    this.#file = file
    this.#shown = title || id
    this.time = timeOf(this.subject.id.slice(this.subject.id.lastIndexOf('/') + 1))
    if (!frontMatter) this.#begin(true)
  }

  get isInFrontMatter(): boolean {
    return this.#frontMatter?.isOpen ?? false
  }

  /** Adds a property of the whole page from its text. */
  addPageProperty(line: number, key: string, values: string[]): void {
    const text = this.#addProperty(line, key, values)
    if (text !== null) this.#keepProperty(line, text, key)
  }

  read(line: number, text: string): void {
    const state = this.#frontMatter?.read(line, text)
    if (state === 'ended' || state === 'none') this.#begin(state === 'ended')
    if (state === undefined || state === 'none') this.#readText(line, text)
  }

  end(): void {
    const isOpen = this.isInFrontMatter
    if (this.#frontMatter) this.#begin(!isOpen)
    this.endSection(true)
    // Names alone are not the text of a note.
    if (this.#properties.some(({ isName }) => !isName)) this.#addProperties()
    const addresses = addressesOfPath(this.#file.path)
    this.subject.sink?.about({
      title: this.#title,
      addresses,
      ...(this.time === undefined ? {} : { time: this.time }),
    })
  }

  /** Called when the text begins. `isComplete`: the previous lines are front matter; otherwise they are text as well. */
  #begin(isComplete: boolean): void {
    const frontMatter = this.#frontMatter
    this.#frontMatter = null
    if (isComplete) this.#call(titleIn(frontMatter?.properties ?? []))
    this.headings.name = this.#shown
    this.#addName(1)
    for (const alias of journalNames(this.subject.id))
      this.add(1, { kind: 'alias', entity: this.subject.id, alias })
    const lines = isComplete ? [] : (frontMatter?.takeLines() ?? [])
    for (const { line, text } of lines) for (const part of partsOf(text)) this.#readText(line, part)
    if (frontMatter?.isEndless && lines.length > 0) this.#file.remark?.(1, ENDLESS)
    for (const property of frontMatter?.properties ?? []) this.#readProperty(property)
  }

  #addName(line: number): void {
    this.add(line, { kind: 'entity', id: this.subject.id, name: this.#shown })
    const file = this.subject.id.slice(this.subject.id.lastIndexOf('/') + 1)
    // Creation times in file names are not useful aliases.
    if (this.#shown !== this.subject.id && !/^\d{8}/.test(file))
      this.add(line, { kind: 'alias', entity: this.subject.id, alias: file })
  }

  /** Sets the displayed title. */
  #call(title: string): void {
    if (this.#shown === this.subject.id && title !== '') this.#shown = title
  }

  #readProperty(property: Property): void {
    if ('comment' in property) return
    if ('text' in property) {
      this.#keepLine(property.line, property.text)
      return
    }
    this.subject.sink?.about({ addresses: addressesIn(property.key, property.values) })
    this.addPageProperty(property.line, property.key, property.values)
  }

  /** Keeps a line of front matter that is not a property. */
  #keepLine(line: number, text: string): void {
    if (!this.#hasOddLine) this.#file.remark?.(line, NO_PROPERTY)
    this.#hasOddLine = true
    if (text.length > LONG_LINE) {
      for (const part of partsOf(text)) this.#readText(line, part)
      return
    }
    this.#relateAll(line, contentOfLine(text).links, 'links to')
    this.#keepProperty(line, readable(text), '')
  }

  #keepProperty(line: number, text: string, key: string): void {
    if (this.#propertiesLength + text.length > MAX_PROPERTIES_LENGTH) return
    this.#propertiesLength += text.length
    const kind = { isName: isName(key) || key === TAGS, isDate: dateRank(key) >= 0 }
    for (const part of partsOf(text)) this.#properties.push({ line, text: part, ...kind })
  }

  #readText(line: number, raw: string): void {
    const kind = this.#blocks.read(raw)
    if (kind === 'code') {
      this.bareHeading = null
      this.passages.addCode(line, raw, this.#blocks.fence)
    } else if (kind === 'text') this.#readLine(line, withoutComments(raw))
    else if (kind === 'definition') {
      this.#relateAll(line, contentOfLine(raw).links, 'links to')
      if (/\]:\s{1,5}<?(?!data:)[a-z][a-z+.-]{1,20}:/i.test(raw)) this.passages.addDefinition(raw)
    }
  }

  #readLine(line: number, text: string): void {
    const { text: shown, found } = withBlocks(text, this.#notes)
    const heading = headingOf(shown) ?? this.#underlined(shown)
    const isSettingLine = this.#relateLine(line, text)
    this.#relateAll(
      line,
      found.map(({ path }) => ({ target: path })),
      'links to',
    )
    if (heading) this.#beginHeading(line, heading)
    else if (!isSettingLine) this.#keep(line, shown)
  }

  /** Returns whether the line is only a setting of another program. */
  #relateLine(line: number, text: string): boolean {
    const found = contentOfLine(text)
    for (const { key, values } of found.properties) {
      // In an outline, a property belongs to its block unless it is at the top or unindented.
      if (this.#isAtTop || !/^[\s*+-]/.test(text) || !OF_PAGE.test(key)) this.#addProperty(line, key, values)
    }
    this.#relateAll(line, found.links, found.linkedAs ?? 'links to')
    for (const tag of found.tags) this.#relate(line, 'tagged', tag)
    const [only] = found.properties
    return found.isProperty && only !== undefined && isSetting(only.key)
  }

  #relateAll(line: number, links: readonly NoteLink[], predicate: string): void {
    for (const link of links) {
      const note = this.#linked(link)
      if (note !== null) this.#relate(line, predicate, note)
    }
  }

  /** A line of dashes turns the preceding paragraph into a heading if it is one short line. */
  #underlined(text: string): NoteHeading | null {
    if (!/^(?:={3,}|-{3,})\s*$/.test(text)) return null
    const above = this.passages.takeParagraph()
    return above === null
      ? null
      : { level: text.startsWith('=') ? 1 : 2, text: plainText(above), indent: null }
  }

  #beginHeading(line: number, heading: NoteHeading): void {
    this.beginSection(heading)
    // The first heading of a documentation page is its title.
    if (this.#isAtTop && heading.level === 1 && heading.text !== '') {
      const before = this.#shown
      // Headings in outlines are not titles, and daily notes keep their date.
      if (heading.indent === null && timeOf(this.subject.id) === undefined) this.#call(heading.text)
      if (this.#shown !== before) {
        this.headings.heading = this.#shown.slice(0, MAX_HEADING_LENGTH)
        this.#addName(line)
      } else if (!isSameName(heading.text, before))
        this.add(line, { kind: 'alias', entity: this.subject.id, alias: heading.text })
      this.#title ||= heading.text
    }
    this.#isAtTop = false
    this.bareHeading = heading.text === '' ? null : { line, text: heading.text }
  }

  #keep(line: number, raw: string): void {
    const text = readable(raw)
    if (text.trim() === '') {
      if (/^[-*_\s]*$/.test(raw)) this.passages.add(line, '')
      return
    }
    if (this.#isAtTop && /^\s*(?:#[^\s#]{1,100}\s*){1,20}$/.test(text)) {
      this.#keepProperty(line, text.trim(), TAGS)
      return
    }
    const bullet = bulletIndent(text)
    if (bullet !== null) {
      if (this.headings.isEndedByBullet(bullet)) this.endSection(true)
      this.headings.addBullet(bullet)
    }
    this.bareHeading = null
    this.passages.add(line, text)
    if (!contentOfLine(raw).isProperty) this.#isAtTop = false
  }

  /** Adds passages that contain only properties. */
  #addProperties(): void {
    const passages = new NotePassages(({ line, text }) => this.addPassage(line, text))
    for (const { line, text } of this.#takeProperties()) passages.add(line, text)
    passages.endSection()
  }

  /** Returns the remaining properties, dates last, so that no text begins with a date. */
  #takeProperties(): { line: number; text: string }[] {
    const properties = this.#properties.toSorted((a, b) => Number(a.isDate) - Number(b.isDate))
    this.#properties = []
    return properties
  }

  /** Adds a passage. The properties follow the first one if there is room. */
  protected override addPassage(line: number, text: string): void {
    const fits = this.#propertiesLength + text.length <= MAX_PASSAGE_LENGTH
    const properties = fits ? this.#takeProperties().map(({ text }) => text) : []
    super.addPassage(line, properties.length > 0 ? `${text}\n\n${properties.join('\n')}` : text)
    if (this.#properties.length > 0) this.#addProperties()
  }

  /** Returns the property as text unless its relations already contain it. */
  #addProperty(line: number, key: string, values: string[]): string | null {
    const { records, time, text } = contentOf(
      this.subject.id,
      key,
      values,
      target => this.#linked({ target }) ?? target,
    )
    for (const record of records) this.add(line, record)
    if (key.trim().toLowerCase() === 'title') this.#title = values[0] ?? ''
    const isShown = isName(key) && values.every(value => isSameName(value, this.#shown))
    if (isName(key)) this.subject.sink?.about({ addresses: addressesIn(key, values) })
    if (time !== undefined && dateRank(key) < this.#timeRank) {
      this.time = time
      this.#timeRank = dateRank(key)
    }
    return isShown ? null : text
  }

  #linked(link: NoteLink): string | null {
    return 'path' in link
      ? this.#notes.ofPath(link.path, this.#file.path)
      : this.#notes.ofLink(link.target, this.#file.path)
  }

  /** Adds each relation once, and none to the note itself. */
  #relate(line: number, predicate: string, object: string): void {
    const relation = `${predicate}\n${object}`
    if (object === this.subject.id || this.#related.has(relation)) return
    if (this.#related.size < MAX_REMEMBERED) this.#related.add(relation)
    this.add(line, { kind: 'relation', subject: this.subject.id, predicate, object })
  }
}

/** The title in the front matter; empty if there is none. */
function titleIn(properties: readonly Property[]): string {
  const title = properties.find(property => 'key' in property && /^title$/i.test(property.key.trim()))
  return title && 'key' in title ? (title.values[0]?.trim() ?? '') : ''
}

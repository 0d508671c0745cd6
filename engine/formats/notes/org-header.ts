import { plainText } from './note-text.js'
import type { OrgLinks } from './org-links.js'
import { orgText, timeText } from './org-text.js'
import { type NoteProperty, propertyLines } from './rewritten-note.js'

/** Lines before the text that may belong to the header. */
const MOST_LINES = 500
const LONGEST_TITLE = 300

const KEYWORD = /^#\+([\w-]{1,60}):\s*(.*)$/is
const PROPERTY = /^\s*:([^\s:][^\s]{0,60}?)\+?:(?:\s+(.*))?$/s

/** What a file says of itself before its text begins: its title, tags, other names and dates. */
export class OrgHeader {
  #title = ''
  readonly #links: OrgLinks
  readonly #tags: string[] = []
  readonly #aliases: string[] = []
  readonly #properties: NoteProperty[] = []
  #isOpen = true
  #isTaken = false
  #isInDrawer = false
  #lines = 0

  constructor(links: OrgLinks) {
    this.#links = links
  }

  /** The title without markup. */
  get name(): string {
    return plainText(this.#title)
  }

  /** Whether the line belongs to it. */
  read(line: string): boolean {
    if (!this.#isOpen) return false
    const isOver = ++this.#lines > MOST_LINES
    if (!isOver && this.#isInDrawer) return this.#readDrawer(line)
    if (!isOver && /^\s*:PROPERTIES:\s*$/i.test(line)) {
      this.#isInDrawer = true
      return true
    }
    if (!isOver && (line.trim() === '' || /^#(?:\s|$)/.test(line))) return true
    const [, name = '', value = ''] = KEYWORD.exec(line) ?? []
    if (
      !isOver &&
      name !== '' &&
      !/^(?:begin|caption|attr_.*|name|results|call|include|html|latex)$/i.test(name)
    ) {
      const property = this.property(name, value)
      if (property !== null) this.#properties.push(property)
      return true
    }
    this.#isOpen = false
    return false
  }

  close(): void {
    this.#isOpen = false
  }

  /** The lines that a note begins with, and what they say; they are given once. */
  take(): { line: string; property?: NoteProperty | undefined }[] {
    if (this.#isTaken) return []
    this.#isTaken = true
    this.#isOpen = false
    const title = this.#title === '' ? [] : [{ line: `# ${this.#title}` }, { line: '' }]
    const properties = [
      { key: 'tags', values: this.#tags },
      { key: 'alias', values: this.#aliases },
      ...this.#properties,
    ].filter(({ values }) => values.length > 0)
    const lines = propertyLines(properties).map((line, at) => ({ line, property: properties[at] }))
    return [...title, ...lines, ...(lines.length > 0 ? [{ line: '' }] : [])]
  }

  /** A keyword that says something about the file, null if it is kept, or for programs. */
  property(name: string, value: string): NoteProperty | null {
    const text = value.trim()
    if (text === '') return null
    switch (name.toLowerCase()) {
      case 'title':
        if (!this.#isTaken)
          this.#title = `${this.#title} ${orgText(text, this.#links)}`.trim().slice(0, LONGEST_TITLE)
        return null
      case 'filetags':
      case 'roam_tags':
      case 'hugo_tags':
      case 'tags[]':
        this.#tags.push(
          ...text
            .split(/[\s:,]+/)
            .map(tag => tag.replace(/^"|"$/g, '').replace(/[@#%]/g, ''))
            .filter(Boolean),
        )
        return null
      case 'roam_alias':
      case 'roam_aliases':
      case 'alias':
        this.#aliases.push(...quotedOf(text))
        return null
      case 'link':
        this.#links.abbreviate(text)
        return null
      case 'date':
      case 'created':
      case 'modified':
        return { key: name.toLowerCase(), values: [timeText(text.replace(/^[<[]|[>\]]$/g, ''))] }
      case 'author':
      case 'description':
      case 'category':
      case 'subtitle':
        return { key: name.toLowerCase(), values: [orgText(text, this.#links)] }
      case 'roam_key':
      case 'roam_refs':
        return { key: 'source', values: quotedOf(text).map(source => orgText(source, this.#links)) }
      default:
        return null
    }
  }

  #readDrawer(line: string): boolean {
    if (/^\s*:END:\s*$/i.test(line)) {
      this.#isInDrawer = false
      return true
    }
    const [, key = '', value = ''] = PROPERTY.exec(line) ?? []
    const property = key === '' ? null : this.property(key, value)
    if (property !== null) this.#properties.push(property)
    return true
  }
}

/** `one "two words"`: one, two words. */
const quotedOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]{1,300})"|(\S{1,300})/g)].map(([, quoted, plain = '']) => quoted ?? plain)

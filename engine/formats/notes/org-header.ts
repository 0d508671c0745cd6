import { words } from '../../../platform/common/words.js'
import { pairs } from '../shared/pairs.js'
import { plainText } from './note-text.js'
import { anchorOf, type OrgLinks } from './org-links.js'
import { orgText, timeText } from './org-text.js'
import { type NoteProperty, propertyLines } from './rewritten-note.js'

/** Maximum header lines before the text. */
const MAX_LINES = 500
const MAX_TITLE_LENGTH = 300

const KEYWORD = /^#\+([\w-]{1,60}):\s*(.*)$/is
const PROPERTY = /^\s*:([^\s:][^\s]{0,60}?)\+?:(?:\s+(.*))?$/s

/** Keywords and file properties, with the property names used for them. */
const KEYS = pairs(`title title filetags tags roam_tags tags hugo_tags tags tags[] tags roam_alias alias
  roam_aliases alias alias alias link link date date created created modified modified author author
  description description category category subtitle subtitle roam_key source roam_refs source`)
const DATES = words('date created modified')
const TEXTS = words('author description category subtitle')

/** The header of an Org file: its title, tags, aliases and dates. */
export class OrgHeader {
  #title = ''
  readonly #links: OrgLinks
  readonly #tags: string[] = []
  readonly #aliases: string[] = []
  readonly #properties: NoteProperty[] = []
  #isOpen = true
  #isTaken = false
  readonly #drawer = new Drawer()
  #lines = 0

  constructor(links: OrgLinks) {
    this.#links = links
  }

  /** The title without markup. */
  get name(): string {
    return plainText(this.#title)
  }

  /** Whether the line belongs to the header. */
  read(line: string): boolean {
    if (!this.#isOpen) return false
    const isOver = ++this.#lines > MAX_LINES
    const inDrawer = isOver ? undefined : this.#drawer.read(line)
    if (inDrawer !== undefined) {
      const property = inDrawer && this.property(inDrawer.key, inDrawer.value)
      if (property) this.#properties.push(property)
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

  /** Returns the first lines of the note with their properties, once. */
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

  /** The property for a keyword; null if it is stored here or meant for programs. */
  property(name: string, value: string): NoteProperty | null {
    const text = value.trim()
    if (text === '') return null
    const key = KEYS.get(name.toLowerCase()) ?? ''
    if (key === 'title' && !this.#isTaken)
      this.#title = `${this.#title} ${orgText(text, this.#links)}`.trim().slice(0, MAX_TITLE_LENGTH)
    else if (key === 'tags')
      this.#tags.push(
        ...text
          .replace(/["@#%]/g, '')
          .split(/[\s:,]+/)
          .filter(Boolean),
      )
    else if (key === 'alias') this.#aliases.push(...quotedOf(text))
    else if (key === 'link') this.#links.abbreviate(text)
    else if (DATES.has(key)) return { key, values: [timeText(text.replace(/^[<[]|[>\]]$/g, ''))] }
    else if (TEXTS.has(key)) return { key, values: [orgText(text, this.#links)] }
    else if (key === 'source')
      return { key, values: quotedOf(text).map(source => orgText(source, this.#links)) }
    return null
  }
}

/** What stands between `:PROPERTIES:` and `:END:`. */
class Drawer {
  #isOpen = false

  /** The property in a line, or null if it has none; undefined for a line outside. */
  read(line: string): { key: string; value: string } | null | undefined {
    const wasOpen = this.#isOpen
    this.#isOpen = wasOpen ? !/^\s*:END:\s*$/i.test(line) : /^\s*:PROPERTIES:\s*$/i.test(line)
    if (!wasOpen) return this.#isOpen ? null : undefined
    const [, key = '', value = ''] = (this.#isOpen && PROPERTY.exec(line)) || []
    return key === '' ? null : { key, value }
  }
}

/** `one "two words"`: one, two words. */
const quotedOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]{1,300})"|(\S{1,300})/g)].map(([, quoted, plain = '']) => quoted ?? plain)

/** Maximum properties shown per heading. */
const MAX_FACTS = 30

const TAGS = /(?:^|\s):([\p{L}\p{N}_@#%:]{1,500}):\s*$/u
const PLANNING = /^\s*(?:(?:SCHEDULED|DEADLINE|CLOSED):\s{0,9}[<[][^<>[\]]{1,80}[>\]]\s{0,9}){1,3}$/
const PLANNED = /(SCHEDULED|DEADLINE|CLOSED):\s{0,9}[<[]([^<>[\]]{1,80})[>\]]/g
/** Properties that are not shown because only programs use them. */
const HIDDEN =
  /^(?:id|custom_id|visibility|header-args.*|export_.*|columns|.*_all|hugo_.*|anki_.*|drill_.*|fc_.*|ordered|noblocking|unnumbered|toc|logging|last_repeat|style|cookie_data|alt_title|html_.*|beamer_.*|latex_.*|noter_.*|interleave.*|collapsed|heading|background-color|mtime|ctime)$/i

/** A heading with its details: `* TODO [#A] Text :tag:`, dates, and properties. */
export class OrgHeading {
  readonly #links: OrgLinks
  readonly #level: number
  readonly #text: string
  readonly #tags: string[]
  readonly #facts: string[] = []
  #id = ''
  readonly #drawer = new Drawer()

  constructor(links: OrgLinks, level: number, written: string) {
    this.#links = links
    this.#level = level
    this.#tags = (TAGS.exec(written)?.[1] ?? '').split(':').filter(Boolean)
    this.#text = written
      .replace(TAGS, '')
      .replace(/^COMMENT\s+/, '')
      .replace(/\[#([A-Z0-9]{1,2})\]\s{0,9}/, (_, priority: string) => {
        this.#facts.push(`Priority: ${priority}`)
        return ''
      })
      .replace(/\[(\d{0,5}\/\d{0,5}|\d{0,3}%)\]/, (_, done: string) => (/\d/.test(done) ? `(${done})` : ''))
      .trim()
  }

  /** Whether the line below the heading belongs to it. */
  read(line: string): boolean {
    const inDrawer = this.#drawer.read(line)
    if (inDrawer) this.#addProperty(inDrawer.key, inDrawer.value)
    else if (inDrawer === undefined && PLANNING.test(line)) this.#readPlanning(line)
    else return inDrawer !== undefined
    return true
  }

  /** The heading as lines of Markdown. */
  *lines(): Generator<string> {
    // Footnotes are shown at the end of the page, in their own section.
    if (this.#text === 'Footnotes') return
    const id = this.#id === '' ? '' : ` ^${this.#id}`
    const text = orgText(this.#text, this.#links).replaceAll('\n', ' ')
    yield `${'#'.repeat(this.#level)} ${text}${id}`
    yield ''
    const tags = this.#tags.map(tag => `#${tag.replace(/[@#%]/g, '')}`).join(' ')
    for (const more of [tags, this.#facts.join(' · ')]) if (more !== '') yield* [more, '']
  }

  #readPlanning(line: string): void {
    for (const [, what = '', time = ''] of line.matchAll(PLANNED))
      this.#facts.push(`${capitalized(what)}: ${timeText(time)}`)
  }

  #addProperty(key: string, value: string): void {
    if (/^(?:custom_)?id$/i.test(key)) this.#id ||= anchorOf(value)
    if (value.trim() === '' || HIDDEN.test(key) || this.#facts.length >= MAX_FACTS) return
    this.#facts.push(`${capitalized(key.replaceAll('_', ' '))}: ${orgText(value.trim(), this.#links)}`)
  }
}

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()

import { words } from '../../../platform/common/words.js'
import { pairs } from '../shared/pairs.js'
import { plainText } from './note-text.js'
import { anchorOf, type OrgLinks } from './org-links.js'
import { orgText, timeText } from './org-text.js'
import { headerLines, type NoteProperty } from './rewritten-note.js'

const MAX_TITLE_LENGTH = 300
/** Maximum properties shown per heading. */
const MAX_FACTS = 30

/** Keywords and file properties, with the property names used for them. */
const KEYS = pairs(`title title filetags tags roam_tags tags hugo_tags tags tags[] tags roam_alias alias
  roam_aliases alias alias alias link link date date created created modified modified author author
  description description category category subtitle subtitle roam_key source roam_refs source`)
const DATES = words('date created modified')
const PROPERTY = /^\s*:([^\s:][^\s]{0,60}?)\+?:(?:\s+(.*))?$/s
const TAGS = /(?:^|\s):([\p{L}\p{N}_@#%:]{1,500}):\s*$/u
const PLANNING = /^\s*(?:(?:SCHEDULED|DEADLINE|CLOSED):\s{0,9}[<[][^<>[\]]{1,80}[>\]]\s{0,9}){1,3}$/
const PLANNED = /(SCHEDULED|DEADLINE|CLOSED):\s{0,9}[<[]([^<>[\]]{1,80})[>\]]/g
/** Properties that are not shown because only programs use them. */
const HIDDEN =
  /^(?:id|custom_id|visibility|header-args.*|export_.*|columns|.*_all|hugo_.*|anki_.*|drill_.*|fc_.*|ordered|noblocking|unnumbered|toc|logging|last_repeat|style|cookie_data|alt_title|html_.*|beamer_.*|latex_.*|noter_.*|interleave.*|collapsed|heading|background-color|mtime|ctime)$/i

/** The key and value in a line of a drawer of properties. */
export function drawerLine(line: string): { key: string; value: string } {
  const [, key = '', value = ''] = PROPERTY.exec(line) ?? []
  return { key, value }
}

/** The header of an Org file: its title, tags, aliases and dates. */
export class OrgHeader {
  /** The title in Markdown. */
  #title = ''
  readonly #links: OrgLinks
  readonly #tags: string[] = []
  readonly #aliases: string[] = []
  readonly #properties: NoteProperty[] = []
  /** Whether the text has begun. */
  isTaken = false

  constructor(links: OrgLinks) {
    this.#links = links
  }

  /** The title without markup. */
  get name(): string {
    return plainText(this.#title)
  }

  /** Returns the first lines of the note with their properties, once. */
  take(): { line: string; property?: NoteProperty }[] {
    if (this.isTaken) return []
    this.isTaken = true
    const properties = [
      { key: 'tags', values: this.#tags },
      { key: 'alias', values: this.#aliases },
      ...this.#properties,
    ].filter(({ values }) => values.length > 0)
    return headerLines(this.#title, properties)
  }

  /** Adds what a keyword says about the file. Once the text has begun, returns a property for its place in the text. */
  add(name: string, written: string): NoteProperty | null {
    const value = written.trim()
    const key = value === '' ? undefined : KEYS.get(name.toLowerCase())
    const shown = (text: string) => orgText(text, this.#links)
    if (key === 'tags')
      this.#tags.push(
        ...value
          .replace(/["@#%]/g, '')
          .split(/[\s:,]+/)
          .filter(Boolean),
      )
    else if (key === 'alias') this.#aliases.push(...quotedOf(value))
    else if (key === 'link') this.#links.abbreviate(value)
    else if (key === 'title') {
      if (!this.isTaken) this.#title = `${this.#title} ${shown(value)}`.trim().slice(0, MAX_TITLE_LENGTH)
    } else if (key !== undefined) {
      const date = () => timeText(value.replace(/^[<[]|[>\]]$/g, ''))
      const values = key === 'source' ? quotedOf(value).map(shown) : [DATES.has(key) ? date() : shown(value)]
      if (this.isTaken) return { key, values }
      this.#properties.push({ key, values })
    }
    return null
  }
}

/** `one "two words"`: one, two words. */
const quotedOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]{1,300})"|(\S{1,300})/g)].map(([, quoted, plain = '']) => quoted ?? plain)

/** A heading with its details: `* TODO [#A] Text :tag:`, dates, and properties. */
export class OrgHeading {
  readonly #links: OrgLinks
  readonly #level: number
  readonly #text: string
  readonly #tags: string[]
  readonly #facts: string[] = []
  #id = ''

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

  /** Whether the line below the heading has its dates. */
  plan(line: string): boolean {
    if (!PLANNING.test(line)) return false
    for (const [, what = '', time = ''] of line.matchAll(PLANNED))
      this.#facts.push(`${capitalized(what)}: ${timeText(time)}`)
    return true
  }

  add(key: string, value: string): void {
    if (/^(?:custom_)?id$/i.test(key)) this.#id ||= anchorOf(value)
    if (value.trim() === '' || HIDDEN.test(key) || this.#facts.length >= MAX_FACTS) return
    this.#facts.push(`${capitalized(key.replaceAll('_', ' '))}: ${orgText(value.trim(), this.#links)}`)
  }

  /** The heading as lines of Markdown. */
  *lines(): Generator<string> {
    // Footnotes are shown at the end of the page, in their own section.
    if (this.#text === 'Footnotes') return
    const id = this.#id === '' ? '' : ` ^${this.#id}`
    yield `${'#'.repeat(this.#level)} ${orgText(this.#text, this.#links).replaceAll('\n', ' ')}${id}`
    yield ''
    const tags = this.#tags.map(tag => `#${tag.replace(/[@#%]/g, '')}`).join(' ')
    for (const more of [tags, this.#facts.join(' · ')]) if (more !== '') yield* [more, '']
  }
}

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()

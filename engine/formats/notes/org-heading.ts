import { anchorOf, type OrgLinks } from './org-links.js'
import { orgText, timeText } from './org-text.js'

/** Properties of one heading that are shown. */
const MOST_FACTS = 30

const TAGS = /(?:^|\s):([\p{L}\p{N}_@#%:]{1,500}):\s*$/u
const PROPERTY = /^\s*:([^\s:][^\s]{0,60}?)\+?:(?:\s+(.*))?$/s
const PLANNING = /^\s*(?:(?:SCHEDULED|DEADLINE|CLOSED):\s{0,9}[<[][^<>[\]]{1,80}[>\]]\s{0,9}){1,3}$/
const PLANNED = /(SCHEDULED|DEADLINE|CLOSED):\s{0,9}[<[]([^<>[\]]{1,80})[>\]]/g
/** Properties for programs. */
const HIDDEN =
  /^(?:id|custom_id|visibility|header-args.*|export_.*|columns|.*_all|hugo_.*|anki_.*|drill_.*|fc_.*|ordered|noblocking|unnumbered|toc|logging|last_repeat|style|cookie_data|alt_title|html_.*|beamer_.*|latex_.*|noter_.*|interleave.*|collapsed|heading|background-color|mtime|ctime)$/i

/** A heading with all that is said of it: `* TODO [#A] Text :tag:`, when it is due, and its properties. */
export class OrgHeading {
  readonly #links: OrgLinks
  readonly #level: number
  readonly #text: string
  readonly #tags: string[]
  readonly #facts: string[] = []
  #id = ''
  #isInDrawer = false

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

  /** Whether the line says something about the heading, below which it stands. */
  read(line: string): boolean {
    if (this.#isInDrawer) this.#readDrawer(line)
    else if (PLANNING.test(line)) this.#readPlanning(line)
    else if (/^\s*:PROPERTIES:\s*$/i.test(line)) this.#isInDrawer = true
    else return false
    return true
  }

  /** Lines of Markdown. */
  *lines(): Generator<string> {
    // Footnotes are at the end of the page, in a section of their own.
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

  #readDrawer(line: string): void {
    if (/^\s*:END:\s*$/i.test(line)) {
      this.#isInDrawer = false
      return
    }
    const [, key = '', value = ''] = PROPERTY.exec(line) ?? []
    if (/^(?:custom_)?id$/i.test(key)) this.#id ||= anchorOf(value)
    if (value.trim() === '' || HIDDEN.test(key) || this.#facts.length >= MOST_FACTS) return
    this.#facts.push(`${capitalized(key.replaceAll('_', ' '))}: ${orgText(value.trim(), this.#links)}`)
  }
}

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()

import { openBrackets, valuesOf } from './property-values.js'
import { TomlLines } from './toml-lines.js'

/** A property, a line that is not one, or a comment. */
export type Property =
  | { line: number; key: string; values: string[] }
  | NumberedLine
  | { line: number; comment: string }

interface NumberedLine {
  line: number
  text: string
}

/** Maximum lines and characters of front matter. Longer or unclosed front matter is read as text. */
const MAX_LINES = 2_000
const MAX_CHARACTERS = 200_000
/** Maximum values of one line, including those from aliases. */
const MAX_VALUES = 1_000
/** Maximum characters of a property line. */
const MAX_LINE_LENGTH = 4_000

/** Opening lines of front matter, in YAML or TOML (Hugo, Zola), with their closing lines. */
const MARKS: ReadonlyMap<string, RegExp> = new Map([
  ['---', /^(?:---|\.\.\.)[ \t\r]*$/],
  ['+++', /^\+\+\+[ \t\r]*$/],
])
/** The name of a property, at the beginning of a line. */
const PROPERTY_NAME = '[^\\s#:\'"-][^:\\n]{0,200}'
const PROPERTY = new RegExp(`^(${PROPERTY_NAME}):(?:\\s+(.*))?$`, 's')
const NESTED = new RegExp(`^[ \\t]{1,20}(${PROPERTY_NAME}):(?:\\s+(.*))?$`, 's')
const ANCHOR = /^&([^\s,[\]{}]{1,100})(?:\s+(.*))?$/s

/** A table whose keys are properties themselves: `[taxonomies]` of Zola. */
const NO_PARENT = /^(?:taxonomies|params|extra)$/

/**
 * The properties between two `---` lines at the top of a note, as in Obsidian: texts and lists of
 * texts. Values are read one at a time (`property-values.ts`). A map is read as `name key: value`, in a list as one text.
 */
export class FrontMatter {
  isOpen = false
  /** Whether the closing line has not been found. */
  isEndless = true
  readonly properties: Property[] = []
  /** Its unparsed lines, in case they turn out to be text. */
  #lines: NumberedLine[] = []
  #characters = 0
  #mark = ''
  /** Set for front matter in TOML, between `+++`. */
  #toml: TomlLines | null = null
  /** The property without a value that may be followed by a map: `date:`, then `  created: …`. */
  #parent: string | null = null
  /** YAML anchors (`&oslo Oslo`), used by aliases (`*oslo`). */
  readonly #anchors = new Map<string, readonly string[]>()
  /** An unfinished list in brackets. */
  #list: string | null = null
  /** Comments of the current property, and the indentation of its last list item. */
  #comments: string[] = []
  #item = Number.POSITIVE_INFINITY
  readonly #own: (text: string) => { key: string; values: string[] } | undefined
  /** The property that the next lines may continue. */
  #current: { line: number; key: string; values: string[]; isText: boolean } | null = null

  /** @param own reads a Logseq property, `key:: value` */
  constructor(own: (text: string) => { key: string; values: string[] } | undefined) {
    this.#own = own
  }

  /**
   * Whether the line belongs to the front matter, ends it, or proves that there is none. In the last case `takeLines` returns
   * the previous lines, which are text.
   */
  read(line: number, text: string): 'inside' | 'ended' | 'none' {
    if (!this.isOpen) {
      this.#mark = text.trimEnd()
      if (line !== 1 || !MARKS.has(this.#mark)) return 'none'
      this.isOpen = true
      this.#toml = this.#mark === '+++' ? new TomlLines() : null
      this.#lines.push({ line, text })
      return 'inside'
    }
    if (MARKS.get(this.#mark)?.test(text)) {
      this.#close()
      this.isOpen = false
      this.isEndless = false
      return this.isProse ? 'none' : 'ended'
    }
    this.#characters += text.length
    if (this.#lines.length > MAX_LINES || this.#characters > MAX_CHARACTERS) {
      this.isOpen = false
      return 'none'
    }
    this.#lines.push({ line, text })
    const yaml = this.#toml ? this.#toml.next(text) : text
    if (yaml === null) this.#keepLine(line, text)
    else this.#readLine(line, yaml)
    return 'inside'
  }

  /** Returns the lines that turned out to be text and discards all properties. */
  takeLines(): NumberedLine[] {
    const lines = this.#lines
    this.#lines = []
    this.properties.length = 0
    return lines
  }

  /** Whether it is text between two horizontal rules. */
  get isProse(): boolean {
    const lines = this.properties.filter(property => !('comment' in property))
    return lines.length > 0 && lines.every(property => 'text' in property)
  }

  #readLine(line: number, text: string): void {
    if (text.length > MAX_LINE_LENGTH) {
      this.#keepLine(line, text)
      return
    }
    const own = text.includes('::') ? this.#own(text) : undefined
    if (own) {
      // A Logseq property in front matter.
      this.#close()
      this.properties.push({ line, ...own })
      return
    }
    const start = PROPERTY.exec(text)
    if (this.#list !== null && !start && this.#goesOn(text)) return
    const [, indent = '', item] = /^(\s*)-\s+(.*)$/s.exec(text) ?? []
    const nested = NESTED.exec(text)
    const current = this.#current
    const isIndented = /^\s/.test(text)
    if (current?.isText && isIndented) current.values.push(text.trim())
    else if (text.trim() === '') return
    else if (/^\s*#/.test(text)) this.#keepComment(line, text.trim().slice(1))
    else if (item !== undefined && current) {
      this.#item = indent.length
      this.#addItem(item)
    } else if (start) {
      this.#begin(line, start[1] ?? '', start[2] ?? '')
      this.#parent = start[2] === undefined ? (start[1] ?? null) : null
    } else if (current && isIndented && (!nested || this.#parent === null || text.search(/\S/) > this.#item))
      this.#goOn(text.trim())
    else if (nested && this.#parent !== null) {
      const isAlone = this.#toml !== null && NO_PARENT.test(this.#parent)
      if (isAlone && current?.key === this.#parent) this.#current = null
      if (isAlone && !this.#current) this.#keepComment(line, `[${this.#parent}]`)
      this.#begin(line, isAlone ? (nested[1] ?? '') : `${this.#parent} ${nested[1] ?? ''}`, nested[2] ?? '')
    } else this.#keepLine(line, text)
  }

  #keepLine(line: number, text: string): void {
    this.#close()
    this.properties.push({ line, text })
  }

  #keepComment(line: number, comment: string): void {
    if (this.#current) this.#comments.push(comment)
    else this.properties.push({ line, comment: comment.trim() })
  }

  #begin(line: number, key: string, value: string): void {
    this.#close()
    this.#item = Number.POSITIVE_INFINITY
    const isText = /^[|>][+-]?\s*$/.test(value)
    this.#current = { line, key: key.trim(), values: [], isText }
    if (!isText) this.#addValues(value)
  }

  /** Adds a list item, which may begin a map. */
  #addItem(text: string): void {
    const [, key, value = ''] = PROPERTY.exec(text) ?? []
    if (key === undefined) this.#addValues(text)
    else this.#keepValues(`${key}: ${valuesOf(value.trim(), this.#comments).join(', ')}`)
  }

  /** Appends the line to the last text. */
  #goOn(text: string): void {
    const values = this.#current?.values ?? []
    const [, key, value = ''] = this.#item < Number.POSITIVE_INFINITY ? (PROPERTY.exec(text) ?? []) : []
    const more = key === undefined ? ` ${text}` : `, ${key}: ${valuesOf(value.trim()).join(', ')}`.trimEnd()
    const last = values.pop()
    values.push(last === undefined ? more.replace(/^[, ]+/, '') : last + more)
  }

  #addValues(written: string): void {
    const [, anchor, rest = ''] = ANCHOR.exec(written) ?? []
    const text = anchor === undefined ? written : rest
    if (anchor !== undefined && this.#anchors.size < MAX_LINES) {
      this.#anchors.set(`*${anchor}`, rest === '' ? (this.#current?.values ?? []) : valuesOf(rest.trim()))
    }
    if (/^\s*[[{]/.test(text) && openBrackets(text) > 0) this.#list = text
    else this.#keepValues(text)
  }

  #keepValues(text: string): void {
    const meant = valuesOf(text.trim(), this.#comments).flatMap(value => this.#anchors.get(value) ?? value)
    this.#current?.values.push(...meant.slice(0, MAX_VALUES))
  }

  /** Whether the line continues a list in brackets. */
  #goesOn(text: string): boolean {
    const list = `${this.#list}\n${text}`
    if (list.length > MAX_LINE_LENGTH) return false
    this.#list = list
    if (openBrackets(list) <= 0) this.#endList()
    return true
  }

  #endList(): void {
    if (this.#list !== null) this.#keepValues(this.#list)
    this.#list = null
  }

  #close(): void {
    this.#endList()
    if (!this.#current) return
    const { line, key, values, isText } = this.#current
    this.#current = null
    const texts = isText ? [values.join('\n')] : values
    this.properties.push({ line, key, values: texts.filter(value => value !== '') })
    for (const comment of this.#comments.splice(0)) this.properties.push({ line, comment: comment.trim() })
  }
}

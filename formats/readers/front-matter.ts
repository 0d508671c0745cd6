import { parseDocument } from 'yaml'
import { keepLinks } from '../../common/yaml-links.js'
import { contentOfLine } from './note-line.js'

export type Property = { line: number; key: string; values: string[] } | { line: number; problem: string }

/** Lines of front matter. */
const MAX_LINES = 2_000
/** Characters of one value passed to the YAML parser. */
const LONGEST_YAML = 300
const DEEPEST = 4
/** Characters of a property's line. */
const LONGEST_LINE = 4_000

/**
 * The properties between two lines `---` at the top of a note, as Obsidian reads them: texts, and lists of
 * texts. The YAML parser reads one value at a time, because it takes a second for 8 kB of quotes and crashes
 * the process on 4 kB of braces (docs/decisions/0015). A map is read as `name key: value`; nested maps are
 * left out.
 */
export class FrontMatter {
  isOpen = false
  readonly properties: Property[] = []
  #lines = 0
  /** The property without a value whose map may follow: `date:`, then `  created: …`. */
  #parent: string | null = null
  /** The property whose further lines may follow. */
  #current: { line: number; key: string; values: string[]; isText: boolean } | null = null

  /** Whether the line is part of the front matter, ends it, or shows that there is none. */
  read(line: number, text: string): 'inside' | 'ended' | 'none' {
    if (!this.isOpen) {
      if (line !== 1 || text.trimEnd() !== '---') return 'none'
      this.isOpen = true
      return 'inside'
    }
    if (/^(?:---|\.\.\.)\s*$/.test(text)) {
      this.#close()
      this.isOpen = false
      return 'ended'
    }
    if (++this.#lines <= MAX_LINES) this.#readLine(line, text)
    return 'inside'
  }

  #readLine(line: number, text: string): void {
    if (text.length > LONGEST_LINE) {
      this.properties.push({ line, problem: 'This property is longer than 4,000 characters.' })
      return
    }
    const [own] = text.includes('::') ? contentOfLine(text).properties : []
    if (own) {
      // Logseq's own form of a property.
      this.#close()
      this.properties.push({ line, ...own })
      return
    }
    const item = /^\s*-\s+(.*)$/s.exec(text)?.[1]
    const nested = /^[ \t]{1,20}([^\s#:'"-][^:]{0,200}):(?:\s+(.*))?$/s.exec(text)
    const start = /^([^\s#:'"-][^:]{0,200}):(?:\s+(.*))?$/s.exec(text)
    if (this.#current?.isText && /^\s/.test(text)) this.#current.values.push(text.trim())
    else if (item !== undefined && this.#current) this.#addValues(line, item)
    else if (start) {
      this.#begin(line, start[1] ?? '', start[2] ?? '')
      this.#parent = start[2] === undefined ? (start[1] ?? null) : null
    } else if (nested && this.#parent !== null) {
      this.#begin(line, `${this.#parent} ${nested[1] ?? ''}`, nested[2] ?? '')
    } else if (text.trim() !== '' && !/^\s|^#/.test(text)) {
      this.properties.push({ line, problem: 'This line of the front matter is not “name: value”.' })
    }
  }

  #begin(line: number, key: string, value: string): void {
    this.#close()
    const isText = /^[|>][+-]?\s*$/.test(value)
    this.#current = { line, key: key.trim(), values: [], isText }
    if (!isText) this.#addValues(line, value)
  }

  #addValues(line: number, text: string): void {
    try {
      this.#current?.values.push(...valuesOf(text.trim()))
    } catch {
      this.properties.push({ line, problem: 'This value of the front matter is not YAML.' })
    }
  }

  #close(): void {
    if (!this.#current) return
    const { line, key, values, isText } = this.#current
    this.#current = null
    const texts = isText ? [values.join('\n')] : values
    this.properties.push({ line, key, values: texts.filter(value => value !== '') })
  }
}

/** The texts of one value. @throws when it is not YAML */
function valuesOf(text: string): string[] {
  // An unquoted [[link]] would be a nested list in YAML.
  if (/^\[\[[^[\]]{1,500}\]\]$/.test(text)) return [text]
  if (!/^["'[{&*!]/.test(text)) return [withoutComment(text)]
  if (text.length > LONGEST_YAML || depthOf(text) > DEEPEST) throw new Error('too much')
  const document = parseDocument(text, { merge: false, uniqueKeys: false })
  if (document.errors.length > 0) throw new Error('not YAML')
  keepLinks(document, text)
  return textsOf(document.toJS({ maxAliasCount: 0 }))
}

function withoutComment(text: string): string {
  const at = text.search(/\s#/)
  return at < 0 ? text : text.slice(0, at).trimEnd()
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return typeof value === 'object' || value === undefined ? [] : [String(value)]
}

function depthOf(text: string): number {
  let [depth, most] = [0, 0]
  for (const character of text) {
    if (character === '[' || character === '{') most = Math.max(most, ++depth)
    else if (character === ']' || character === '}') depth--
  }
  return most
}

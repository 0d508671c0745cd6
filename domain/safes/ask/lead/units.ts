import { plainText } from '../../../../engine/formats/index.js'
import { memoize } from '../../../../engine/graph/index.js'
import { spaced, wordsOf } from './asked.js'

/** Maximum characters of a passage that are read. */
const MAX_READ = 6_000
/** Maximum characters of an item, a property or a code block that is one unit; longer ones are split like prose. */
export const MAX_UNIT = 240

const FENCE = /^\s*(?:`{3,}|~{3,})/
/** Code that draws a picture. */
const DIAGRAM = /^\s*[`~]{3,}\s*\{?\.?(?:mermaid|plantuml|dot|graphviz|d2)\b/i
/** The line that begins or ends a note in a frame. */
const FRAME = /^\s*(?::::|!!!|\?\?\?)/
const HEADING = /^\s{0,3}(?:[-*+] )?#{1,6}\s/
const ITEM = /^\s*(?:[-*+]|\d{1,4}[.)])\s+/
const LINK_ITEM = /^\s*(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ x]\]\s+)?!?\[[^\]]{0,300}\]\(/
const QUOTE = /^\s*(?:>\s?)+/
/** Characters with a special meaning in Markdown or one of its dialects. */
const MARKED = /[[\]*_`<>{}~=^!:|#\\]/
/** A property of a note. */
const PROPERTY = /^\p{L}[\p{L}\p{N} _-]{0,40}: \S/u
const TABLE_ROW = /^\s*\|/
/** The line between the header of a table and its rows. */
const RULE = /^[\s|:-]+$/
/** Addresses are not sentences, regardless of their words. */
const ADDRESS = /\bhttps?:\/\/\S+/g

type Kind = 'prose' | 'item' | 'link' | 'property' | 'row' | 'code'

/** A sentence, a list item, a table row with its header, a property or a code block, as plain text. */
export interface Unit {
  text: string
  words: readonly string[]
  spaced: string
  kind: Kind
  /** Units of one paragraph have the same number. */
  block: number
  /** Its approximate start in the passage. */
  at: number
}

/** The units of a passage in Markdown, without headings. Questions ask for the same passages again and again. */
export const unitsOf: (text: string) => readonly Unit[] = memoize(
  text => new UnitReader().read(text.slice(0, MAX_READ)),
  { most: 500, longest: Number.POSITIVE_INFINITY },
)

class UnitReader {
  readonly #units: Unit[] = []
  /** The lines of the current block, and the start of the first. */
  #lines: string[] = []
  #from = 0
  #kind: Kind = 'prose'
  #block = 0
  /** The first line of the table that contains the last line, and whether a line of dashes follows it. */
  #head: string[] | null = null
  #isRuled = false

  read(text: string): Unit[] {
    let [at, isCode, isDiagram] = [0, false, false]
    for (const line of text.split('\n')) {
      if (this.#lines.length === 0) this.#from = at
      const isFence = FENCE.test(line)
      if (isFence) this.#end()
      if (isFence) [isCode, isDiagram] = [!isCode, DIAGRAM.test(line)]
      if (isFence) this.#kind = isCode ? 'code' : 'prose'
      else if (isCode) this.#lines.push(isDiagram ? '' : line)
      else this.#readLine(line, at)
      at += line.length + 1
    }
    this.#end()
    return this.#units
  }

  #readLine(line: string, at: number): void {
    if (TABLE_ROW.test(line)) {
      this.#readRow(line, at)
      return
    }
    this.#head = null
    this.#isRuled = false
    if (line.trim() === '' || HEADING.test(line) || FRAME.test(line)) this.#end()
    else {
      if (ITEM.test(line)) {
        this.#end()
        this.#kind = LINK_ITEM.test(line) ? 'link' : 'item'
        this.#from = at
      }
      const said = line.replace(ITEM, '').replace(QUOTE, '')
      this.#lines.push(MARKED.test(said) ? plainText(said) : said)
    }
  }

  #readRow(line: string, at: number): void {
    this.#end()
    this.#isRuled ||= RULE.test(line)
    if (RULE.test(line)) return
    const cells = line
      .split('|')
      .slice(1)
      .map(cell => plainText(cell).trim())
    const head = this.#head
    if (head === null) this.#head = cells
    else if (this.#isRuled) {
      const said = cells.map((cell, column) => (cell && head[column] ? `${head[column]}: ${cell}` : cell))
      this.#add(said.filter(cell => cell !== '').join(', '), 'row', at)
    }
  }

  #add(text: string, kind: Kind, at: number): void {
    const words = wordsOf(text)
    this.#units.push({ text, words, spaced: spaced(words), kind, block: this.#block, at })
  }

  #end(): void {
    const lines = this.#lines
    const kind = this.#kind
    this.#lines = []
    this.#kind = 'prose'
    if (kind === 'prose' && lines.every(line => PROPERTY.test(line))) {
      for (const line of lines) {
        this.#block++
        this.#add(line, 'property', this.#from)
      }
      return
    }
    const written = lines.join(' ')
    const text = written.replace(ADDRESS, ' ').replace(/\s+/g, ' ').trim()
    if (text === '') return
    this.#block++
    if (kind !== 'prose' && text.length < MAX_UNIT) {
      this.#add(text, kind, this.#from)
      return
    }
    let read = 0
    for (const sentence of sentencesOf(text)) {
      this.#add(sentence, kind, this.#from + Math.floor((read * written.length) / text.length))
      read += sentence.length + 1
    }
  }
}

/** The end of a sentence: after its stop and closing quotes or brackets. In scripts without spaces, no space follows. */
const STOP =
  /[.!?\u2026]["'\u201d\u2019)\]]*\s+(?=["'\u201c\u2018\u201e([]?[\p{Lu}\p{Lo}\p{N}])|[\u3002\uff01\uff1f]/gu
/** A stop after an abbreviation or the number of an item. */
const NO_STOP =
  /(?:^|[^\p{L}\p{N}])(?:\p{L}|\d{1,3}|e\.g|i\.e|z\.\s?B|d\.\s?h|etc|Dr|Mr|Mrs|Ms|St|vs|bzw|ca|Nr|Sr|Sra)\.\s+$/u

function* sentencesOf(text: string): Generator<string> {
  let from = 0
  for (const { index, 0: stop } of text.matchAll(STOP)) {
    const end = index + stop.length
    if (NO_STOP.test(text.slice(Math.max(from, end - 12), end))) continue
    yield text.slice(from, end).trimEnd()
    from = end
  }
  if (from < text.length) yield text.slice(from)
}

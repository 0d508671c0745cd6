import { MarkdownWriter } from './markdown-writer.js'
import { wikitextLine } from './wikitext-line.js'

/** Maximum list nesting. */
const MAX_DEPTH = 10
/** Maximum characters of an element that continues on the next line. */
const MAX_LENGTH = 2_000
const OPEN_ELEMENT = /<[a-z][\w-]{0,30}(?:\s[^<>]{0,2000})?$/

/** Classes may follow the marks. */
const HEADING = /^(!{1,6})(?:\.[\w-]{1,60}){0,9}/
const ITEM = /^([*#;:>]{1,99})(?:\.[\w-]{1,60}){0,9}/
const ROW = /^\|(.*)\|([cfhk]?)$/
const QUOTE = /^<{3}(?!<)(?:\.[\w-]{1,60}){0,9}/
/** Program definitions: on one line, or up to `\end`. */
const PRAGMA = /^\\(define|function|import|parameters|procedure|rules|whitespace|widget)\b/
const BEGINS_BLOCK = /^\\(?:define|function|procedure|widget)\s[^()]{1,200}\([^()]{0,500}\)$/
const FENCE = '```'
const TYPED = '$$$'

/** Converts TiddlyWiki's wikitext to Markdown, line by line. */
export class Wikitext {
  readonly #inline: (text: string) => string
  readonly #out: MarkdownWriter
  /** Line breaks count between lines of `"""`. */
  #isPoem = false
  /** An element that is not closed yet. */
  #open = ''

  constructor(isNote: (title: string) => boolean, emit: (line: string) => void) {
    this.#inline = text => wikitextLine(text, isNote)
    this.#out = new MarkdownWriter(emit)
  }

  read(line: string): void {
    const text = line.trim()
    if (this.#out.readVerbatim(line)) return
    if (this.#open !== '' || !this.#readBlock(text)) this.#readText(text)
  }

  end(): void {
    if (this.#open !== '') this.#out.write(this.#inline(this.#open))
    this.#open = ''
    this.#out.endTable()
    this.#out.endVerbatim()
  }

  /** False if the text is not a block. */
  #readBlock(text: string): boolean {
    const [, cells, kind] = ROW.exec(text) ?? []
    if (cells !== undefined) return this.#readRow(cells, kind ?? '')
    this.#out.endTable()
    if (text.startsWith(FENCE)) return this.#beginCode(text.slice(3), line => line.trim() === FENCE)
    if (text.startsWith(TYPED)) return this.#beginCode(text.slice(3), line => line.trim() === TYPED)
    if (PRAGMA.test(text))
      return this.#beginProgram(text, line => !BEGINS_BLOCK.test(text) || /^\s*\\end\b/.test(line))
    const isEnd = endOfProgram(text)
    if (isEnd) return this.#beginProgram(text, isEnd)
    const [quote] = QUOTE.exec(text) ?? []
    if (quote !== undefined && !text.endsWith('>>')) return this.#quote(text.slice(quote.length).trim())
    if (text === '"""') {
      this.#isPoem = !this.#isPoem
      return true
    }
    // The beginning or end of a styled block.
    if (/^@@(?:[.;:\w\s#%-]{0,300})$/.test(text)) return true
    const [before, marks] = HEADING.exec(text) ?? []
    // One level below the title.
    if (before !== undefined && marks !== undefined)
      return this.#writeAlone(
        `${'#'.repeat(Math.min(marks.length + 1, 6))} ${this.#inline(text.slice(before.length).trim())}`,
      )
    if (/^-{3,}$/.test(text)) return this.#writeAlone('---')
    const [begin, levels] = ITEM.exec(text) ?? []
    if (begin === undefined || levels === undefined) return false
    this.#out.write(this.#item(levels, text.slice(begin.length).trim()))
    return true
  }

  #readText(line: string): void {
    const text = this.#open === '' ? line : `${this.#open} ${line}`
    this.#open = text.length < MAX_LENGTH && OPEN_ELEMENT.test(text) ? text : ''
    if (this.#open !== '') return
    // Escapes text that would begin a Markdown block.
    const shown = this.#inline(text).replace(/^(?:[-+](?=\s)|\d{1,9}(?=[.)]\s)|#(?=#{0,5}\s))/, mark =>
      /\d/.test(mark) ? `${mark}\\` : `\\${mark}`,
    )
    this.#out.write(this.#isPoem ? `${shown}  ` : shown)
  }

  /** Begins code whose first and last lines belong to it. */
  #beginProgram(text: string, isEnd: (line: string) => boolean): true {
    this.#out.blank()
    this.#beginCode('', isEnd, 'inside')
    this.#out.readVerbatim(text)
    return true
  }

  #beginCode(language: string, isEnd: (line: string) => boolean, end?: 'inside'): true {
    this.#out.begin(
      { isEnd, take: line => line, fence: FENCE, isAlone: true, ...(end ? { end } : {}) },
      language.trim(),
    )
    return true
  }

  #quote(cited: string): true {
    if (this.#out.quoted === null) this.#out.beginQuote(FENCE)
    else {
      if (cited !== '') this.#out.write(`\u2014 ${this.#inline(cited)}`)
      this.#out.endQuote(FENCE)
    }
    return true
  }

  #item(levels: string, text: string): string {
    const kind = levels.at(-1)
    const shown = this.#inline(text)
    const before = levels.slice(0, -1).slice(0, MAX_DEPTH)
    const indent = [...before].reduce((sum, mark) => sum + (mark === '#' ? 3 : 2), 0)
    if (kind === '>') return `${'> '.repeat(Math.min(levels.length, MAX_DEPTH))}${shown}`
    if (kind === ';') {
      this.#out.blank()
      return shown
    }
    if (kind === ':') return `: ${shown}`
    return `${' '.repeat(indent)}${kind === '#' ? '1.' : '-'} ${shown}`
  }

  #readRow(cells: string, kind: string): true {
    if (kind === 'c') return this.#writeAlone(this.#inline(cells))
    // Rows of kind `k` contain class names.
    if (kind === 'k') return true
    const row = cellsOf(cells)
    // Markdown allows one header row, the first.
    if (!this.#out.isInTable && kind !== 'h' && !row.every(cell => cell.startsWith('!'))) this.#out.addRow([])
    this.#out.addRow(
      row.map(cell => (/^[~<>]$/.test(cell) ? '' : this.#inline(cell.replace(/^!/, '').trim()))),
    )
    return true
  }

  #writeAlone(line: string): true {
    this.#out.writeAlone(line)
    return true
  }
}

/** Pairs inside which bars do not end a cell. */
const INSIDE: Readonly<Record<string, string>> = { '[[': ']]', '{{': '}}', '<<': '>>', '[i': ']]', '`': '`' }
const MAX_INSIDE_LENGTH = 500

/** The cells of a row; bars in links, programs and code belong to the cell. */
function cellsOf(row: string): string[] {
  const cells = ['']
  for (let at = 0; at < row.length; ) {
    const [begin] = [row.slice(at, at + 2), row.charAt(at)].filter(some => some in INSIDE)
    const end = INSIDE[begin ?? '']
    const to = end === undefined ? -1 : row.slice(at + 1, at + MAX_INSIDE_LENGTH).indexOf(end)
    const some = to === -1 ? row.charAt(at) : row.slice(at, at + 1 + to + (end?.length ?? 0))
    if (some === '|') cells.push('')
    else cells.push(cells.pop() + some)
    at += some.length
  }
  return cells.map(cell => cell.trim())
}

/** A test for the end of a macro or widget that the line begins but does not end. */
function endOfProgram(text: string): ((line: string) => boolean) | null {
  const isMacro = /^<<[\w.$-]/.test(text)
  if (!isMacro && !/^<\$[\w.-]/.test(text)) return null
  const isQuoted = text.split('"""').length % 2 === 0
  if (isQuoted) return line => /"""[^"]{0,500}>/.test(line)
  if (isMacro) return text.includes('>>') ? null : line => line.includes('>>')
  return text.includes('>') ? null : line => line.includes('>')
}

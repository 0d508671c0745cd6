import type { SourceFile } from '../shared/format.js'
import { MarkdownWriter, type Verbatim } from './markdown-writer.js'
import { widthOf } from './note-headings.js'
import { drawerLine, OrgHeader, OrgHeading } from './org-details.js'
import { OrgLinks } from './org-links.js'
import { orgText } from './org-text.js'
import { type NoteProperty, propertyLine } from './rewritten-note.js'

/** Maximum lines and characters of a paragraph; emphasis and links may span lines. */
const MAX_LINES = 100
const MAX_PARAGRAPH_LENGTH = 10_000
/** Columns of a tab stop. */
const TAB = 8

const HEADING = /^(\*{1,100})\s+(.*)$/s
const ITEM = /^(\s*)(?:([-+])|(\*)|(\d{1,9})[.)])(?:\s+(.*))?$/s
const BLOCK = /^\s*#\+begin_(\S{1,60})(?:\s+(.*))?$/is
const BLOCK_END = /^\s*#\+end_(\S{1,60})\s*$/i
const KEYWORD = /^\s{0,200}#\+([\w-]{1,60})(?:\[[^\]]{0,60}\])?:\s*(.*)$/s
const DRAWER = /^\s*:([\w-]{1,60}):\s*$/
const DRAWER_END = /^\s*:END:\s*$/i
const FOOTNOTE = /^\[fn:([\w-]{1,60})\]\s{0,9}(.*)$/s
const FORMULA = /^\s*\\begin\{([A-Za-z]{1,30}\*?)\}/
const FIXED_WIDTH = /^\s*:(?:\s(.*))?$/s
/** Comments, keywords without a value, clock entries and diary expressions. */
const FOR_PROGRAMS = /^\s*#(?:\s|$|\+[a-z_-]{1,40}(?:\s|$))|^\s*CLOCK:\s|^&?%%\(/i
/** Beginnings of lines that are text in Org mode but markup in Markdown. */
const MISREAD = /^(?:>|#{1,6}(?=\s)|`{3}|~{3}|={3,}\s*$|-{2,}\s*$|\[[^\]^][^\]]{0,200}\]:)/
/** A cell that only sets how its column looks. */
const LOOKS = /^(?:[/<>]|<>|<[lcr]?\d{0,3}>)?$/

/** Block types for code, for quotations, and for callouts. All others are text. */
const CODE = /^(?:src|example|export|html|latex|ascii)$/
const QUOTED = /^(?:quote|verse)$/
const CALLOUT =
  /^(?:note|tip|warning|info|important|caution|abstract|summary|question|bug|danger|success|failure|todo|aside|details)$/
/** Drawers that are not shown because only programs use them. */
const HIDDEN_DRAWER = /^(?:properties|logbook|results|clock)$/i

/** Converts the lines of an Org file to Markdown, line by line. */
export class OrgLines {
  readonly #links: OrgLinks
  readonly #header: OrgHeader
  readonly #emit: (line: string, property?: NoteProperty) => void
  readonly #out = new MarkdownWriter(line => {
    this.#begin()
    this.#emit(line)
  })
  /** The bullet of the current item before its first line is written. */
  #bullet: string | null = null
  #paragraph: string[] = []
  #paragraphLength = 0
  /** The current heading, until all its details are read. */
  #heading: OrgHeading | null = null
  #blanks = 0

  /** @param emit receives a line, and the file property that it contains */
  constructor(file: SourceFile, emit: (line: string, property?: NoteProperty) => void) {
    this.#links = new OrgLinks(file)
    this.#header = new OrgHeader(this.#links)
    this.#emit = emit
  }

  /** The title of the file, available after the first emitted line; empty if there is none. */
  get title(): string {
    return this.#header.name
  }

  read(line: string): void {
    const [, stars, written = ''] = HEADING.exec(line) ?? []
    if (stars !== undefined) {
      this.#closeAll()
      const level = Math.min(6, stars.length + (this.title === '' ? 0 : 1))
      this.#heading = new OrgHeading(this.#links, level, written)
    } else if (!this.#out.readVerbatim(line) && !this.#readDetail(line)) {
      this.#endHeading()
      if (line.trim() === '') this.#readBlank()
      else this.#readLine(line)
    }
  }

  end(): void {
    this.#closeAll()
    this.#begin()
  }

  /** Writes the file's header before anything else. */
  #begin(): void {
    for (const { line, property } of this.#header.take()) this.#emit(line, property)
  }

  /** Whether the line has details of the heading above, or begins its properties or those of the file. */
  #readDetail(line: string): boolean {
    const isDrawer = DRAWER.exec(line)?.[1]?.toLowerCase() === 'properties'
    const owner = this.#heading ?? (this.#header.isTaken ? null : this.#header)
    if (!isDrawer || !owner || this.#paragraph.length > 0) return this.#heading?.plan(line) ?? false
    const take = (line: string) => {
      const { key, value } = drawerLine(line)
      owner.add(key, value)
      return null
    }
    this.#out.begin({ isEnd: line => DRAWER_END.test(line), take, fence: '' })
    return true
  }

  #endHeading(): void {
    const heading = this.#heading
    if (!heading) return
    this.#heading = null
    this.#out.writeAlone(...heading.lines())
  }

  #readBlank(): void {
    this.#endBlocks()
    if (++this.#blanks > 1) this.#out.endLists()
    this.#out.blank()
  }

  #readLine(line: string): void {
    this.#blanks = 0
    const cells = line.trimStart()
    if (cells.startsWith('|')) {
      this.#readRow(widthOf(line, TAB), cells)
      return
    }
    this.#out.endTable()
    if (FIXED_WIDTH.test(line)) {
      const take = (line: string) => FIXED_WIDTH.exec(line)?.[1] ?? ''
      this.#beginCode(line, { isEnd: line => !FIXED_WIDTH.test(line), take, fence: '~~~~', end: 'outside' })
      this.read(line)
    } else if (!this.#readMark(line)) this.#readText(line)
  }

  /** Reads the beginning and end of blocks and drawers, and program lines. Captions of pictures are text. */
  #readMark(line: string): boolean {
    const [begin, kind = '', rest = ''] = BLOCK.exec(line) ?? []
    const [end, ended = ''] = BLOCK_END.exec(line) ?? []
    const [keyword, name = '', value = ''] = KEYWORD.exec(line) ?? []
    const [, drawer] = DRAWER.exec(line) ?? []
    const [, formula] = FORMULA.exec(line) ?? []
    if (begin !== undefined) this.#beginBlock(line, kind.toLowerCase(), rest)
    else if (end !== undefined) {
      this.#endParagraph()
      this.#out.endQuote(ended.toLowerCase())
    } else if (keyword !== undefined) this.#readKeyword(name, value)
    else if (drawer !== undefined) {
      this.#endParagraph()
      if (HIDDEN_DRAWER.test(drawer)) this.#hide(line => DRAWER_END.test(line))
    } else if (formula !== undefined) {
      // Code, because Markdown would interpret its symbols.
      const isEnd = (line: string) => line.includes(`\\end{${formula}}`)
      this.#beginCode(line, { isEnd, fence: '```', end: 'inside' }, 'latex')
      this.read(line)
    } else return FOR_PROGRAMS.test(line)
    return true
  }

  #readKeyword(name: string, value: string): void {
    if (/^caption/i.test(name)) this.#add(value)
    const property = this.#header.add(name, value)
    if (property === null) return
    this.#endParagraph()
    this.#out.writeAlone(propertyLine(property))
  }

  #readText(line: string): void {
    const item = ITEM.exec(line)
    const [, note, said = ''] = FOOTNOTE.exec(line) ?? []
    const isRule = /^\s*-{5,}\s*$/.test(line)
    if (item && (item[3] === undefined || item[1] !== '')) this.#beginItem(item)
    else {
      this.#outdent(note !== undefined || isRule ? 0 : widthOf(line, TAB))
      if (note !== undefined || isRule) {
        this.#endParagraph()
        this.#out.blank()
      }
      if (isRule) this.#out.writeAlone('---')
      else this.#add(note === undefined ? line.trim() : `[fn:${note}]: ${said}`)
    }
  }

  #beginItem([, space = '', dash, star, number, said = '']: RegExpExecArray): void {
    this.#endParagraph()
    const [, counter] = /^\[@(\d{1,9})\]\s*/.exec(said) ?? []
    const marker = number === undefined ? (dash ?? star ?? '-').replace(/[*+]/, '-') : `${counter ?? number}.`
    const [, box, rest = ''] = /^(?:\[@\d{1,9}\]\s*)?(?:\[([ xX-])\](?:\s+|$))?(.*)$/s.exec(said) ?? []
    const checkbox = box === undefined ? '' : `[${box.toLowerCase() === 'x' ? 'x' : ' '}] `
    const at = number === undefined ? rest.search(/\s::(?:\s|$)/) : -1
    this.#bullet = `${this.#out.beginItem(widthOf(space, TAB), marker)}${marker} ${checkbox}`
    this.#add(at < 1 ? rest : `*${rest.slice(0, at).trim()}*: ${rest.slice(at + 3).trim()}`)
  }

  #outdent(width: number): void {
    if (!this.#out.isOutside(width)) return
    this.#endParagraph()
    this.#out.outdent(width)
  }

  #add(text: string): void {
    if (this.#paragraph.length >= MAX_LINES || this.#paragraphLength > MAX_PARAGRAPH_LENGTH)
      this.#endParagraph()
    this.#paragraph.push(text)
    this.#paragraphLength += text.length
  }

  #endParagraph(): void {
    const lines = this.#paragraph
    const bullet = this.#bullet
    if (lines.length === 0) return
    this.#paragraph = []
    this.#paragraphLength = 0
    this.#bullet = null
    const { indent } = this.#out
    const end = this.#out.quoted === 'verse' ? '  ' : ''
    for (const [at, line] of orgText(lines.join('\n'), this.#links).split('\n').entries()) {
      const start = at === 0 && bullet !== null ? bullet : indent
      this.#out.write(`${start}${line.trimStart().replace(MISREAD, found => `\\${found}`)}${end}`)
    }
  }

  #readRow(width: number, row: string): void {
    if (!this.#out.isInTable) {
      this.#outdent(width)
      this.#endParagraph()
    }
    if (/^\|[-+|\s]*$/.test(row)) return
    const inner = row.slice(1).trim()
    const cells = (inner.endsWith('|') ? inner.slice(0, -1) : inner).split('|')
    if (cells.every(cell => LOOKS.test(cell.trim()))) return
    this.#out.addRow(cells.map(cell => orgText(cell.trim(), this.#links)))
  }

  #beginBlock(line: string, kind: string, rest: string): void {
    this.#outdent(widthOf(line, TAB))
    this.#endParagraph()
    const isEnd = (line: string) => BLOCK_END.exec(line)?.[1]?.toLowerCase() === kind
    if (kind === 'comment') this.#hide(isEnd)
    else if (CODE.test(kind)) {
      const [language = ''] = /^(?:src|export)$/.test(kind) ? (/^[\w+#-]{1,40}/.exec(rest) ?? []) : []
      const fence = /^(?:md|markdown|org|text)?$/i.test(language) ? '~~~~' : '```'
      this.#beginCode(line, { isEnd, fence }, language)
    } else if (QUOTED.test(kind)) this.#out.beginQuote(kind)
    else if (CALLOUT.test(kind) && this.#out.beginQuote(kind)) this.#out.write(`[!${kind}]`)
  }

  #hide(isEnd: (line: string) => boolean): void {
    this.#out.begin({ isEnd, take: () => null, fence: '' })
  }

  /** Begins code on a line; `take` returns what a line of it says. */
  #beginCode(
    first: string,
    code: Pick<Verbatim, 'isEnd' | 'fence'> & Partial<Verbatim>,
    language = '',
  ): void {
    const indent = widthOf(first, TAB)
    this.#outdent(indent)
    this.#endParagraph()
    const take = (line: string) =>
      line.slice(Math.min(indent, widthOf(line, TAB))).replace(/^(\s*),(?=,*(?:\*|#\+))/, '$1')
    this.#out.begin({ take, ...code }, language)
  }

  /** Ends all blocks that a line of another kind ends. */
  #endBlocks(): void {
    this.#endParagraph()
    this.#out.endTable()
  }

  #closeAll(): void {
    this.#endHeading()
    this.#endBlocks()
    this.#out.endVerbatim()
    this.#blanks = 0
    this.#out.endAll()
  }
}

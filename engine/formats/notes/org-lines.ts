import { OrgHeader, OrgHeading } from './org-header.js'
import type { OrgLinks } from './org-links.js'
import { OrgOutput } from './org-output.js'
import { OrgTable } from './org-table.js'
import { orgText } from './org-text.js'
import type { NoteProperty } from './rewritten-note.js'

/** Maximum lines and characters of a paragraph; emphasis and links may span lines. */
const MAX_LINES = 100
const MAX_PARAGRAPH_LENGTH = 10_000

const HEADING = /^(\*{1,100})\s+(.*)$/s
const ITEM = /^(\s*)(?:([-+])|(\*)|(\d{1,9})[.)])(?:\s+(.*))?$/s
const BLOCK = /^(\s*)#\+begin_(\S{1,60})(?:\s+(.*))?$/is
const BLOCK_END = /^\s*#\+end_(\S{1,60})\s*$/i
const KEYWORD = /^\s{0,200}#\+([\w-]{1,40})(?:\[[^\]]{0,60}\])?:\s*(.*)$/s
const DRAWER = /^\s*:([\w-]{1,60}):\s*$/
const DRAWER_END = /^\s*:END:\s*$/i
const FOOTNOTE = /^\[fn:([\w-]{1,60})\]\s{0,9}(.*)$/s
const FORMULA = /^\s*\\begin\{([A-Za-z]{1,30}\*?)\}/
const FIXED_WIDTH = /^\s*:(?:\s(.*))?$/s
/** Comments, keywords without a value, clock entries and diary expressions. */
const FOR_PROGRAMS = /^\s*#(?:\s|$|\+[a-z_-]{1,40}(?:\s|$))|^\s*CLOCK:\s|^&?%%\(/i
/** Beginnings of lines that are text in Org mode but markup in Markdown. */
const MISREAD = /^(?:>|#{1,6}(?=\s)|`{3}|~{3}|={3,}\s*$|-{2,}\s*$|\[[^\]^][^\]]{0,200}\]:)/

/** Block types for code and for quotations. All others are text. */
const CODE = new Set(['src', 'example', 'export', 'html', 'latex', 'ascii'])
const QUOTED = new Set(['quote', 'verse'])
const CALLOUT =
  /^(?:note|tip|warning|info|important|caution|abstract|summary|question|bug|danger|success|failure|todo|aside|details)$/
/** Drawers that are not shown because only programs use them. */
const HIDDEN_DRAWERS = new Set(['properties', 'logbook', 'results', 'clock'])

interface Block {
  kind: string
  /** The end marker of a formula. */
  formula?: string
  /** Indentation in spaces. */
  indent: number
  /** The code fence; null for a hidden block. */
  fence: string | null
}

/** Converts the lines of an Org file to Markdown, line by line. */
export class OrgLines {
  readonly #links: OrgLinks
  readonly #header: OrgHeader
  readonly #out: OrgOutput
  /** The bullet of the current item before its first line is written. */
  #bullet: string | null = null
  #paragraph: string[] = []
  #paragraphLength = 0
  #block: Block | null = null
  #isInDrawer = false
  /** The current heading, until all its details are read. */
  #heading: OrgHeading | null = null
  #table: OrgTable | null = null
  #isFixedWidth = false
  #blanks = 0

  /** @param emit receives a line, and the file property that it contains */
  constructor(links: OrgLinks, emit: (line: string, property?: NoteProperty) => void) {
    this.#links = links
    this.#header = new OrgHeader(links)
    this.#out = new OrgOutput(this.#header, emit)
  }

  /** The title of the file, available after the first emitted line; empty if there is none. */
  get title(): string {
    return this.#header.name
  }

  read(line: string): void {
    const [, stars, written = ''] = HEADING.exec(line) ?? []
    if (stars !== undefined) {
      this.#closeAll()
      this.#header.close()
      this.#heading = new OrgHeading(
        this.#links,
        Math.min(6, stars.length + (this.title === '' ? 0 : 1)),
        written,
      )
    } else if (this.#block) this.#readBlock(line, this.#block)
    else if (this.#isInDrawer) this.#isInDrawer = !DRAWER_END.test(line)
    else if (!this.#heading?.read(line) && !this.#header.read(line)) {
      this.#endHeading()
      if (line.trim() === '') this.#readBlank()
      else this.#readLine(line)
    }
  }

  end(): void {
    this.#closeAll()
    // Emits the header of a file without text.
    this.#out.write('')
  }

  #endHeading(): void {
    const heading = this.#heading
    if (!heading) return
    this.#heading = null
    this.#out.blank()
    for (const line of heading.lines()) this.#out.write(line)
  }

  #readBlank(): void {
    this.#endBlocks()
    if (++this.#blanks > 1) this.#out.endLists()
    this.#out.blank()
  }

  #readLine(line: string): void {
    this.#blanks = 0
    const cells = line.trimStart()
    if (cells.startsWith('|')) this.#readRow(widthOf(line), cells)
    else {
      this.#endTable()
      const [fixed, code = ''] = FIXED_WIDTH.exec(line) ?? []
      if (fixed !== undefined) this.#readFixedWidth(widthOf(line), code)
      else {
        this.#endFixedWidth()
        if (!this.#readMark(line)) this.#readText(line)
      }
    }
  }

  /** Reads the beginning and end of blocks and drawers, and program lines. Captions of pictures are text. */
  #readMark(line: string): boolean {
    const [begin, space = '', kind = '', rest = ''] = BLOCK.exec(line) ?? []
    const [end, ended = ''] = BLOCK_END.exec(line) ?? []
    const [keyword, name = '', value = ''] = KEYWORD.exec(line) ?? []
    const [, drawer] = DRAWER.exec(line) ?? []
    const [, formula] = FORMULA.exec(line) ?? []
    if (begin !== undefined) this.#beginBlock(widthOf(space), kind.toLowerCase(), rest)
    else if (end !== undefined) {
      this.#endParagraph()
      this.#out.endQuote(ended.toLowerCase())
    } else if (keyword !== undefined) this.#readKeyword(name, value)
    else if (drawer !== undefined) {
      this.#endParagraph()
      this.#isInDrawer = HIDDEN_DRAWERS.has(drawer.toLowerCase())
    } else if (formula !== undefined) this.#beginFormula(line, formula)
    else return FOR_PROGRAMS.test(line)
    return true
  }

  #readKeyword(name: string, value: string): void {
    const property = this.#header.property(name, value)
    if (/^caption/i.test(name)) this.#add(value)
    if (property === null) return
    this.#endParagraph()
    this.#out.property(property)
  }

  #readText(line: string): void {
    const item = ITEM.exec(line)
    const [, note, said = ''] = FOOTNOTE.exec(line) ?? []
    if (item && (item[3] === undefined || item[1] !== '')) this.#beginItem(item)
    else if (note !== undefined) {
      this.#outdent(0)
      this.#endParagraph()
      this.#out.blank()
      this.#add(`[fn:${note}]: ${said}`)
    } else if (/^\s*-{5,}\s*$/.test(line)) {
      this.#outdent(0)
      this.#endParagraph()
      this.#out.blank()
      this.#out.write('---')
      this.#out.blank()
    } else {
      this.#outdent(widthOf(line))
      this.#add(line.trim())
    }
  }

  #beginItem([, space = '', dash, star, number, said = '']: RegExpExecArray): void {
    this.#endParagraph()
    const [, counter] = /^\[@(\d{1,9})\]\s*/.exec(said) ?? []
    const marker = number === undefined ? (dash ?? star ?? '-').replace(/[*+]/, '-') : `${counter ?? number}.`
    const [, box, rest = ''] = /^(?:\[@\d{1,9}\]\s*)?(?:\[([ xX-])\](?:\s+|$))?(.*)$/s.exec(said) ?? []
    const checkbox = box === undefined ? '' : `[${box.toLowerCase() === 'x' ? 'x' : ' '}] `
    const at = number === undefined ? rest.search(/\s::(?:\s|$)/) : -1
    this.#bullet = `${this.#out.beginItem(widthOf(space), marker)}${marker} ${checkbox}`
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

  #readRow(width: number, cells: string): void {
    if (!this.#table) {
      this.#outdent(width)
      this.#endBlocks()
      this.#out.blank()
    }
    this.#table ??= new OrgTable(this.#links)
    this.#table.add(cells)
    if (this.#table.isFull) this.#endTable()
  }

  #endTable(): void {
    const table = this.#table
    this.#table = null
    if (!table) return
    for (const row of table.rows) this.#out.write(this.#out.indent + row)
    this.#out.blank()
  }

  #readFixedWidth(width: number, text: string): void {
    if (!this.#isFixedWidth) {
      this.#outdent(width)
      this.#endParagraph()
      this.#out.writeCode('~~~~')
      this.#isFixedWidth = true
    }
    this.#out.writeCode(withoutFence(text, '~'))
  }

  #endFixedWidth(): void {
    if (this.#isFixedWidth) this.#out.writeCode('~~~~')
    this.#isFixedWidth = false
  }

  #beginBlock(indent: number, kind: string, rest: string): void {
    this.#outdent(indent)
    this.#endParagraph()
    if (kind === 'comment') this.#block = { kind, indent, fence: null }
    else if (CODE.has(kind)) {
      const [language = ''] = /^(?:src|export)$/.test(kind) ? (/^[\w+#-]{1,40}/.exec(rest) ?? []) : []
      const fence = /^(?:md|markdown|org|text)?$/i.test(language) ? '~~~~' : '```'
      this.#block = { kind, indent, fence }
      this.#out.writeCode(`${fence}${language}`)
    } else if (QUOTED.has(kind)) this.#out.beginQuote(kind)
    else if (CALLOUT.test(kind) && this.#out.beginQuote(kind)) this.#out.write(`[!${kind}]`)
  }

  /** A formula of several lines becomes code, because Markdown would interpret its symbols. */
  #beginFormula(line: string, name: string): void {
    this.#outdent(widthOf(line))
    this.#endParagraph()
    this.#block = { kind: '', formula: `\\end{${name}}`, indent: widthOf(line), fence: '```' }
    this.#out.writeCode('```latex')
    this.#readBlock(line, this.#block)
  }

  #readBlock(line: string, { kind, formula, indent, fence }: Block): void {
    if (BLOCK_END.exec(line)?.[1]?.toLowerCase() === kind) this.#endBlock()
    else if (fence !== null) {
      const inner = line.slice(Math.min(indent, widthOf(line)))
      this.#out.writeCode(withoutFence(inner.replace(/^(\s*),(?=,*(?:\*|#\+))/, '$1'), fence.slice(0, 1)))
      if (formula !== undefined && line.includes(formula)) this.#endBlock()
    }
  }

  #endBlock(): void {
    const fence = this.#block?.fence ?? null
    this.#block = null
    if (fence !== null) this.#out.writeCode(fence)
  }

  /** Ends all blocks that a line of another kind ends. */
  #endBlocks(): void {
    this.#endParagraph()
    this.#endTable()
    this.#endFixedWidth()
  }

  #closeAll(): void {
    this.#endHeading()
    this.#endBlocks()
    this.#endBlock()
    this.#isInDrawer = false
    this.#blanks = 0
    this.#out.endAll()
  }
}

/** Shortens a line that would end the surrounding code block. */
const withoutFence = (line: string, mark: string): string =>
  line.trim().length > 2 && line.trim().replaceAll(mark, '') === '' ? mark.repeat(2) : line

/** Columns before the first character; tab stops are every 8 columns. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (character === '\t') width += 8 - (width % 8)
    else if (character === ' ') width++
    else break
  }
  return width
}

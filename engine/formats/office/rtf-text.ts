import { words } from '../../../platform/common/words.js'
import { encodingOf, FONT_CHARSETS } from '../shared/code-pages.js'
import { boxOf } from '../shared/markdown-text.js'
import { pairs } from '../shared/pairs.js'
import type { Shift } from '../shared/raised-text.js'
import { TextFlow, type TextTarget } from '../shared/text-flow.js'
import { addressIn } from './field-code.js'

/** Destinations whose text is not part of the document, in addition to ignorable ones (`{\\*`). */
const ASIDE = words(`fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer
  footerl footerr footerf listtable listoverridetable rsidtbl generator filetbl themedata
  colorschememapping datastore latentstyles xe tc nonshppict atnid bkmkstart bkmkend revtbl`)
/** Destinations whose text is stored for later use. */
const CAPTURED = words('title fldinst listtext pntext atnauthor')
/** Control words for a character. */
const CHARACTERS = pairs('emdash — endash – bullet • lquote ‘ rquote ’ ldblquote “ rdblquote ”')
const SPACES = words('tab emspace enspace line')
/** Maximum group depth, pending bytes and characters, fonts, and cells of a row. */
const MAX_DEPTH = 1_000
/** Maximum characters of a control word with its number. */
const MAX_WORD = 50
const MAX_WAITING = 20_000
const MAX_FONTS = 2_000
const MAX_CELLS = 100

interface RtfGroup {
  isAside: boolean
  /** Number of fallback bytes after a `\\u`, for old programs. */
  fallback: number
  charset: string | null
  isHidden: boolean
  shift: Shift | null
  /** The destination whose text is stored. */
  captured: string | null
}

/** Bullets in symbol fonts, including unknown characters. */
const BULLET = /^[•·◦▪‣■\uf0a7\uf0b7\uf0d8\ufffd](?: |$)/

const TOKEN = /\\(?:([a-z]{1,32})(-?\d{1,10})? ?|'([\da-f]{2})|([\s\S]))|[{}]|[\r\n]+|[^\\{}\r\n]+/gi

/** Reads RTF in pieces into a document; control words may be cut anywhere. */
export class RtfText {
  readonly #target: TextTarget
  readonly #flow: TextFlow
  #rest = ''
  #group: RtfGroup = {
    isAside: false,
    fallback: 1,
    charset: null,
    isHidden: false,
    shift: null,
    captured: null,
  }
  readonly #groups: { group: RtfGroup; end: (() => void) | undefined }[] = []
  /** Called when the group ends. */
  #end: (() => void) | undefined
  /** Number of open groups beyond the maximum depth, which are left out. */
  #beyond = 0
  #isNew = false
  #isIgnorable = false
  #page = 'windows-1252'
  readonly #fonts = new Map<number, string>()
  #isFontTable = 0
  #font = 0
  /** Bytes that are not decoded yet. */
  readonly #bytes: number[] = []
  #skip = 0
  #binary = 0
  #line = 1
  #outline: number | null = null
  #level = 0
  /** Stored text by destination, and the current superscript or subscript. */
  #captured = new Map<string, string>()
  #shift: Shift | null = null
  #notes = 0
  #isInTable = false
  /** Of the row: its cell definitions, and the number of finished cells. */
  #cells: { isRight: boolean; isDown: boolean }[] = []
  #cell = { isRight: false, isDown: false }
  #ended = 0

  constructor(target: TextTarget) {
    this.#target = target
    this.#flow = new TextFlow(target, () => this.#line)
  }

  write(some: string): void {
    this.#rest = this.#read(this.#rest + some, MAX_WORD)
  }

  end(): void {
    this.#read(this.#rest, 0)
    this.#endParagraph()
  }

  /** Returns the rest from the first control word on that ends in the last characters and may be incomplete. */
  #read(text: string, last: number): string {
    let read = this.#withoutBinary(text, 0)
    TOKEN.lastIndex = read
    for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
      const [all, word, number, byte, symbol] = found
      if (all.startsWith('\\') && TOKEN.lastIndex > text.length - last) break
      if (word !== undefined) this.#control(word, number === undefined ? null : Number(number))
      else if (byte !== undefined) this.#addByte(Number.parseInt(byte, 16))
      else if (symbol !== undefined) this.#symbol(symbol)
      else if (all === '{') this.#open()
      else if (all === '}') this.#close()
      else if (!/^[\r\n]/.test(all)) this.#add(all)
      read = this.#withoutBinary(text, TOKEN.lastIndex)
      TOKEN.lastIndex = read
    }
    return text.slice(read)
  }

  /** The place after binary data. */
  #withoutBinary(text: string, at: number): number {
    const skipped = Math.min(this.#binary, text.length - at)
    this.#binary -= skipped
    return at + skipped
  }

  #open(): void {
    this.#flush()
    if (this.#groups.length >= MAX_DEPTH) this.#beyond++
    else {
      this.#groups.push({ group: { ...this.#group }, end: this.#end })
      this.#end = undefined
    }
    this.#isNew = true
    this.#isIgnorable = false
  }

  #close(): void {
    this.#flush()
    this.#isNew = false
    if (this.#beyond > 0) this.#beyond--
    else {
      this.#end?.()
      const around = this.#groups.pop()
      this.#group = around?.group ?? this.#group
      this.#end = around?.end
      if (this.#groups.length < this.#isFontTable) this.#isFontTable = 0
    }
  }

  #symbol(symbol: string): void {
    if (symbol === '*') this.#isIgnorable = true
    else if (symbol === '~') this.#add(' ')
    else if (symbol === '_') this.#add('-')
    else if (symbol === '\\' || symbol === '{' || symbol === '}') this.#add(symbol)
    else if (symbol === '\n' || symbol === '\r') this.#endParagraph()
  }

  #control(word: string, number: number | null): void {
    const isFirst = this.#isNew
    this.#isNew = false
    if (isFirst && this.#begin(word)) return
    if (word === 'bin') this.#binary = Math.max(0, number ?? 0)
    else if (word === 'f' && number !== null) this.#selectFont(number)
    else if (word === 'fcharset' && this.#isFontTable > 0) this.#nameCharset(number ?? 0)
    else if (word === 'ansicpg') this.#page = encodingOf(number ?? 0)
    else if (word === 'mac') this.#page = 'macintosh'
    else if (word === 'uc') this.#group.fallback = Math.min(10, Math.max(0, number ?? 1))
    else if (word === 'u') this.#addCode(number ?? 63)
    else if (/^ff(?:def)?res$/.test(word)) this.#captured.set(word, String(number ?? 0))
    else if (!this.#isLeftOut) this.#format(word, number)
  }

  /** Begins a destination. Returns whether its text is separate from the paragraph. */
  #begin(word: string): boolean {
    if (this.#isLeftOut && word !== 'title') return false
    if (CAPTURED.has(word)) {
      this.#group.captured = word
      this.#captured.set(word, '')
      if (word === 'title') this.#end = () => this.#target.addName(1, this.#captured.get('title') ?? '')
    } else if (word === 'fldrslt') this.#beginResult()
    else if (word === 'footnote') this.#beginNote(`[${++this.#notes}]`)
    else if (word === 'annotation')
      this.#beginNote(`Comment by ${this.#captured.get('atnauthor') || 'somebody'}:`)
    else if (ASIDE.has(word) || this.#isIgnorable) {
      this.#group.isAside = true
      if (word === 'fonttbl') this.#isFontTable = this.#groups.length
    } else return false
    return true
  }

  #beginNote(note: string): void {
    if (note.startsWith('[')) this.#flow.add(note)
    this.#end = this.#flow.beginAside(note)
  }

  #beginResult(): void {
    const code = this.#captured.get('fldinst') ?? ''
    this.#flow.beginLink(addressIn(code))
    const [own = '25', usual = '0'] = ['ffres', 'ffdefres'].map(name => this.#captured.get(name))
    if (/FORMCHECKBOX/.test(code)) this.#flow.add(boxOf((own === '25' ? usual : own) === '1'))
    this.#end = () => this.#flow.endLink()
  }

  #format(word: string, number: number | null): void {
    const group = this.#group
    if (word === 'par' || word === 'sect' || word === 'page') this.#endParagraph()
    else if (word === 'pard') {
      this.#outline = null
      this.#isInTable = false
      this.#level = 0
    } else if (word === 'outlinelevel') this.#outline = number
    else if (word === 'ilvl') this.#level = number ?? 0
    else if (word === 'v' || word === 'deleted') group.isHidden = number !== 0
    else if (word === 'plain') Object.assign(group, { isHidden: false, shift: null })
    else if (word === 'super' || (word === 'up' && number !== 0)) group.shift = number === 0 ? null : 'raised'
    else if (word === 'sub' || (word === 'dn' && number !== 0)) group.shift = number === 0 ? null : 'lowered'
    else if (word === 'nosupersub' || word === 'up' || word === 'dn') group.shift = null
    else if (SPACES.has(word)) this.#add(' ')
    else if (CHARACTERS.has(word)) this.#add(CHARACTERS.get(word) ?? '')
    else this.#table(word)
  }

  /** Table definitions, then the cells of a row (RTF 1.9, Table Definitions). */
  #table(word: string): void {
    if (word === 'intbl') this.#isInTable = true
    else if (word === 'trowd') this.#cells = []
    else if (word === 'clmrg') this.#cell.isRight = true
    else if (word === 'clvmrg') this.#cell.isDown = true
    else if (word === 'cellx') {
      if (this.#cells.length < MAX_CELLS) this.#cells.push(this.#cell)
      this.#cell = { isRight: false, isDown: false }
    } else if (word === 'nestcell') this.#add(' ')
    else if (word === 'cell') this.#endCell()
    else if (word === 'row') {
      this.#flush()
      this.#line++
      this.#ended = 0
      this.#flow.endRow(false)
    }
  }

  #beginRow(): void {
    if (this.#flow.isInRow || this.#flow.isInNote) return
    if (!this.#flow.isInTable) this.#flow.beginTable(true)
    this.#flow.beginRow(true)
  }

  #endCell(): void {
    this.#flush()
    this.#endShift()
    this.#beginRow()
    const at = this.#ended++
    if (this.#cells[at]?.isRight) return
    const next = this.#cells.findIndex((cell, other) => other > at && !cell.isRight)
    const columns = this.#cells[at] ? (next < 0 ? this.#cells.length : next) - at : 1
    this.#flow.endCell({ columns, isContinued: this.#cells[at]?.isDown ?? false })
  }

  #selectFont(number: number): void {
    this.#flush()
    if (this.#isFontTable > 0) this.#font = number
    else this.#group.charset = this.#fonts.get(number) ?? null
  }

  #nameCharset(number: number): void {
    const charset = FONT_CHARSETS.get(String(number))
    if (charset !== undefined && this.#fonts.size < MAX_FONTS) this.#fonts.set(this.#font, charset)
  }

  #addByte(byte: number): void {
    this.#isNew = false
    if (this.#skip > 0) this.#skip--
    else if (!this.#isLeftOut && this.#bytes.length < MAX_WAITING) this.#bytes.push(byte)
  }

  #addCode(number: number): void {
    this.#flush()
    this.#skip = this.#group.fallback
    const code = number < 0 ? number + 65_536 : number
    if (!this.#isLeftOut && code > 0 && code <= 0xffff) this.#push(String.fromCharCode(code))
  }

  #add(text: string): void {
    this.#isNew = false
    const skipped = Math.min(this.#skip, text.length)
    this.#skip -= skipped
    if (this.#isLeftOut || skipped === text.length) return
    this.#flush()
    // Some programs write bytes without escapes.
    const written = text.slice(skipped)
    this.#push(written.replace(/[\x80-\xff]+/g, some => this.#decode(Buffer.from(some, 'latin1'))))
  }

  get #isLeftOut(): boolean {
    return (this.#group.isAside && this.#group.captured === null) || this.#beyond > 0
  }

  #decode(bytes: Uint8Array): string {
    return new TextDecoder(this.#group.charset ?? this.#page).decode(bytes)
  }

  #flush(): void {
    if (this.#bytes.length > 0) this.#push(this.#decode(Uint8Array.from(this.#bytes.splice(0))))
  }

  #push(some: string): void {
    const text = some.replace(/\p{Cc}/gu, ' ')
    const { captured, isHidden, shift } = this.#group
    if (captured !== null) {
      const known = this.#captured.get(captured) ?? ''
      if (known.length < MAX_WAITING) this.#captured.set(captured, known + text)
      return
    }
    if (isHidden) return
    if (this.#isInTable) this.#beginRow()
    if (this.#shift !== shift) {
      this.#endShift()
      this.#shift = shift
      if (shift !== null) this.#flow.shift(shift)
    }
    if (this.#flow.isEmpty && BULLET.test(text.trimStart()) && !this.#flow.isInRow) {
      this.#captured.set('listtext', '•')
      this.#flow.add(text.trimStart().slice(1))
    } else this.#flow.add(text)
  }

  #endShift(): void {
    if (this.#shift !== null) this.#flow.endShift()
    this.#shift = null
  }

  #endParagraph(): void {
    if (this.#isLeftOut || this.#group.captured !== null) return
    this.#flush()
    this.#endShift()
    const flow = this.#flow
    if (flow.isInRow || flow.isInNote) {
      flow.endLine()
      return
    }
    if (flow.isInTable) flow.endTable()
    this.#line++
    const mark = (this.#captured.get('listtext') ?? this.#captured.get('pntext') ?? '')
      .replace(/\s+/g, ' ')
      .trim()
    this.#captured.delete('listtext')
    this.#captured.delete('pntext')
    if (flow.isEmpty) return
    const level = this.#outline !== null && this.#outline < 9 ? this.#outline + 1 : null
    if (level !== null) flow.nameHeading(level)
    else flow.setBullet(this.#level, markOf(mark))
    flow.endParagraph()
    flow.setBullet(0, '')
  }
}

/** The Markdown form of a list marker: `3)` and `(3)` become `3.`. */
function markOf(mark: string): string {
  const [, number] = /^\(?(\d{1,8}(?:\.\d{1,4}){0,8}|[a-z]{1,6})[.)]{0,2}$/i.exec(mark) ?? []
  return mark === '' ? '' : number === undefined ? '-' : `${number}.`
}

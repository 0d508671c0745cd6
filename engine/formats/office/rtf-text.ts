import { trimEndOf } from '../../graph/index.js'
import { encodingOf } from '../shared/code-page.js'
import type { Document } from '../shared/document.js'

/** Destinations that are not text of the document, besides those that programs may ignore (`{\\*`). */
const ASIDE = new Set(
  (
    'fonttbl colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf ' +
    'listtable listoverridetable rsidtbl generator filetbl themedata colorschememapping datastore latentstyles xe tc ' +
    'fldinst nonshppict annotation atnid atnauthor bkmkstart bkmkend revtbl pntext'
  ).split(' '),
)
/** Control words that are characters. */
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: ' ',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  line: ' ',
  cell: ' | ',
}
/** Character sets of fonts (`fcharset`) in the Encoding Standard's names. */
const CHARSETS: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
}

/** Levels of groups, characters of a paragraph, and fonts. */
const DEEPEST = 1_000
const LONGEST = 20_000
const MOST_FONTS = 2_000

interface Group {
  isAside: boolean
  /** Bytes after a `\\u` that repeat it for old programs. */
  fallback: number
  charset: string | null
  isNote: boolean
}

/** What fonts of symbols have as a bullet, of which some are unknown characters. */
const BULLET = /^[•·◦▪‣■\uf0a7\uf0b7\uf0d8\ufffd] /

const TOKEN = /\\(?:([a-z]{1,32})(-?\d{1,10})? ?|'([\da-f]{2})|([\s\S]))|[{}]|[\r\n]+|[^\\{}\r\n]+/gi

/** Reads RTF in pieces into a document; a control word may be cut anywhere. */
export class RtfText {
  readonly #document: Document
  #rest = ''
  #group: Group = { isAside: false, fallback: 1, charset: null, isNote: false }
  readonly #groups: Group[] = []
  /** Groups beyond the deepest, which are left out. */
  #beyond = 0
  #isNew = false
  #isIgnorable = false
  #page = 'windows-1252'
  readonly #fonts = new Map<number, string>()
  #isFontTable = 0
  #font = 0
  #text = ''
  /** Bytes whose characters are not known yet, and their encoding. */
  #bytes: number[] = []
  #skip = 0
  #binary = 0
  #line = 1
  #outline: number | null = null

  constructor(document: Document) {
    this.#document = document
  }

  write(some: string): void {
    let text = this.#rest + some
    const binary = Math.min(this.#binary, text.length)
    this.#binary -= binary
    text = text.slice(binary)
    // What a cut control word could need.
    const cut = text.lastIndexOf('\\')
    const from = cut >= 0 && cut > text.length - 50 && !this.#isEscaped(text, cut) ? cut : text.length
    this.#rest = text.slice(from)
    this.#read(text.slice(0, from))
  }

  end(): void {
    this.#read(this.#rest)
    this.#endParagraph()
  }

  /** Whether a backslash is the second of two. */
  #isEscaped(text: string, at: number): boolean {
    let before = 0
    while (at - before > 0 && before < 100 && text[at - before - 1] === '\\') before++
    return before % 2 === 1
  }

  #read(text: string): void {
    TOKEN.lastIndex = 0
    for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
      const [all, word, number, byte, symbol] = found
      if (word !== undefined) this.#control(word, number === undefined ? null : Number(number))
      else if (byte !== undefined) this.#addByte(Number.parseInt(byte, 16))
      else if (symbol !== undefined) this.#symbol(symbol)
      else if (all === '{') this.#open()
      else if (all === '}') this.#close()
      else if (!/^[\r\n]/.test(all)) this.#add(all)
      if (this.#binary > 0) {
        const skipped = Math.min(this.#binary, text.length - TOKEN.lastIndex)
        this.#binary -= skipped
        TOKEN.lastIndex += skipped
      }
    }
  }

  #open(): void {
    this.#flush()
    if (this.#groups.length >= DEEPEST) this.#beyond++
    else this.#groups.push({ ...this.#group })
    this.#isNew = true
    this.#isIgnorable = false
  }

  #close(): void {
    this.#flush()
    this.#isNew = false
    if (this.#beyond > 0) this.#beyond--
    else {
      if (this.#group.isNote && !this.#groups.at(-1)?.isNote) this.#text = `${this.#text.trimEnd()}] `
      this.#group = this.#groups.pop() ?? this.#group
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
    if (isFirst && (ASIDE.has(word) || this.#isIgnorable)) {
      this.#group.isAside = true
      if (word === 'fonttbl') this.#isFontTable = this.#groups.length
    }
    if (isFirst && word === 'footnote' && !this.#isLeftOut && !this.#group.isNote) {
      this.#add(' [')
      this.#group.isNote = true
    }
    if (word === 'bin') this.#binary = Math.max(0, number ?? 0)
    else if (word === 'f' && number !== null) this.#selectFont(number)
    else if (word === 'fcharset' && this.#isFontTable > 0) this.#nameCharset(number ?? 0)
    else if (word === 'ansicpg') this.#page = encodingOf(number ?? 0)
    else if (word === 'mac') this.#page = 'macintosh'
    else if (word === 'uc') this.#group.fallback = Math.min(10, Math.max(0, number ?? 1))
    else if (word === 'u') this.#addCode(number ?? 63)
    else if (word === 'par' || word === 'sect' || word === 'page' || word === 'row') this.#endParagraph()
    else if (word === 'pard') this.#outline = null
    else if (word === 'outlinelevel') this.#outline = number
    else if (Object.hasOwn(CHARACTERS, word)) this.#add(CHARACTERS[word] ?? '')
  }

  #selectFont(number: number): void {
    this.#flush()
    if (this.#isFontTable > 0) this.#font = number
    else this.#group.charset = this.#fonts.get(number) ?? null
  }

  #nameCharset(number: number): void {
    const charset = CHARSETS[number]
    if (charset !== undefined && this.#fonts.size < MOST_FONTS) this.#fonts.set(this.#font, charset)
  }

  #addByte(byte: number): void {
    this.#isNew = false
    if (this.#skip > 0) this.#skip--
    else if (!this.#isLeftOut && this.#bytes.length < LONGEST) this.#bytes.push(byte)
  }

  #addCode(number: number): void {
    this.#flush()
    this.#skip = this.#group.fallback
    const code = number < 0 ? number + 65_536 : number
    if (!this.#isLeftOut && code > 0 && code <= 0xffff && this.#text.length < LONGEST)
      this.#text += String.fromCharCode(code)
  }

  #add(text: string): void {
    this.#isNew = false
    const skipped = Math.min(this.#skip, text.length)
    this.#skip -= skipped
    if (this.#isLeftOut || skipped === text.length) return
    this.#flush()
    if (this.#text.length < LONGEST)
      this.#text += text.slice(skipped).replace(/[\x80-\xff]+/g, some => this.#decode(some))
  }

  get #isLeftOut(): boolean {
    return this.#group.isAside || this.#beyond > 0
  }

  /** Bytes written as they are, which some programs do. */
  #decode(some: string): string {
    return new TextDecoder(this.#group.charset ?? this.#page).decode(Buffer.from(some, 'latin1'))
  }

  #flush(): void {
    if (this.#bytes.length === 0) return
    const decoder = new TextDecoder(this.#group.charset ?? this.#page)
    if (this.#text.length < LONGEST) this.#text += decoder.decode(Uint8Array.from(this.#bytes))
    this.#bytes = []
  }

  #endParagraph(): void {
    if (this.#isLeftOut) return
    this.#flush()
    if (this.#group.isNote) {
      this.#text += ' '
      return
    }
    const text = trimEndOf(this.#text.replace(/[\s\p{Cc}]+/gu, ' '), ' |')
      .trim()
      .replace(BULLET, '- ')
      .replaceAll(' [ ', ' [')
    this.#text = ''
    this.#line++
    if (text === '') return
    if (this.#outline !== null && this.#outline < 9) {
      this.#document.addHeading(this.#line, Math.min(6, this.#outline + 1), text)
    } else {
      this.#document.addLine(this.#line, text)
      this.#document.addLine(this.#line, '')
    }
  }
}

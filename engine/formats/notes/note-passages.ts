import { type Fence, NoteBlocks } from './note-blocks.js'
import { bulletIndent, widthOf } from './note-headings.js'
import { linePartsOf } from './text.js'

interface NotePassage {
  line: number
  text: string
}

/** Characters after which a passage ends at a blank line, and at any line. */
const ENOUGH = 800
const TOO_MUCH = 2_000
/** Maximum characters of the table header and bullets that are repeated at the beginning of a passage. */
const MAX_HEAD_LENGTH = 500
const MAX_BULLET_LENGTH = 100
/** Minimum characters of a passage; shorter rests of a section are added to the previous one. */
const TOO_LITTLE = 300
/** Maximum characters of a paragraph that an underline turns into a heading. */
const MAX_PARAGRAPH_LENGTH = 200
/** Maximum repeated bullets. */
const MAX_BULLETS = 5

interface Collected {
  line: number
  lines: string[]
  length: number
  /** Number of lines repeated from an earlier passage. */
  repeated: number
}

/** Splits the lines of a note into passages that can be understood on their own. */
export class NotePassages {
  readonly #emit: (passage: NotePassage) => void
  #current: Collected | null = null
  /** The previous passage, while the rest of its section may be added to it. */
  #before: Collected | null = null
  /** The bullets above the current line, outermost first. */
  #bullets: { indent: number; text: string }[] = []
  /** Whether the passage ends at the next line that is not a definition. */
  #isFull = false
  /** Indentation of the outermost bullet of the passage. */
  #outermostBullet = Number.POSITIVE_INFINITY
  /** The first two lines of the table that the last line belongs to. */
  #tableHead: string[] = []
  /** The block of code that the last line belongs to. */
  #fence: Fence | null = null

  constructor(emit: (passage: NotePassage) => void) {
    this.#emit = emit
  }

  add(line: number, text: string): void {
    if (text.trim() === '') {
      this.#addBlank()
      return
    }
    const indent = bulletIndent(text)
    this.#endIfOver()
    if (indent !== null && indent <= this.#outermostBullet && this.#isLongEnough()) this.#end()
    while ((this.#bullets.at(-1)?.indent ?? -1) >= (indent ?? widthOf(text))) this.#bullets.pop()
    if (!text.includes('|')) this.#tableHead = []
    this.#push(line, text)
    if (indent !== null) {
      this.#bullets.push({ indent, text: shortened(text) })
      this.#outermostBullet = Math.min(this.#outermostBullet, indent)
    }
    this.#noteTable(text)
  }

  /** Adds a line of code; `fence` is the block that is still open after it. */
  addCode(line: number, text: string, fence: Fence | null): void {
    this.#endIfOver()
    this.#push(line, text)
    this.#fence = fence
  }

  /** Adds a line such as `[name]: https://example.org`, which belongs to the preceding text. */
  addDefinition(text: string): void {
    if (this.#current && this.#current.length < TOO_MUCH) {
      this.#current.lines.push(text)
      this.#current.length += text.length
    }
  }

  /** Removes and returns the paragraph that consists of the last line only, if any. */
  takeParagraph(): string | null {
    const lines = this.#current?.lines ?? []
    const last = lines.at(-1)
    if (!this.#current || last === undefined || last.trim() === '' || this.#fence !== null) return null
    if (lines.length > 1 && lines.at(-2) !== '') return null
    if (last.length > MAX_PARAGRAPH_LENGTH || bulletIndent(last) !== null || /^\s*[>|]/.test(last))
      return null
    lines.pop()
    this.#current.length -= last.length
    if (lines.every(text => text === '')) this.#current = null
    return last
  }

  /** Ends lists, tables and code at a heading or the end of the note. */
  endSection(): void {
    this.#end()
    this.#emitBefore()
    this.#bullets = []
    this.#tableHead = []
    this.#fence = null
  }

  #end(): void {
    const ended = this.#current
    if (!ended) return
    this.#current = null
    this.#isFull = false
    this.#outermostBullet = Number.POSITIVE_INFINITY
    const before = this.#before
    if (before && ended.length < TOO_LITTLE && before.length + ended.length <= TOO_MUCH) {
      before.lines.push('', ...ended.lines.slice(ended.repeated))
      before.length += ended.length
      return
    }
    this.#emitBefore()
    this.#before = ended
    if (!this.#fence) return
    ended.lines.push(this.#fence.close)
    this.#emitBefore()
  }

  #emitBefore(): void {
    if (!this.#before) return
    const { line, lines } = this.#before
    this.#before = null
    this.#emit({ line, text: outdented(lines).join('\n').trimEnd() })
  }

  #endIfOver(): void {
    if (this.#isFull) this.#end()
  }

  #addBlank(): void {
    if (!this.#current) return
    this.#tableHead = []
    if (this.#fence === null && this.#isLongEnough()) this.#isFull = true
    if (this.#current.lines.at(-1) !== '' || this.#fence) this.#current.lines.push('')
  }

  /** Whether the passage may end before the next line. A colon at its end introduces the next line. */
  #isLongEnough(): boolean {
    const { length = 0, lines = [] } = this.#current ?? {}
    if (length <= ENOUGH) return false
    const last = lines.findLast(text => text !== '') ?? ''
    return length > TOO_MUCH - MAX_HEAD_LENGTH || !/[:：]\s*$/.test(last.slice(-10))
  }

  #push(line: number, text: string): void {
    if (this.#current && this.#current.length + text.length > TOO_MUCH) this.#end()
    if (!this.#current) {
      const lines = this.#context()
      this.#current = { line, lines, length: lines.join('\n').length, repeated: lines.length }
    }
    this.#current.lines.push(text)
    this.#current.length += text.length
  }

  /** The lines to repeat when a passage begins inside a list, a table or a block of code. */
  #context(): string[] {
    const bullets = this.#bullets.slice(-MAX_BULLETS).map(({ text }) => text)
    return [...bullets, ...this.#tableHead, ...(this.#fence ? [this.#fence.open] : [])]
  }

  #noteTable(text: string): void {
    if (!/^[\s:|-]{3,1000}$/.test(text) || !text.includes('|') || !text.includes('-')) return
    const head = this.#current?.lines.slice(-2) ?? []
    if (head.length === 2 && head.join('').length <= MAX_HEAD_LENGTH) this.#tableHead = head
  }
}

const shortened = (text: string) =>
  text.length <= MAX_BULLET_LENGTH
    ? text
    : `${text.slice(0, MAX_BULLET_LENGTH).replace(/[\ud800-\udbff]$/, '')}…`

/** The lines without their common indentation. */
function outdented(lines: readonly string[]): string[] {
  let common: string | null = null
  for (const line of lines) {
    if (line.trim() === '') continue
    const indent = /^[\t ]{0,200}/.exec(line)?.[0] ?? ''
    if (common === null || indent.length < common.length) common = indent
    if (!indent.startsWith(common)) return [...lines]
    if (common === '') break
  }
  const cut = common?.length ?? 0
  return lines.map(line => line.slice(cut))
}

/** Splits Markdown into passages: one if it is short, otherwise at paragraphs, with code blocks reopened. */
export function markdownPassages(text: string): string[] {
  const found: string[] = []
  const passages = new NotePassages(({ text }) => found.push(text))
  const blocks = new NoteBlocks()
  for (const line of text.split('\n').map(line => line.trimEnd())) {
    const isCode = blocks.read(line) === 'code'
    for (const part of linePartsOf(line))
      if (isCode) passages.addCode(0, part, blocks.fence)
      else passages.add(0, part)
  }
  passages.endSection()
  return found.filter(text => text.trim() !== '')
}

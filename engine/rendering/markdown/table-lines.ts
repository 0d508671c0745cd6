import type { StateBlock } from 'markdown-it'

/** How the cells of a column are aligned. */
export type Side = 'left' | 'right' | 'center' | null

/** A table that is drawn with characters. */
export interface WrittenTable {
  sides: readonly Side[]
  rows: readonly WrittenRow[]
  /** How many of them are its head. */
  head: number
  /** The line after it, counted from its first one. */
  end: number
}

export interface WrittenRow {
  /** Counted from the first line of the table. */
  line: number
  cells: readonly WrittenCell[]
}

/** The lines of a cell, and how many columns it takes. */
export interface WrittenCell {
  text: string
  span: number
}

/** The lines from the beginning of what may be a table. */
export class TableLines {
  /** How many have been looked at beyond the second, and were not the end. */
  read = 0
  readonly #state: StateBlock
  readonly #from: number
  readonly #to: number

  constructor(state: StateBlock, from: number, to: number) {
    this.#state = state
    this.#from = from
    this.#to = to
  }

  /** Null after the last one. With the spaces before it, but without those of what it is in. */
  at(index: number): string | null {
    const line = this.#from + index
    const { sCount, blkIndent } = this.#state
    if (line >= this.#to || ((sCount[line] ?? 0) < blkIndent && !this.#state.isEmpty(line))) return null
    if (index > 1) this.read = Math.max(this.read, index)
    return this.#state.getLines(line, line + 1, this.#state.blkIndent, false)
  }
}

/** The lines without their common space. A rule between two rows of this column alone separates paragraphs. */
export function cellText(lines: readonly string[]): string {
  const kept = lines.map(line => (/^[=-]{3,}\+?$/.test(line.trim()) ? '' : line.trimEnd()))
  const indents = kept.filter(line => line !== '').map(line => line.search(/\S/))
  const indent = Math.min(...indents, 1_000)
  return kept.map(line => line.slice(indent)).join('\n')
}

/** Letters that take two places: Chinese, Japanese, Korean, and signs. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const NARROW = /\p{Mn}/u

/** What stands in each place of a line; nothing in the second place of a wide letter. */
export function columnsOf(line: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain text is split by its units
  if (/^[\x00-\x7f]*$/.test(line)) return line.split('')
  const places: string[] = []
  for (const sign of line) {
    if (NARROW.test(sign) && places.length > 0) places[places.length - 1] += sign
    else if (WIDE.test(sign)) places.push(sign, '')
    else places.push(sign)
  }
  return places
}

/** What stands in some places of a line. */
export const textBetween = (row: readonly string[], from: number, to?: number) => row.slice(from, to).join('')

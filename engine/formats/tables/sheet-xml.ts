import { Parser } from 'htmlparser2'
import { piecesOf } from '../shared/lines.js'
import type { SheetRow } from './sheets.js'

/** Cells of a row that are read, and characters of one. */
export const MOST_COLUMNS = 500
export const LONGEST_CELL = 32_767

/** Reads the rows of sheets from XML that arrives in pieces. What its elements mean is up to the format. */
export abstract class SheetXml {
  #rows: SheetRow[] = []
  readonly #parser = new Parser(
    {
      onopentag: (name, attributes) => this.open(name, attributes),
      ontext: text => this.text(text),
      onclosetag: name => this.close(name),
    },
    { xmlMode: true },
  )

  /** The rows that end in this piece. */
  read(text: string): SheetRow[] {
    for (const piece of piecesOf(text)) this.#parser.write(piece)
    return this.#take()
  }

  /** The rows that are left. */
  end(): SheetRow[] {
    this.#parser.end()
    return this.#take()
  }

  protected abstract open(name: string, attributes: Record<string, string>): void
  protected abstract text(text: string): void
  protected abstract close(name: string): void

  protected add(row: SheetRow): void {
    this.#rows.push(row)
  }

  #take(): SheetRow[] {
    return this.#rows.splice(0)
  }
}

/** `AB` → 28 */
export function columnNumber(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column
}

import { badLinesText } from '../../../domain/safes/imports/report-text.js'
import type { BadLine, Import } from '../../../domain/safes/safe.js'
import { importsTexts } from '../../../views/texts/imports.js'

/** Lines with a message. */
interface LinesPart {
  title: string
  /** The note if these are not all. */
  firstOf: string | null
  lines: readonly BadLine[]
}

/** The first lines that could not be read; null if there are none. */
export function badLinesOf({ badLineCount, badLines }: Import): LinesPart | null {
  return linesPart(badLinesText(badLineCount), badLineCount, badLines)
}

/** Parts read differently than the author intended; null if there are none. */
export function remarksOf({ remarks: { count, first } = { count: 0, first: [] } }: Import): LinesPart | null {
  return linesPart(importsTexts.remarks(count), count, first)
}

function linesPart(title: string, count: number, lines: readonly BadLine[]): LinesPart | null {
  if (count === 0) return null
  return { title, firstOf: count > lines.length ? importsTexts.firstOf(lines.length) : null, lines }
}

import { badLinesText } from '../../../domain/safes/imports/report-text.js'
import type { BadLine, Import } from '../../../domain/safes/safe.js'
import { importsTexts } from '../../../views/texts/imports.js'

/** Lines of which something is said. */
interface LinesPart {
  title: string
  /** If these are not all. */
  firstOf: string | null
  lines: readonly BadLine[]
}

/** The first lines that could not be read; null when all could. */
export function badLinesOf({ badLineCount, badLines }: Import): LinesPart | null {
  return linesPart(badLinesText(badLineCount), badLineCount, badLines)
}

/** What was read in another way than its author meant; null when there is nothing. */
export function remarksOf({ remarks: { count, first } = { count: 0, first: [] } }: Import): LinesPart | null {
  return linesPart(importsTexts.remarks(count), count, first)
}

function linesPart(title: string, count: number, lines: readonly BadLine[]): LinesPart | null {
  if (count === 0) return null
  return { title, firstOf: count > lines.length ? importsTexts.firstOf(lines.length) : null, lines }
}

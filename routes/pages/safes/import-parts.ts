import { reportText } from '../../../domain/safes/imports/report-text.js'
import type { BadLine, Comparison, Counts, Import, TableSummary } from '../../../domain/safes/safe.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { countsOf } from './counts.js'

/** New, already there, or conflicting. */
export interface ComparisonPart {
  title: string
  text: string
  examples: string[]
}

/** Lines of which something is said. */
export interface LinesPart {
  title: string
  /** If these are not all. */
  firstOf: string | null
  lines: readonly BadLine[]
}

/** What the file would change. */
export function comparisonOf({ added, there, conflicts, documents, examples }: Comparison): ComparisonPart[] {
  const m = importsTexts.comparison
  const parts = [
    { title: m.added, text: listed(added, documents?.added), examples: examples.added },
    ...(documents?.changed
      ? [{ title: m.changed, text: m.changedText(documents.changed), examples: [] }]
      : []),
    { title: m.there, text: listed(there, documents?.unchanged), examples: examples.there },
  ]
  if (conflicts === 0) return parts
  return [...parts, { title: m.conflicts, text: m.conflictsText(conflicts), examples: examples.conflicts }]
}

/** How a table is read. */
export function tableOf({ table, thing, naming, unclear, rows }: TableSummary) {
  const { named, numbered, other } = reportText.tables
  return {
    title: `${table}: ${naming.length > 0 ? named(thing, naming) : numbered(thing)}`,
    other: unclear.length > 0 ? other(unclear).replace(/:$/, '.') : null,
    rows,
  }
}

/** Names of the file that have become one; null when there are none. */
export function mergedNamesOf({ mergedNames }: Import) {
  const { text, pair, advice } = reportText.mergedNames
  return mergedNames ? { text: text(mergedNames), examples: mergedNames.examples.map(pair), advice } : null
}

function listed(counts: Counts, documents = 0): string {
  return countsOf({ ...counts, documents }).join(' · ')
}

/** The first lines that could not be read; null when all could. */
export function badLinesOf({ badLineCount, badLines }: Import): LinesPart | null {
  return linesPart(importsTexts.badLines(badLineCount), badLineCount, badLines)
}

/** What was read in another way than its author meant; null when there is nothing. */
export function remarksOf({ remarks: { count, first } = { count: 0, first: [] } }: Import): LinesPart | null {
  return linesPart(importsTexts.remarks(count), count, first)
}

function linesPart(title: string, count: number, lines: readonly BadLine[]): LinesPart | null {
  if (count === 0) return null
  return { title, firstOf: count > lines.length ? importsTexts.firstOf(lines.length) : null, lines }
}

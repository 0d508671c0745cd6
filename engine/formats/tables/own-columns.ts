/** The columns of our own CSV export, in order (docs/decisions/0016). */
export const OWN_HEADER = [
  ...(['kind', 'subject', 'predicate', 'object', 'type', 'title', 'text', 'source', 'seq', 'time'] as const),
  ...(['subject_key', 'object_key', 'valid_from', 'valid_to', 'learned_on'] as const),
] as const

/** Exports of earlier versions contain only the first columns. */
export const MIN_COLUMNS = OWN_HEADER.indexOf('object_key') + 1

export type OwnRow = Partial<Record<(typeof OWN_HEADER)[number], string>>

// Spreadsheets evaluate cells with these beginnings as formulas (OWASP: CSV injection).
const FORMULA = /^'*[=+\-@\t\r]/

/** Adds an apostrophe to a cell that a spreadsheet would evaluate as a formula. */
export const guarded = (cell: string) => (FORMULA.test(cell) ? `'${cell}` : cell)

/** The cell without that apostrophe. */
export const unguarded = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell)

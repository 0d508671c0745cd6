/** The columns of our own export, in order (docs/decisions/0016). */
export const ownHeader = [
  'kind',
  'subject',
  'predicate',
  'object',
  'type',
  'title',
  'text',
  'source',
  'seq',
  'time',
  'subject_key',
  'object_key',
] as const

export type OwnRow = Partial<Record<(typeof ownHeader)[number], string>>

// Spreadsheets take cells that begin so for formulas and run them (OWASP: CSV injection).
const formula = /^'*[=+\-@\t\r]/

/** The cell with an apostrophe before what a spreadsheet would run. */
export const guarded = (cell: string) => (formula.test(cell) ? `'${cell}` : cell)

export const unguarded = (cell: string) => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell)

const OPERATIONS = new Set(['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback'])

/** The kind of a statement, one of a few: its first word. */
export function operationOf(sql: string): string {
  const end = sql.indexOf(' ')
  const word = (end === -1 ? sql : sql.slice(0, end)).toLowerCase()
  return OPERATIONS.has(word) ? word : 'other'
}

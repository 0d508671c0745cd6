/** How the fields of a table in CSV are written. */
export interface CsvDialect {
  delimiter: string
  /** The escape character before a quotation mark inside of a quoted field. */
  escape: string
}

/** The dialect of a table, by its first lines. */
export const dialectOf = (lines: readonly string[]): CsvDialect => ({
  delimiter: delimiterOf(lines.filter(line => line.trim() !== '')),
  escape: escapeOf(lines),
})

/** Whether a file's first line only sets the delimiter: `sep=;` of Excel. */
export const isDelimiterLine = (line: string): boolean => DELIMITER_LINE.test(line)

/** `="0123"`, which keeps spreadsheets from reading a number, is the text `0123`. */
export const withoutFormula = (cell: string): string =>
  cell.startsWith('="') && cell.endsWith('"') && cell.length > 2 ? cell.slice(2, -1) : cell

const DELIMITER_LINE = /^sep=(.)$/
/** Lines that are compared to find the delimiter, and characters of each. */
const COMPARED = 20
const COMPARED_CHARACTERS = 10_000

/** The delimiter that divides the most lines in the same way. */
function delimiterOf(lines: readonly string[]): string {
  const said = DELIMITER_LINE.exec(lines[0] ?? '')?.[1]
  if (said !== undefined) return said
  const some = lines
    .slice(0, COMPARED)
    .map(line => line.slice(0, COMPARED_CHARACTERS).replace(/"[^"]*"/g, ''))
  const [best] = ['\t', ';', ',', '|']
    .map(delimiter => {
      const counts = some.map(line => line.split(delimiter).length - 1)
      const first = counts[0] ?? 0
      return { delimiter, first, alike: first === 0 ? 0 : counts.filter(count => count === first).length }
    })
    .sort((a, b) => b.alike - a.alike || b.first - a.first)
  return best && best.alike > 0 ? best.delimiter : ','
}

/** The escape character before a quotation mark inside of a value: another one (RFC 4180 §2), or a backslash, as in MySQL. */
function escapeOf(lines: readonly string[]): string {
  const has = (marks: RegExp) => lines.some(line => marks.test(line))
  return has(/\\"[^,;|\t]/) && !has(/[^,;|\t]""[^,;|\t]/) ? '\\' : '"'
}

import { terms } from '../../../../engine/graph/index.js'
import { countWords } from './words.js'

/** A line of a row's passage: the name of a column and a cell. */
const CELL = /^([^:\n]{1,80}): (\S.*)$/
/** A row has several cells, and hardly anything else; a cell may have lines of its own. */
const FEWEST_CELLS = 2
const LEAST_SHARE = 0.6
const MOST_SAID = 3
const LONGEST_CELL = 160

interface BestCells {
  /** "Alfreds Futterkiste — city: Berlin". */
  text: string
  /** Whether the question names the row and a column of it. */
  isNamed: boolean
}

/**
 * What a question asks of a row: the cells of the columns that it names, else those with its words, else those of columns
 * that it names in part. Null for passages that are no rows, and when it asks for none.
 */
export function bestCells(name: string, text: string, stems: ReadonlySet<string>): BestCells | null {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const cells = lines.flatMap(line => {
    const [, column = '', value = ''] = CELL.exec(line) ?? []
    return column === '' ? [] : [{ column, value }]
  })
  if (cells.length < FEWEST_CELLS || cells.length < lines.length * LEAST_SHARE) return null
  const ofName = terms(name)
  const asked = new Set([...stems].filter(word => !ofName.includes(word)))
  const named = cells.filter(({ column }) => isWhole(column, asked))
  const others = [
    cells.filter(({ value }) => countWords(value, asked) > 0),
    cells.filter(({ column }) => countWords(column, asked) > 0),
  ]
  const said = named.length > 0 ? named : (others.find(found => found.length > 0) ?? [])
  if (said.length === 0) return null
  return {
    text: `${name} — ${said.slice(0, MOST_SAID).map(cellText).join(', ')}`,
    isNamed: named.length > 0 && countWords(name, stems) > 0,
  }
}

/** Whether a question has every word of the name of a column. */
function isWhole(column: string, asked: ReadonlySet<string>): boolean {
  const words = terms(column)
  return words.length > 0 && words.every(word => asked.has(word))
}

function cellText({ column, value }: { column: string; value: string }): string {
  const isLong = value.length > LONGEST_CELL
  const shown = isLong ? `${value.slice(0, LONGEST_CELL).replace(/[\ud800-\udbff]$/, '')}…` : value
  return `${column}: ${shown}`
}

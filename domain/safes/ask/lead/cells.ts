import { foldWord, isStopWord } from '../../../../engine/graph/index.js'
import { beginningOf } from '../excerpt.js'
import { type Asked, wordsOf } from './asked.js'

/** A line of a row's passage: the name of a column and a cell. */
const CELL = /^([^:\n]{1,80}): (\S.*)$/
/** Most passages are not rows; their first line shows it. */
const BEGINS_WITH_CELL = /^[^:\n]{1,80}: \S/
/** A row consists almost only of cells, at least two; a cell may span lines. */
const MIN_CELLS = 2
const MIN_SHARE = 0.6
const MAX_SAID = 3
const MAX_CELL_LENGTH = 160

/**
 * The part of a row that a question asks for: the cells of the columns that it names, else those with its words, else those of
 * columns that it names in part: "Alfreds Futterkiste — city: Berlin". `isNamed`: whether it names the row and a column of it. Null
 * for passages that are not rows, and if it asks for none of the cells.
 */
export function bestCells(
  name: string,
  text: string,
  asked: Asked,
): { text: string; isNamed: boolean } | null {
  if (!BEGINS_WITH_CELL.test(text.trimStart())) return null
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const cells = lines.flatMap(line => {
    const [, column = '', value = ''] = CELL.exec(line) ?? []
    return column === '' ? [] : [{ column, value }]
  })
  if (cells.length < MIN_CELLS || cells.length < lines.length * MIN_SHARE) return null
  const ofName = asked.in(name)
  const isAsked = (said: string) => (asked.in(said) & ~ofName) !== 0
  const isWhole = (column: string) =>
    isAsked(column) && wordsOf(column).every(word => isAsked(word) || isStopWord(foldWord(word)))
  const named = cells.filter(({ column }) => isWhole(column))
  const others = [cells.filter(({ value }) => isAsked(value)), cells.filter(({ column }) => isAsked(column))]
  const said = named.length > 0 ? named : (others.find(found => found.length > 0) ?? [])
  if (said.length === 0) return null
  return {
    text: `${name} — ${said.slice(0, MAX_SAID).map(cellText).join(', ')}`,
    isNamed: named.length > 0 && ofName !== 0,
  }
}

const cellText = ({ column, value }: { column: string; value: string }) =>
  `${column}: ${beginningOf(value, MAX_CELL_LENGTH)}`

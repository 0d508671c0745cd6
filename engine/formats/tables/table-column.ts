import { isListing, isNaming, LIST, referredTo, wordsOf } from './table-words.js'

/** Facts about a column, from the first rows. */
export interface ColumnFacts {
  /** As written in the file. */
  header: string
  /** In lower case, with spaces. */
  words: string
  /** The entity type that it refers to; null if it is not an identifier. */
  refers: string | null
  filled: number
  distinct: number
  /** Share of the cells that are … */
  numbers: number
  dates: number
  addresses: number
  letters: number
  /** Mean characters per cell. */
  length: number
  /** The separator of several values in one cell, or null. */
  separator: string | null
}

const CURRENCIES =
  'EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|JPY|CNY|INR|CAD|AUD|NZD|BRL|MXN|ZAR|TRY|RUB|UAH|ILS|KRW|SGD|HKD'
const MONEY = String.raw`\p{Sc}|${CURRENCIES}`
/** A number, also with its unit: `CHF 12.50`, `12,50 €`, `10 km`. */
const NUMBER = new RegExp(
  String.raw`^(?:(?:${MONEY}) ?)?[+-]?(?:\p{Sc} ?)?\d[\d.,'\u2019 \u00a0\u202f_]{0,30}(?: ?(?:%|${MONEY})| [a-z\u00b5]{1,3}[\u00b2\u00b3]?)?(?: \(-?[\d.]{1,30}\))?$`,
  'u',
)
const DATE =
  /^(?:\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:[T ][\d:.+Z-]{4,30})?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}(?: [\d:]{4,8}(?: ?[AP]M)?)?|\d{1,2}:\d\d(?::\d\d)?)$/i
const ADDRESS = /^(?:[a-z][a-z\d+.-]{1,20}:\/\/|mailto:|www\.)\S{1,2000}$|^[^\s@]{1,64}@[^\s@]{1,255}$/i
const TRUTH = /^(?:true|false|yes|no|y|n|null|none|n\/a|na|-)$/i
const LETTER = /\p{L}/u

/** Whether a cell is a number, date, address or boolean, which describes an entity but does not name one. */
export const isPlainValue = (cell: string): boolean =>
  cell.length < 2_000 && (NUMBER.test(cell) || DATE.test(cell) || TRUTH.test(cell) || ADDRESS.test(cell))

/** Whether a cell is an IRI, a URL or an email address. */
export const isAddress = (cell: string): boolean => ADDRESS.test(cell)

/** Whether a cell is a day, a month or a time. */
export const isDate = (cell: string): boolean => DATE.test(cell)

/** Whether a cell can be a column name in the first row. */
export const isHeading = (cell: string): boolean =>
  cell.length <= 120 && !NUMBER.test(cell) && !DATE.test(cell) && !ADDRESS.test(cell)

/** @param cells the cells of the first rows, without empty ones */
export function columnFacts(header: string, cells: readonly string[]): ColumnFacts {
  const share = (test: (cell: string) => boolean) =>
    cells.length === 0 ? 0 : cells.filter(test).length / cells.length
  const words = wordsOf(header)
  const addresses = share(cell => cell.length < 20_000 && cell.split(', ').every(isAddress))
  return {
    header,
    words,
    refers: referredTo(header),
    filled: cells.length,
    distinct: new Set(addresses > 0.9 ? cells : cells.map(cell => cell.toLowerCase())).size,
    numbers: share(cell => NUMBER.test(cell) || TRUTH.test(cell)),
    dates: share(cell => DATE.test(cell)),
    addresses,
    letters: share(cell => LETTER.test(cell)),
    length: cells.reduce((sum, cell) => sum + cell.length, 0) / Math.max(1, cells.length),
    separator: separatorOf(words, cells),
  }
}

/** The separator of values, if many cells contain several short ones. */
function separatorOf(words: string, cells: readonly string[]): string | null {
  if (cells.some(cell => cell.includes(LIST))) return LIST
  const isList = isListing(words)
  for (const separator of ['|', ';', ...(isList || /\bauthors$/.test(words) ? [','] : [])]) {
    const several = cells.filter(cell => cell.includes(separator))
    // `Example, Ines` is one author.
    const isPart = (part: string) => part.length <= 60 && (isList || separator !== ',' || /\S \S/.test(part))
    const isUsual = several.length > 1 && several.length >= cells.length * 0.2
    if (
      several.length > 0 &&
      (isUsual || isList || separator === ',' || isNaming(words)) &&
      several.every(cell => cell.split(separator).every(isPart))
    )
      return separator
  }
  const lists = cells.filter(cell => /^[a-z]{1,20}:\/\/\S{1,500}, [a-z]{1,20}:\/\//i.test(cell))
  return lists.length > 0 ? ', ' : null
}

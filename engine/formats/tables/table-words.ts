import { words } from '../../../platform/common/words.js'
/** `orderDate`, `order_date` and `Order Date` → `order date`. */
export function wordsOf(header: string): string {
  return header
    .slice(0, MAX_HEADER_LENGTH)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[\s_./:-]+/g, ' ')
    .trim()
    .toLowerCase()
}

const MAX_HEADER_LENGTH = 200

/** The type of a table's rows: `order_details.csv` → `order detail`. Approximate English rules. */
export function singularOf(words: string): string {
  if (/(?:ss|us|is)$/.test(words)) return words
  if (/[^aeiou]ies$/.test(words)) return `${words.slice(0, -3)}y`
  if (/(?:x|ch|sh|ss)es$/.test(words)) return words.slice(0, -2)
  return words.length > 3 && words.endsWith('s') ? words.slice(0, -1) : words
}

/** The entity type that a column refers to: `customerID`, `customer_id` → `customer`; null if it is not an identifier. */
export function referredTo(header: string): string | null {
  const [, thing] = /^(.{1,60}?)\s(?:id|key|code|no|nr|guid|uuid|fk)$/.exec(idWords(header)) ?? []
  return thing?.trim() || null
}

const OWN_KEYS = words('id key code uuid guid iri uri @id no nr # number')

/** Whether the header of a column marks it as the key of its own table. */
export const isOwnKey = (header: string): boolean => OWN_KEYS.has(idWords(header))

/** `customerID`, `CustomerId` and `CUSTOMER_ID` → `customer id`. */
const idWords = (header: string) => wordsOf(header.replace(/(?<=[a-z])I[Dd]$/, ' id'))

/** Words in headers of columns that contain names, even if all are different. */
const NAMES = words(`name author artist director composer writer editor actor cast owner manager
  contact person city country region state county town place location venue company organization
  organisation publisher label studio brand maker manufacturer supplier vendor customer client genre
  category type kind tag tags language team club department division project product album series league
  league sport nationality occupation profession job role status species family parent`)

/** Google's separator for lists in a cell. */
export const LIST = ' ::: '
const LISTS = words(`tag tags labels keywords genres topics categories shelves bookshelves`)
/** Whether the header announces lists, which may also be separated by commas. */
export const isListing = (header: string): boolean => LISTS.has(header.split(' ').at(-1) ?? '')

/** Words in headers of columns that do not contain names, even if values repeat. */
const VALUES = words(`address street phone telephone fax mobile zip postcode postal email mail url
  website link password hash token note notes comment comments description`)

/** Whether the header announces names. */
export const isNaming = (words: string): boolean => words.split(' ').some(word => NAMES.has(word))
/** Whether the header announces values, such as amounts and dates. */
export const isValue = (words: string): boolean => words.split(' ').some(word => VALUES.has(word))

const COLUMN_NAMES = words(`name title label email date year price amount age city country address
  phone description status quantity total`)

/** Whether a cell is a common column name, or an identifier. */
export const isColumnName = (cell: string): boolean => {
  const words = wordsOf(cell)
  const isCommon = COLUMN_NAMES.has(words) || /^.{1,30} (?:name|date)$/.test(words)
  return isCommon || isOwnKey(cell) || referredTo(cell) !== null
}

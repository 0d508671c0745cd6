import MarkdownParser from 'markdown-it'

/** `name="value"` in either quotes or none, and in braces as in JSX. */
const ATTRIBUTE = /(?<![\w:-])([\w:-]{1,60})\s?=\s?(?:"([^"]*)"|'([^']*)'|\{([^{}]+)\}|([^\s"'<>{}=]+))/g
/** A text in a value of JSX: `{require('./a.png').default}`. */
const QUOTED = /"([^"]{1,300})"|'([^']{1,300})'/

interface Attribute {
  /** All of it, as written. */
  all: string
  /** In lower case. */
  name: string
  value: string
}

/** The attributes of a tag, an attribute list or the first line of a box, in their order. */
export const attributesOf = (text: string): Attribute[] =>
  text.includes('=') ? [...text.matchAll(ATTRIBUTE)].map(attributeIn) : []

function attributeIn([all, name = '', double, single, braces = '', bare]: RegExpExecArray): Attribute {
  const [, one, other] = QUOTED.exec(braces) ?? []
  const value = double ?? single ?? bare ?? one ?? other ?? braces
  return { all, name: name.toLowerCase(), value: decoded(value) }
}

/** The value of the first attribute with one of these names; undefined if there is none. */
export const attributeOf = (text: string, ...names: string[]): string | undefined =>
  attributesOf(text).find(({ name, value }) => names.includes(name) && value !== '')?.value

const { unescapeAll } = new MarkdownParser('zero').utils
const ENTITY = /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,31});/gi

/** A text with characters instead of entities. */
export const decoded = (text: string): string => text.replace(ENTITY, entity => unescapeAll(entity))

import MarkdownParser, { type MarkdownIt, type StateInline } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import { headingId } from '../headings.js'
import { type FoundMarkup, inlineRule, pushHidden, showTokens, tokenizePart } from './rules.js'

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

const ITEM = `(?:[.#]{1,2}[^\\s{}"'=<>]{1,100}|[\\w:-]{1,60}=(?:"[^"\\n]{0,300}"|'[^'\\n]{0,300}'|[^\\s"'{}]{1,100}))`
/** `{ .class #id name="value" }`, and the sizes of pictures in Logseq. */
const LIST = new RegExp(`^\\{:? ?(${ITEM}(?: ${ITEM}){0,20}|:?height \\d+, :width \\d+) ?\\}`)
/** Maximum characters of a list. */
const MAX_LENGTH = 2000
const MAX_SPAN_LENGTH = 500
const ID = /(?:#|\bid=["']?)([^\s{}"'=<>#]{1,100})/

/** Attribute lists after a heading, link, picture or line. They are meant for programs, so the page hides them. */
export function attributeLists(markdown: MarkdownIt): void {
  inlineRule(markdown, 'attributes', '{', attributes)
  inlineRule(markdown, 'attributed_span', '[', span, 'link')
  showTokens(markdown, {
    place: ({ content }) => `<span id="${escapeHtml(headingId(content))}"></span>`,
  })
}

function attributes(state: StateInline, at: number): FoundMarkup | null {
  const { src, pending, tokens } = state
  const found = listAt(src, at)
  if (!found) return null
  const end = at + found[0].length
  const isLast = end >= state.posMax || src[end] === '\n'
  const before = tokens.at(-1)
  const isBehind = pending.trim() === '' && before !== undefined && before.type !== 'text'
  return isLast || isBehind ? { end, push: () => pushList(state, found) } : null
}

/** `[text]{.class #id}`, shown without its brackets. */
function span(state: StateInline, at: number): FoundMarkup | null {
  const { src } = state
  const length = src.slice(at + 1, at + MAX_SPAN_LENGTH).search(/[[\]]/)
  const textEnd = at + 1 + length
  const found = length > 0 && src.startsWith(']{', textEnd) ? listAt(src, textEnd + 1) : null
  const push = () => {
    tokenizePart(state, at + 1, textEnd)
    if (found) pushList(state, found)
  }
  return found && { end: textEnd + 1 + found[0].length, push }
}

function pushList(state: StateInline, [, list = '']: RegExpExecArray): void {
  const [, id] = ID.exec(list) ?? []
  if (id !== undefined) pushPlace(state, id)
  pushHidden(state, list)
}

/** Adds a place that links lead to. */
export const pushPlace = (state: StateInline, name: string) =>
  Object.assign(state.push('place', '', 0), { content: name })

const listAt = (text: string, at: number) => LIST.exec(text.slice(at, at + MAX_LENGTH))

import type { MarkdownIt, StateBlock } from 'markdown-it'
import { words } from '../../../platform/common/words.js'
import { pushBox, pushGroup, pushHidden, pushParagraph, titleOf } from './block-parts.js'
import { blockRule, endsOf, type Found, lineAt, tokenizeInside } from './rules.js'

/** `::name[Title]{to="/a"}`; with one colon it has no content. */
const COMPONENT = /^(::?)([a-z][\w-]{0,60})(?:\[([^[\]]{0,300})\])?(?:\{([^{}]{0,1000})\})?$/i
const END = '::'
const TITLE = /(?:^|\s)(?:title|label|name)=(?:"([^"]{0,300})"|'([^']{0,300})')/i
const ADDRESS = /(?:^|\s)(?:to|href)=(?:"([^"]{0,500})"|'([^']{0,500})')/i
/** Components that are boxes even without a title. */
const BOXES: ReadonlySet<string> = words(`alert callout caution danger error important info note
  success tip warning`)
/** Maximum lines of properties at the beginning of a component. */
const MAX_LINES = 50

/** Components of Nuxt Content: boxes from `::tip` to `::`, and `:read-more{to="/a"}` on a line of its own. */
export function mdc(markdown: MarkdownIt): void {
  blockRule(markdown, 'mdc', ':', component)
}

function component(state: StateBlock, line: number, endLine: number): Found | null {
  const found = COMPONENT.exec(lineAt(state, line))
  if (!found) return null
  const [, colons, name = '', named, attributes] = found
  const last = colons === END ? (endsOf(state, 'mdc', edgeOf).get(line) ?? endLine) : endLine
  const isAlone = last >= endLine
  // Without an end and without text it may be ordinary text.
  if (isAlone && named === undefined && attributes === undefined) return null
  const title = named ?? given(TITLE, attributes)
  const address = given(ADDRESS, attributes)
  const shown = titleAsLink(title ?? (isAlone ? address : undefined), address)
  const end = isAlone ? line + 1 : last + 1
  const inside = () => tokenizeInside(state, afterProperties(state, line + 1, last), last, 0)
  const push = () => {
    pushHidden(state, `${name} ${(attributes ?? '').replace(title ?? address ?? '', ' ')}`)
    if (isAlone && shown !== undefined) pushParagraph(state, shown, line)
    else if (!isAlone && (shown !== undefined || BOXES.has(name)))
      pushBox(state, { kind: name, title: shown ?? titleOf(name), line, end }, inside)
    else if (!isAlone) {
      pushGroup(state, inside)
      if (address !== undefined) pushParagraph(state, titleAsLink(address, address) ?? '', line)
    }
  }
  return { end, push }
}

const given = (attribute: RegExp, attributes = '') => {
  const [, double, single] = attribute.exec(attributes) ?? []
  return double ?? single
}

const titleAsLink = (title: string | undefined, address: string | undefined) =>
  title !== undefined && address !== undefined && !/[[\]<>]/.test(title + address)
    ? `[${title}](<${address}>)`
    : title

/** The line after the properties, which are between two lines of dashes. */
function afterProperties(state: StateBlock, line: number, last: number): number {
  if (lineAt(state, line) !== '---') return line
  for (let at = line + 1; at < Math.min(last, line + MAX_LINES); at++)
    if (lineAt(state, at) === '---') {
      pushHidden(state, state.getLines(line + 1, at, state.blkIndent, false))
      return at + 1
    }
  return line
}

/** A closing line ends the component that was opened last. */
function edgeOf(text: string) {
  const line = text.trimStart().startsWith(END) ? text.replace(/^[\s>]{0,200}/, '').trimEnd() : ''
  return line === END || (line.startsWith(END) && COMPONENT.test(line))
    ? { name: END, isEnd: line === END }
    : null
}

import type { MarkdownIt, StateBlock } from 'markdown-it'
import { lineAt, mayBegin, tokenizeInside } from './block-lines.js'
import { pushBox, pushGroup, pushHidden, pushParagraph, titleOf } from './block-parts.js'

/** `::name[Title]{to="/a"}`, and with one colon what stands by itself. */
const COMPONENT = /^(::?)([a-z][\w-]{0,60})(?:\[([^[\]]{0,300})\])?(?:\{([^{}]{0,1000})\})?$/i
const END = '::'
const TITLE = /(?:^|\s)(?:title|label|name)=(?:"([^"]{0,300})"|'([^']{0,300})')/i
const ADDRESS = /(?:^|\s)(?:to|href)=(?:"([^"]{0,500})"|'([^']{0,500})')/i
/** Those that are a box also without a title. */
const BOXES: ReadonlySet<string> = new Set(
  'alert callout caution danger error important info note success tip warning'.split(' '),
)
/** Lines of properties at the beginning of one. */
const MOST_LINES = 50

/** Components of Nuxt Content: boxes from `::tip` to `::`, and `:read-more{to="/a"}` on a line of its own. */
export function mdc(markdown: MarkdownIt): void {
  markdown.block.ruler.before('fence', 'mdc', component, { alt: ['paragraph', 'blockquote', 'list'] })
}

function component(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  const found = mayBegin(state, line, ':') ? COMPONENT.exec(lineAt(state, line)) : null
  if (!found) return false
  const [, colons, name = '', named, attributes] = found
  const last = colons === END ? (endsOf(state).get(line) ?? endLine) : endLine
  const isAlone = last >= endLine
  // What has neither an end nor anything that it says may be any text.
  if (isAlone && named === undefined && attributes === undefined) return false
  if (silent) return true
  const title = named ?? given(TITLE, attributes)
  const address = given(ADDRESS, attributes)
  pushHidden(state, `${name} ${(attributes ?? '').replace(title ?? address ?? '', ' ')}`)
  const shown = titleAsLink(title ?? (isAlone ? address : undefined), address)
  if (isAlone) {
    if (shown !== undefined) pushParagraph(state, shown, line)
    state.line = line + 1
    return true
  }
  const inside = () => tokenizeInside(state, afterProperties(state, line + 1, last), last, 0)
  if (shown !== undefined || BOXES.has(name)) {
    pushBox(state, { kind: name, title: shown ?? titleOf(name), line, end: last + 1 }, inside)
    return true
  }
  pushGroup(state, last + 1, inside)
  if (address !== undefined) pushParagraph(state, titleAsLink(address, address) ?? '', line)
  return true
}

const given = (attribute: RegExp, attributes = '') => {
  const [, double, single] = attribute.exec(attributes) ?? []
  return double ?? single
}

const titleAsLink = (title: string | undefined, address: string | undefined) =>
  title !== undefined && address !== undefined && !/[[\]<>]/.test(title + address)
    ? `[${title}](<${address}>)`
    : title

/** The line after properties between two lines of dashes, which are for programs. */
function afterProperties(state: StateBlock, line: number, last: number): number {
  if (lineAt(state, line) !== '---') return line
  for (let at = line + 1; at < Math.min(last, line + MOST_LINES); at++)
    if (lineAt(state, at) === '---') {
      pushHidden(state, state.getLines(line + 1, at, state.blkIndent, false))
      return at + 1
    }
  return line
}

/** The line on which the component of a line ends, of all of them. */
function endsOf({ src, env }: StateBlock): ReadonlyMap<number, number> {
  const known = env as { mdcEnds?: ReadonlyMap<number, number> }
  if (known.mdcEnds) return known.mdcEnds
  const ends = new Map<number, number>()
  const open: number[] = []
  for (const [line, text] of src.split('\n').entries()) {
    const found = text.trimStart().startsWith(END) ? text.replace(/^[\s>]{0,200}/, '').trimEnd() : ''
    if (found === END) {
      const from = open.pop()
      if (from !== undefined) ends.set(from, line)
    } else if (found.startsWith(END) && COMPONENT.test(found)) open.push(line)
  }
  known.mdcEnds = ends
  return ends
}

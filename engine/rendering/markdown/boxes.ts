import type { MarkdownIt, StateBlock, StateCore, Token } from 'markdown-it'
import { words } from '../../../platform/common/words.js'
import { attributeOf } from './attributes.js'
import {
  blockRule,
  type FoundMarkup,
  isEnded,
  lineAt,
  pushHidden,
  pushParagraph,
  titleOf,
  tokenizeInside,
} from './rules.js'
import { shortcodeAt, titleIn } from './templates.js'

/** An unknown kind is the title, and a style may follow: `[!What it is]`, `[!note|wide]`. */
const MARK = /^\[!([^[\]|\n]{1,100})(?:\|([^[\]\n]{0,100}))?\][+-]?(?![([])(.*)\n?/
const WORD = /^[\w-]+$/

/** Quotations that begin with `[!note] Title`, as GitHub and Obsidian write them. */
export function callouts(markdown: MarkdownIt): void {
  markdown.core.ruler.after('block', 'callouts', markCallouts)
}

function markCallouts(state: StateCore): void {
  const { tokens } = state
  if (!tokens.some(({ type }) => type === 'blockquote_open')) return
  state.tokens = tokens.flatMap((token, at) => {
    const quote = tokens[at - 2]
    const isFirst = token.type === 'inline' && quote?.type === 'blockquote_open'
    const mark = isFirst ? MARK.exec(token.content) : null
    if (!mark || !quote) return token
    const [whole, kind = '', style = ''] = mark
    const title = mark[3]?.trim() ?? ''
    quote.attrSet('class', `callout callout-${kind.toLowerCase().replace(/[^\w-]+/g, '-')}`)
    tokens[at - 1]?.attrSet('class', 'callout-title')
    const unseen = [title ? kind : '', style].join(' ').trim()
    const named = title || (WORD.test(kind) ? titleOf(kind) : kind)
    const { map, level } = token
    const made = (type: string, nesting: -1 | 0 | 1, fields: Partial<Token>) =>
      Object.assign(new state.Token(type, nesting === 0 ? '' : 'p', nesting), fields)
    const inline = (content: string) => made('inline', 0, { content, map, level, children: [] })
    const heading = [...(unseen ? [made('hidden_words', 0, { content: unseen })] : []), inline(named)]
    const rest = token.content.slice(whole.length)
    if (rest.trim() === '') return heading
    const around = { block: true, level: level - 1 }
    const between = [made('paragraph_close', -1, around), made('paragraph_open', 1, { ...around, map })]
    return [...heading, ...between, inline(rest)]
  })
}

const BOX = /^\[([ xX/-])\]\s+/

/** List items that begin with `[ ]` or `[x]`: characters instead of inputs, because documents have no forms. */
export function taskLists(markdown: MarkdownIt): void {
  markdown.core.ruler.after('block', 'task_lists', markTasks)
}

function markTasks({ tokens }: StateCore): void {
  tokens.forEach((token, at) => {
    const item = tokens[at - 2]
    const box = token.type === 'inline' && item?.type === 'list_item_open' ? BOX.exec(token.content) : null
    if (!box || !item) return
    item.attrJoin('class', 'task')
    token.content = `${box[1] === ' ' ? '☐' : '☑'} ${token.content.slice(box[0].length)}`
  })
}

/** What the first line of a box says. */
interface BoxStart {
  kind: string
  title: string
  /** Words of the first line that are not shown. */
  words?: string
  /** Whether this line closes the box; without it, the text of the box is indented. Like code, a box ends with its container. */
  isEnd?(line: string): boolean
  /** The closing line, if the box needs one. */
  end?: string
  /** The language if the content is code. */
  code?: string
}

const INDENT = 4
/** A box of MkDocs: `!!! note "Title"`, or foldable with `???`. */
const INDENTED = /^(?:!!!|\?\?\?\+?) +([a-z][\w-]*)((?: +[\w-]+)*)(?: *"(.*)")?$/i
/** A tab of MkDocs, which may be empty. */
const TAB = /^===[!+]? "(.*)"$/
/** `:::note[Title]`, and of Nuxt `::note`. */
const COLONS = /^(:{2,}) *\{?\.?([a-z][\w-]{0,40})\}?(.*)$/i
const ATTRIBUTES = /^\s*(?:\{.*\})?$/
/** A div of pandoc and Quarto: `::: {.callout-tip title="Try it"}`. */
const DIV = /^:{3,} *\{(.{0,300})\}$/
const CALLOUT = /(?:^|\s)\.callout-([a-z]{1,40})/i
/** A block of pymdown (MkDocs): `/// note | Title`. */
const SLASHES = /^(\/{3,}) +([a-z][\w-]*) *(?:\|(.+))?$/i
const ORG = /^#\+begin_([a-z]+)(?: (.*))?$/i
/** Blocks of Org mode and Logseq that contain code. */
const CODE = words('src example query export comment')
const COMMENT = '%%'
const COMMENT_ALONE = /^%%$/
/** The first line of a comment with text: `%% Add a description`, until a line that ends in `%%`. */
const BEGUN = /^%%((?:(?!%%).){1,300})$/
/** A tag of Nuxt: `::card{title="Go"}`, its end, and `:read-more{to="/a"}`. */
const NUXT = /^(?:::(?:[a-z][\w-]{0,60}(?:\{[^{}]{0,1000}\})?)?|:[a-z][\w-]{0,60}\{[^{}]{0,1000}\})$/i

/** Boxes between two lines, and with indented text; and lines that are the tags of programs around text. */
export function fencedBoxes(markdown: MarkdownIt): void {
  blockRule(markdown, 'fenced_box', '!?=:/#%{', fencedBox)
  blockRule(markdown, 'tag_line', ':{', tagLine)
}

function fencedBox(state: StateBlock, line: number, endLine: number): FoundMarkup | null {
  const box = boxAt(lineAt(state, line))
  if (!box) return null
  const last = box.isEnd ? endOf(state, box, line, endLine) : endOfIndented(state, line + 1, endLine)
  const isWithout = box.isEnd ? box.end !== undefined && last === endLine : last === line
  if (isWithout && box.kind !== 'tab') return null
  const end = box.isEnd ? Math.min(last + 1, endLine) : Math.max(last, line + 1)
  const push = () => {
    pushHidden(state, box.words ?? '')
    if (box.code === undefined) pushBox(state, box, [line, end], last)
    else {
      const token = state.push('fence', 'code', 0)
      const content = state.getLines(line + 1, last, state.blkIndent, true)
      Object.assign(token, { content, info: box.code, map: [line, end] })
    }
    if (box.isEnd && last < endLine) pushHidden(state, lineAt(state, last))
  }
  return { end, push }
}

/** Adds a box with a title, such as a callout. */
function pushBox(
  state: StateBlock,
  { kind, title, isEnd }: BoxStart,
  map: [number, number],
  last: number,
): void {
  const open = state.push('blockquote_open', 'blockquote', 1)
  open.attrSet('class', `callout callout-${kind.toLowerCase().replace(/[^\w-]/g, '')}`)
  open.map = map
  if (title !== '') pushParagraph(state, title, map[0]).attrSet('class', 'callout-title')
  tokenizeInside(state, map[0] + 1, last, isEnd ? 0 : INDENT)
  state.push('blockquote_close', 'blockquote', -1)
}

/** The closing line, or `endLine`. A missing end is searched for once only. */
function endOf(state: StateBlock, { isEnd, end }: BoxStart, line: number, endLine: number): number {
  const known = state.env as { missingEnds?: Set<string> }
  known.missingEnds ??= new Set()
  const key = `${end} ${endLine}`
  if (end !== undefined && known.missingEnds.has(key)) return endLine
  let last = line + 1
  while (last < endLine && !isEnd?.(lineAt(state, last))) last++
  if (last === endLine) known.missingEnds.add(key)
  return last
}

/** The line after the last indented one, or the line before `from`. */
function endOfIndented(state: StateBlock, from: number, endLine: number): number {
  let end = from - 1
  for (let line = from; line < endLine; line++) {
    if (state.isEmpty(line)) continue
    if ((state.sCount[line] ?? 0) - state.blkIndent < INDENT) break
    end = line + 1
  }
  return end
}

/** A box with a title, or the name of its kind. Words for programs are hidden. */
const boxOf = (kind: string, title: string | undefined, more = '') => ({
  kind,
  title: title ?? titleOf(kind),
  words: `${title === undefined ? '' : kind} ${more}`,
})

/** How boxes begin, and what their first line says. */
const BOX_FORMS: readonly (readonly [RegExp, (found: readonly (string | undefined)[]) => BoxStart | null])[] =
  [
    [INDENTED, ([, kind = '', more, title]) => boxOf(kind, title, more)],
    [TAB, ([, title = '']) => ({ kind: 'tab', title })],
    [DIV, ([, attributes = '']) => callout(attributes)],
    [COLONS, boxOfColons],
    [
      SLASHES,
      ([, end, kind = '', title]) => ({ ...boxOf(kind, title?.trim()), isEnd: line => line === end, end }),
    ],
    [ORG, boxOfOrg],
    [COMMENT_ALONE, () => ({ kind: 'comment', title: '', isEnd: line => line === COMMENT })],
    [
      BEGUN,
      ([, words = '']) => ({
        kind: 'comment',
        title: words.trim(),
        isEnd: line => line.endsWith(COMMENT),
        end: COMMENT,
      }),
    ],
  ]

function boxAt(line: string): BoxStart | null {
  for (const [form, read] of BOX_FORMS) {
    const found = form.exec(line)
    if (found) return read(found)
  }
  return boxOfShortcode(line)
}

/** Any number of colons closes the innermost div. */
function callout(attributes: string): BoxStart | null {
  const [, kind] = CALLOUT.exec(attributes) ?? []
  if (kind === undefined) return null
  let depth = 1
  const isEnd = (line: string) => {
    if (line.startsWith(':::')) depth += /^:+$/.test(line) ? -1 : 1
    return depth === 0
  }
  return { kind, title: attributeOf(attributes, 'title') ?? titleOf(kind), words: attributes, isEnd }
}

function boxOfColons([, colons, kind = '', rest = '']: readonly (string | undefined)[]): BoxStart | null {
  const title = titleOfColons(rest)
  const isNuxt = colons === '::'
  if (title === null || (isNuxt && !BOXES.has(kind))) return null
  const named = boxOf(kind, title || undefined, rest.replace(title || ' ', ' '))
  const box = { ...named, isEnd: (line: string) => line === colons }
  return isNuxt ? { ...box, end: colons } : box
}

/** The title in `[Title]{.attributes}` or ` Title`, empty if there are only attributes, null for any other text. */
function titleOfColons(rest: string): string | null {
  if (/^ +[^ {[]/.test(rest)) return rest.trim()
  const end = rest.startsWith('[') ? rest.lastIndexOf(']') : 0
  return end >= 0 && ATTRIBUTES.test(rest.slice(end && end + 1)) ? rest.slice(1, end) : null
}

function boxOfOrg([words = '', kind = '', language = '']: readonly (string | undefined)[]): BoxStart {
  const end = `#+end_${kind}`.toLowerCase()
  const box = { kind, title: titleOf(kind), words, isEnd: (line: string) => line.toLowerCase() === end }
  return CODE.has(kind.toLowerCase()) ? { ...box, code: language.trim() } : box
}

/** Shortcodes that contain code, and that are boxes. */
const CODES = words('code-toggle highlight code')
const BOXES =
  words(`admonition alert callout caution collapse danger details expand hint important info note notice tab
  tip warning`)

/** A pair of shortcodes: `{{< note >}}`, `{{< tab "Linux" >}}`. */
function boxOfShortcode(line: string): BoxStart | null {
  const shortcode = shortcodeAt(line)
  if (shortcode?.all !== line || shortcode.isEnd || shortcode.isAlone) return null
  const { name, rest, words } = shortcode
  const title = titleIn(shortcode) ?? words.find(word => /\p{L}/u.test(word)) ?? titleOf(name)
  const isEnd = (line: string) => {
    const last = shortcodeAt(line)
    return last?.name === name && last.isEnd
  }
  if (CODES.has(name)) return { kind: name, title, words: rest, isEnd, end: name, code: words[0] ?? '' }
  return BOXES.has(name) ? { kind: name, title, words: rest.replace(title, ' '), isEnd, end: name } : null
}

/** A tag around text on a line of its own: a div, a shortcode, or a component of Nuxt. Its title is shown. */
function tagLine(state: StateBlock, line: number): FoundMarkup | null {
  const text = lineAt(state, line)
  const shortcode = shortcodeAt(text)
  const isShortcode =
    shortcode?.all === text && (shortcode.isEnd || (!shortcode.isAlone && isEnded(state, shortcode.name)))
  const isNuxt = NUXT.test(text) && (text.includes('{') || isEnded(state, '::'))
  if (!isShortcode && !isNuxt && !DIV.test(text) && !/^:{3,}$/.test(text)) return null
  const address = attributeOf(text, 'to')
  const title = shortcode ? titleIn(shortcode) : (attributeOf(text, 'title', 'label') ?? address)
  const shown = address && title ? `[${title}](<${address}>)` : title
  const push = () => {
    pushHidden(state, text.replace(title || ' ', ' '))
    if (shown) pushParagraph(state, shown, line).attrSet('class', 'callout-title')
  }
  return { end: line + 1, push }
}

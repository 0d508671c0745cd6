import type { MarkdownIt, StateBlock } from 'markdown-it'
import { pushBox, pushFence, pushGroup, pushHidden, titleOf } from './block-parts.js'
import { blockRule, type Found, lineAt, tokenizeInside } from './rules.js'

/** A box between two lines. Like code, it ends with its container if the closing line is missing. */
interface Fenced {
  kind: string
  title: string
  /** Words of the first line that are not shown. */
  words: string
  /** Whether this line closes the box. */
  isEnd(line: string): boolean
  /** The language if the content is code. */
  code?: string
  /** A group without a title. */
  isGroup?: boolean
  /** The closing line, if the box needs one. */
  end?: string
}

const COLONS = /^(:{3,}) *\{?\.?([a-z][\w-]{0,40})\}?(.*)$/i
const ATTRIBUTES = /^\s*(?:\{.*\})?$/
/** A div of pandoc and Quarto: `::: {.callout-tip title="Try it"}`. */
const DIV = /^:{3,} *\{(.{0,300})\}$/
const CALLOUT = /(?:^|\s)\.callout-([a-z]{1,40})/i
const TITLE = /\btitle=(?:"([^"]{0,300})"|'([^']{0,300})')/i
/** A block of pymdown (MkDocs): `/// note | Title`. */
const SLASHES = /^(\/{3,}) +([a-z][\w-]*) *(?:\|(.+))?$/i
const ORG = /^#\+begin_([a-z]+)(?: (.*))?$/i
const COMMENT = '%%'
/** The first line of a comment with text: `%% Add a description`, until a line that ends in `%%`. */
const BEGUN = /^%%((?:(?!%%).){1,300})$/
/** Blocks of Org mode and Logseq that contain code. */
const CODE = new Set(['src', 'example', 'query', 'export', 'comment'])

/** `:::note[Title]` to `:::`, `/// note | Title` to `///`, `#+BEGIN_QUOTE` to `#+END_QUOTE`, comments of several lines between `%%`. */
export function fencedBoxes(markdown: MarkdownIt): void {
  blockRule(markdown, 'fenced_box', ':/#%', fencedBox)
}

function fencedBox(state: StateBlock, line: number, endLine: number): Found | null {
  const fenced = fencedBy(lineAt(state, line))
  if (!fenced) return null
  const last = endOf(state, fenced, line, endLine)
  if (fenced.end !== undefined && last === endLine) return null
  const end = Math.min(last + 1, endLine)
  const inside = () => tokenizeInside(state, line + 1, last, 0)
  const push = () => {
    pushHidden(state, fenced.words)
    if (fenced.isGroup) pushGroup(state, inside)
    else if (fenced.code === undefined) pushBox(state, { ...fenced, line, end }, inside)
    else pushFence(state, fenced.code, line, last, end)
    if (last < endLine) pushHidden(state, lineAt(state, last))
  }
  return { end, push }
}

/** The closing line, or `endLine`. A missing end is searched for once only. */
function endOf(state: StateBlock, { isEnd, end }: Fenced, line: number, endLine: number): number {
  const known = state.env as { missingEnds?: Set<string> }
  known.missingEnds ??= new Set()
  const key = `${end} ${endLine}`
  if (end !== undefined && known.missingEnds.has(key)) return endLine
  let last = line + 1
  while (last < endLine && !isEnd(lineAt(state, last))) last++
  if (last === endLine) known.missingEnds.add(key)
  return last
}

function fencedBy(line: string): Fenced | null {
  if (line.startsWith(':::')) return divOf(line) ?? boxOfColons(line)
  if (line.startsWith('///')) return boxOfSlashes(line)
  if (line.startsWith('#+')) return boxOfOrg(line)
  const [, words] = BEGUN.exec(line) ?? []
  if (words !== undefined)
    return {
      kind: 'comment',
      title: words.trim(),
      words: '',
      isEnd: line => line.endsWith(COMMENT),
      end: COMMENT,
    }
  if (line === COMMENT) return { kind: 'comment', title: '', words: '', isEnd: line => line === COMMENT }
  return null
}

/** Any number of colons closes the innermost div. */
function divOf(line: string): Fenced | null {
  const [, attributes] = DIV.exec(line) ?? []
  if (attributes === undefined) return null
  const [, kind] = CALLOUT.exec(attributes) ?? []
  const [, double, single] = TITLE.exec(attributes) ?? []
  let depth = 1
  const isEnd = (line: string) => {
    if (line.startsWith(':::')) depth += /^:+$/.test(line) ? -1 : 1
    return depth === 0
  }
  const title = double ?? single ?? titleOf(kind ?? '')
  return { kind: kind ?? '', title, words: attributes, isEnd, isGroup: kind === undefined }
}

function boxOfColons(line: string): Fenced | null {
  const [, colons, kind = '', rest = ''] = COLONS.exec(line) ?? []
  const given = titleOfColons(rest)
  if (kind === '' || given === null) return null
  return { kind, title: given || titleOf(kind), words: given && kind, isEnd: line => line === colons }
}

/** The title in `[Title]{.attributes}` or ` Title`, empty if there are only attributes, null for any other text. */
function titleOfColons(rest: string): string | null {
  if (/^ +[^ {[]/.test(rest)) return rest.trim()
  const end = rest.startsWith('[') ? rest.lastIndexOf(']') : 0
  return end >= 0 && ATTRIBUTES.test(rest.slice(end && end + 1)) ? rest.slice(1, end) : null
}

function boxOfSlashes(line: string): Fenced | null {
  const [, end, kind = '', given] = SLASHES.exec(line) ?? []
  if (end === undefined) return null
  const words = given === undefined ? '' : kind
  return { kind, title: given?.trim() ?? titleOf(kind), words, isEnd: line => line === end, end }
}

function boxOfOrg(line: string): Fenced | null {
  const [, kind = '', language = ''] = ORG.exec(line) ?? []
  const end = `#+end_${kind}`.toLowerCase()
  const box = { kind, title: titleOf(kind), words: line, isEnd: (line: string) => line.toLowerCase() === end }
  if (kind === '') return null
  return CODE.has(kind.toLowerCase()) ? { ...box, code: language.trim() } : box
}

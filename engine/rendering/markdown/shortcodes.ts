import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import { lineAt, mayBegin, tokenizeInside } from './block-lines.js'
import { pushBox, pushFence, pushGroup, pushHidden, pushParagraph, titleOf } from './block-parts.js'
import { pushAddress, pushInlineCode } from './inline-parts.js'

/** `{{< name "word" title="Some text" >}}`, as Hugo and what is built on it call a template. */
interface Shortcode {
  all: string
  name: string
  /** `{{< /name >}}`. */
  isEnd: boolean
  /** What it is given, as it stands. */
  rest: string
  words: string[]
  values: ReadonlyMap<string, string>
}

/** Characters of one. */
const LONGEST = 2000
/** Lines of one. */
const MOST_LINES = 60
/** What may stand before one on its line: of quotations and lists. */
const BEFORE = /^[\s>]{0,200}(?:(?:[-*+]|\d{1,9}[.)])\s{1,9})?/
const PARTS = /^(\/?)\s{0,9}([\w-][\w./-]{0,60}?)(?:\s([\s\S]*?))?(\/?)$/
const GIVEN = /(?:([\w-]{1,60})=)?(?:"([^"]{0,1000})"|`([^`]{0,1000})`|([^\s"`=]{1,1000}))(?=\s|$)/g

/** Those between whose ends is code. */
const CODE: ReadonlySet<string> = new Set(['code-toggle', 'highlight', 'code'])
/** Those that are boxes of the kind that they are given. */
const NOTICES: ReadonlySet<string> = new Set(['admonition', 'alert', 'callout', 'hint', 'notice'])
const BOXES: ReadonlySet<string> = new Set(
  ['caution', 'comment', 'danger', 'important', 'info', 'note', 'tip', 'warning'].concat([...NOTICES]),
)
/** Those whose first word is their title. */
const TITLED: ReadonlySet<string> = new Set(['collapse', 'details', 'expand', 'tab'])
const PICTURES: ReadonlySet<string> = new Set(['figure', 'image', 'img'])
const FILMS: Readonly<Record<string, string>> = {
  vimeo: 'https://vimeo.com/',
  youtube: 'https://www.youtube.com/watch?v=',
}
const TITLES = ['title', 'header', 'heading', 'summary', 'label', 'text', 'caption']
const KINDS = ['type', 'kind', 'style', 'color', 'context']

/** Shortcodes: what stands between two of them is read as the rest, what they say is seen, and how they are called is not. */
export function shortcodes(markdown: MarkdownIt): void {
  markdown.block.ruler.before('fence', 'shortcode', blockShortcode, {
    alt: ['paragraph', 'blockquote', 'list'],
  })
  markdown.inline.ruler.before('escape', 'shortcode', inlineShortcode)
  markdown.renderer.rules.shortcode_icon = (tokens, at) =>
    `<span class="image">${escapeHtml(tokens[at]?.content ?? '')}</span>`
}

function shortcodeAt(text: string): Shortcode | null {
  if (!text.startsWith('{{<') && !text.startsWith('{{%')) return null
  const end = text.slice(0, LONGEST).indexOf(`${text.charAt(2) === '<' ? '>' : '%'}}}`, 3)
  const [all, slash, name, given = ''] = end === -1 ? [] : (PARTS.exec(text.slice(3, end).trim()) ?? [])
  if (all === undefined || name === undefined) return null
  const words: string[] = []
  const values = new Map<string, string>()
  for (const [, key, double, back, bare] of given.matchAll(GIVEN)) {
    const value = double ?? back ?? bare ?? ''
    if (key === undefined) words.push(value)
    else values.set(key.toLowerCase(), value)
  }
  return { all: text.slice(0, end + 3), name, isEnd: slash === '/', rest: all, words, values }
}

/** One that begins on a line of its own and ends on another. */
function blockShortcode(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  if (!mayBegin(state, line, '{')) return false
  const text = lineAt(state, line)
  const shortcode = shortcodeAt(text)
  if (!shortcode) return longShortcode(state, line, endLine, silent)
  if (shortcode.isEnd || shortcode.all !== text) return false
  const last = endsOf(state).get(line) ?? endLine
  if (last >= endLine) return false
  if (silent) return true
  const { name, rest, words } = shortcode
  const box = boxOf(shortcode)
  pushHidden(state, box ? unseen(shortcode, box) : rest)
  const inside = () => tokenizeInside(state, line + 1, last, 0)
  if (CODE.has(name)) pushFence(state, words[0] ?? '', line, last)
  else if (box) pushBox(state, { ...box, line, end: last + 1 }, inside)
  else pushGroup(state, last + 1, inside)
  pushHidden(state, lineAt(state, last))
  return true
}

/** One that takes several lines, which are no Markdown. */
function longShortcode(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  if (!/^\{\{[<%]/.test(lineAt(state, line))) return false
  const lines = state.getLines(line, Math.min(endLine, line + MOST_LINES), state.blkIndent, false)
  const content = shortcodeAt(lines.trimStart())?.all
  const end = line + (content?.split('\n').length ?? 0)
  // What follows on the last line would be lost.
  if (content === undefined || !lineAt(state, end - 1).endsWith(content.slice(-3))) return false
  if (silent) return true
  pushParagraph(state, content, line, end)
  state.line = end
  return true
}

function boxOf({ name, words, values }: Shortcode): { kind: string; title: string } | null {
  const said = TITLES.map(key => values.get(key)).find(Boolean)
  const named = values.get('name')
  if (NOTICES.has(name)) {
    const kind = KINDS.map(key => values.get(key)).find(Boolean) ?? words[0] ?? name
    return { kind, title: said ?? words[1] ?? titleOf(kind) }
  }
  if (BOXES.has(name)) return { kind: name, title: said ?? words[0] ?? titleOf(name) }
  const title = said ?? (TITLED.has(name) ? (words[0] ?? named) : undefined)
  return title === undefined ? null : { kind: name, title }
}

/** What it is given and not seen in a title. */
function unseen({ name, rest }: Shortcode, { title }: { title: string }): string {
  return name === title.toLowerCase() ? rest.slice(name.length) : rest.replace(title, ' ')
}

/** The line on which the shortcode of a line ends, of all of them. */
function endsOf({ src, env }: StateBlock): ReadonlyMap<number, number> {
  const known = env as { shortcodes?: ReadonlyMap<number, number> }
  if (known.shortcodes) return known.shortcodes
  const ends = new Map<number, number>()
  const open = new Map<string, number[]>()
  for (const [line, text] of src.split('\n').entries()) {
    const shortcode = shortcodeAt(text.replace(BEFORE, ''))
    if (!shortcode) continue
    const begun = open.get(shortcode.name) ?? []
    open.set(shortcode.name, begun)
    if (!shortcode.isEnd) begun.push(line)
    else {
      const from = begun.pop()
      if (from !== undefined) ends.set(from, line)
    }
  }
  known.shortcodes = ends
  return ends
}

function inlineShortcode(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (src[pos] !== '{') return false
  const shortcode = shortcodeAt(src.slice(pos, pos + LONGEST))
  if (!shortcode) return false
  if (!silent) push(state, shortcode, src.includes(`/${shortcode.name}`, pos + shortcode.all.length))
  state.pos = pos + shortcode.all.length
  return true
}

function push(state: StateInline, { name, isEnd, rest, words, values }: Shortcode, isPair: boolean): void {
  const said = TITLES.map(key => values.get(key)).find(Boolean)
  const film = FILMS[name]
  if (isEnd) pushHidden(state, rest)
  else if (PICTURES.has(name)) {
    pushHidden(state, rest)
    pushPicture(state, values, words)
  } else if (film !== undefined) pushAddress(state, film + (values.get('id') ?? words[0] ?? ''))
  else if (name === 'icon') {
    const icon = values.get('name') ?? words[0] ?? ''
    pushHidden(state, rest.replace(icon, ' '))
    state.push('shortcode_icon', '', 0).content = icon
  } else if (said !== undefined) {
    state.push('text', '', 0).content = said
    pushHidden(state, rest.replace(said, ' '))
  } else if (isPair) pushHidden(state, rest)
  // What the template would write is not known.
  else pushInlineCode(state, 'program', rest.replace(/\s{0,9}\/$/, ''))
}

function pushPicture(state: StateInline, values: Shortcode['values'], words: readonly string[]): void {
  const [said = '', ...others] = ['alt', 'caption', 'title'].flatMap(key => values.get(key) || [])
  Object.assign(state.push('image', 'img', 0), {
    attrs: [['src', values.get('src') ?? words[0] ?? '']],
    content: said,
  })
  for (const other of new Set(others)) if (other !== said) state.push('text', '', 0).content = ` ${other}`
}

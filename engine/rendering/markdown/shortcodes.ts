import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import { words } from '../../../platform/common/words.js'
import {
  pushAddress,
  pushBox,
  pushFence,
  pushGroup,
  pushHidden,
  pushInlineCode,
  pushParagraph,
  titleOf,
} from './block-parts.js'
import { blockRule, endsOf, type Found, inlineRule, lineAt, tokenizeInside } from './rules.js'

/** A call of a template in Hugo: `{{< name "word" title="Some text" >}}`. */
interface Shortcode {
  all: string
  name: string
  /** `{{< /name >}}`. */
  isEnd: boolean
  /** Its arguments, unparsed. */
  rest: string
  words: string[]
  values: ReadonlyMap<string, string>
}

/** Maximum characters of a shortcode. */
const MAX_LENGTH = 2000
/** Maximum lines of a shortcode. */
const MAX_LINES = 60
/** Markers of quotations and lists before a shortcode. */
const BEFORE = /^[\s>]{0,200}(?:(?:[-*+]|\d{1,9}[.)])\s{1,9})?/
const PARTS = /^(\/?)\s{0,9}([\w-][\w./-]{0,60}?)(?:\s([\s\S]*?))?(\/?)$/
const GIVEN = /(?<!\S)(?:([\w-]+)=)?(?:"([^"]*)"|`([^`]*)`|([^\s"`=]+))(?!\S)/g

/** Shortcodes that contain code. */
const CODE = words('code-toggle highlight code')
/** Shortcodes that are boxes; an argument names the kind. */
const NOTICES = words('admonition alert callout hint notice')
const BOXES = words(
  'caution comment danger important info note tip warning admonition alert callout hint notice',
)
/** Shortcodes whose first argument is the title. */
const TITLED = words('collapse details expand tab')
const PICTURES = words('figure image img')
const FILMS: Readonly<Record<string, string>> = {
  vimeo: 'https://vimeo.com/',
  youtube: 'https://www.youtube.com/watch?v=',
}
const TITLES = ['title', 'header', 'heading', 'summary', 'label', 'text', 'caption']
const KINDS = ['type', 'kind', 'style', 'color', 'context']

/** Shortcodes: the text inside is read as Markdown, text arguments are shown, and names are hidden. */
export function shortcodes(markdown: MarkdownIt): void {
  blockRule(markdown, 'shortcode', '{', blockShortcode)
  inlineRule(markdown, 'shortcode', '{', inlineShortcode)
  markdown.renderer.rules.shortcode_icon = (tokens, at) =>
    `<span class="image">${escapeHtml(tokens[at]?.content ?? '')}</span>`
}

function shortcodeAt(text: string): Shortcode | null {
  if (!text.startsWith('{{<') && !text.startsWith('{{%')) return null
  const end = text.slice(0, MAX_LENGTH).indexOf(`${text.charAt(2) === '<' ? '>' : '%'}}}`, 3)
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

/** A pair of shortcodes on lines of their own. */
function blockShortcode(state: StateBlock, line: number, endLine: number): Found | null {
  const text = lineAt(state, line)
  const shortcode = shortcodeAt(text)
  if (!shortcode) return longShortcode(state, line, endLine)
  if (shortcode.isEnd || shortcode.all !== text) return null
  const last = endsOf(state, 'shortcodes', line => shortcodeAt(line.replace(BEFORE, ''))).get(line) ?? endLine
  if (last >= endLine) return null
  const { name, rest, words } = shortcode
  const box = boxOf(shortcode)
  const inside = () => tokenizeInside(state, line + 1, last, 0)
  const push = () => {
    pushHidden(state, box ? unseen(shortcode, box) : rest)
    if (CODE.has(name)) pushFence(state, words[0] ?? '', line, last)
    else if (box) pushBox(state, { ...box, line, end: last + 1 }, inside)
    else pushGroup(state, inside)
    pushHidden(state, lineAt(state, last))
  }
  return { end: last + 1, push }
}

/** A shortcode of several lines, which are not Markdown. */
function longShortcode(state: StateBlock, line: number, endLine: number): Found | null {
  if (!/^\{\{[<%]/.test(lineAt(state, line))) return null
  const lines = state.getLines(line, Math.min(endLine, line + MAX_LINES), state.blkIndent, false)
  const content = shortcodeAt(lines.trimStart())?.all
  const end = line + (content?.split('\n').length ?? 0)
  // Otherwise the rest of the last line would be lost.
  if (content === undefined || !lineAt(state, end - 1).endsWith(content.slice(-3))) return null
  return { end, push: () => pushParagraph(state, content, line, end) }
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

/** The arguments that are not part of the title. */
function unseen({ name, rest }: Shortcode, { title }: { title: string }): string {
  return name === title.toLowerCase() ? rest.slice(name.length) : rest.replace(title, ' ')
}

function inlineShortcode(state: StateInline, at: number): Found | null {
  const { src } = state
  const shortcode = shortcodeAt(src.slice(at, at + MAX_LENGTH))
  if (!shortcode) return null
  const end = at + shortcode.all.length
  return { end, push: () => push(state, shortcode, src.includes(`/${shortcode.name}`, end)) }
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
  // The output of the template is unknown.
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

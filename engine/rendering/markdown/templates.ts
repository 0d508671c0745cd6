import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'
import { words } from '../../../platform/common/words.js'
import {
  blockRule,
  codeFound,
  type FoundMarkup,
  inlineRule,
  isEnded,
  lineAt,
  pushAddress,
  pushHidden,
  pushInlineCode,
  pushParagraph,
} from './rules.js'

/** A call of a template in Hugo: `{{< name "word" title="Some text" >}}`. */
interface Shortcode {
  all: string
  name: string
  /** `{{< /name >}}`. */
  isEnd: boolean
  /** `{{< name />}}`. */
  isAlone: boolean
  /** Its name and arguments, unparsed. */
  rest: string
  words: string[]
  values: ReadonlyMap<string, string>
}

/** The delimiters of templates and queries. */
const ENDS: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '<%': '%>' }
const EXPRESSION = '${'
/** Their first characters. */
const FIRST = '{<$'
/** Maximum characters and lines of a template. */
const MAX_LENGTH = 2000
const MAX_LINES = 200
const PARTS = /^(\/?)\s{0,9}([\w-][\w./-]{0,60}?)(?:\s([\s\S]*?))?(\/?)$/
const GIVEN = /(?<!\S)(?:([\w-]+)=)?(?:"([^"]*)"|`([^`]*)`|([^\s"`=]+))(?!\S)/g

const PICTURES = words('figure image img')
/** Logseq's addresses, and Hugo's ids of films. */
const ADDRESS = /^\{\{ *(?:video|youtube|vimeo|tweet|twitter|iframe) +(https?:\/\/[^\s{}]+) *\}\}$/
const FILMS: Readonly<Record<string, string>> = {
  vimeo: 'https://vimeo.com/',
  youtube: 'https://www.youtube.com/watch?v=',
}
const EMBED = /^\{\{ *embed +\[\[([^[\]|#]{1,300})\]\] *\}\}$/
/** An included file: `<<< @/snippets/a.js{2}` (VitePress), `--8<-- "a.md"` (MkDocs). */
const FILE = /^(?:<<< {0,3}["']?[@.~/\w][^<>]{1,300}|-{1,10}8<-{1,10}(?: .{1,300})?)$/
/** The documentation of a module: `::: package.name` (MkDocs), followed by indented options. */
const MODULE = /^::: +[\w-]+(?:\.[\w-]+)+$/
const OPTIONS_INDENT = 2

/**
 * `{{query …}}`, `${expressions}`, `<% templates %>`: shown as code, because the output is unknown. Of shortcodes the texts among
 * their arguments are shown, and tags around text are hidden.
 */
export function templates(markdown: MarkdownIt): void {
  inlineRule(markdown, 'template', FIRST, inlineTemplate)
  blockRule(markdown, 'template', FIRST, longTemplate)
  blockRule(markdown, 'part_of_file', '<-:', partOfFile)
}

/** The shortcode at the beginning of a text, or null. */
export function shortcodeAt(text: string): Shortcode | null {
  if (!text.startsWith('{{<') && !text.startsWith('{{%')) return null
  const end = text.slice(0, MAX_LENGTH).indexOf(`${text.charAt(2) === '<' ? '>' : '%'}}}`, 3)
  const [rest, slash, name, given = '', alone] =
    end === -1 ? [] : (PARTS.exec(text.slice(3, end).trim()) ?? [])
  if (rest === undefined || name === undefined) return null
  const words: string[] = []
  const values = new Map<string, string>()
  for (const [, key, double, back, bare] of given.matchAll(GIVEN)) {
    const value = double ?? back ?? bare ?? ''
    if (key === undefined) words.push(value)
    else values.set(key.toLowerCase(), value)
  }
  return {
    all: text.slice(0, end + 3),
    name,
    isEnd: slash === '/',
    isAlone: alone === '/',
    rest,
    words,
    values,
  }
}

/** The text of a shortcode for readers, such as the name of a tab. */
export const titleIn = ({ values }: Shortcode): string | undefined =>
  ['title', 'header', 'heading', 'summary', 'label', 'text', 'caption', 'name']
    .map(key => values.get(key))
    .find(Boolean)

/** The program at the beginning of a text. */
function programAt(text: string): string | null {
  const begin = text.slice(0, 2)
  if (begin === EXPRESSION) return expressionAt(text)
  const end = ENDS[begin]
  const at = end === undefined ? -1 : text.indexOf(end, 2)
  return at < 2 ? null : text.slice(0, at + 2)
}

/** The text up to the brace that closes the first one. */
function expressionAt(text: string): string | null {
  let depth = 0
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return text.slice(0, at + 1)
  }
  return null
}

function inlineTemplate(state: StateInline, at: number): FoundMarkup | null {
  const text = state.src.slice(at, at + MAX_LENGTH)
  const shortcode = shortcodeAt(text)
  const all = shortcode?.all ?? programAt(text)
  if (all === null) return null
  return {
    end: at + all.length,
    push: () => (shortcode ? pushShortcode(state, shortcode) : push(state, all)),
  }
}

function push(state: StateInline, text: string): void {
  const [, embedded] = EMBED.exec(text) ?? []
  const [, address] = ADDRESS.exec(text) ?? []
  if (embedded !== undefined)
    state.push('wikilink', '', 0).meta = { target: embedded, heading: '', label: embedded, isEmbed: true }
  else if (address !== undefined) pushAddress(state, address)
  else pushInlineCode(state, 'program', text)
}

function pushShortcode(state: StateInline, shortcode: Shortcode): void {
  const { name, rest, words, values, isEnd, isAlone } = shortcode
  const film = FILMS[name]
  const said = titleIn(shortcode)
  if (film !== undefined) pushAddress(state, film + (values.get('id') ?? words[0] ?? ''))
  else if (PICTURES.has(name)) {
    pushHidden(state, rest)
    pushPicture(state, values.get('src') ?? words[0] ?? '', values)
  } else if (isEnd || (!isAlone && isEnded(state, name))) pushHidden(state, rest)
  else if (said !== undefined) {
    pushHidden(state, rest.replace(said, ' '))
    state.push('text', '', 0).content = said
  } else pushInlineCode(state, 'program', rest.replace(/\s{0,9}\/$/, ''))
}

function pushPicture(state: StateInline, src: string, values: ReadonlyMap<string, string>): void {
  const [said = '', ...others] = ['alt', 'caption', 'title'].flatMap(key => values.get(key) || [])
  Object.assign(state.push('image', 'img', 0), { attrs: [['src', src]], content: said })
  for (const other of new Set(others)) if (other !== said) state.push('text', '', 0).content = ` ${other}`
}

/** A template of several lines, which must not be read as Markdown. */
function longTemplate(state: StateBlock, line: number, endLine: number): FoundMarkup | null {
  const begin = lineAt(state, line).slice(0, 2)
  if (begin !== EXPRESSION && !(begin in ENDS)) return null
  const lines = state.getLines(line, Math.min(endLine, line + MAX_LINES), state.blkIndent, false)
  const text = lines.trimStart().slice(0, MAX_LENGTH)
  const shortcode = shortcodeAt(text)
  const content = shortcode?.all ?? programAt(text)
  const all = content?.split('\n') ?? []
  const end = line + all.length
  // Otherwise the rest of the last line would be lost.
  if (content === null || all.length < 2 || all.at(-1)?.trim() !== lineAt(state, end - 1)) return null
  if (!shortcode) return codeFound(state, 'program', { content, line, end })
  return { end, push: () => pushParagraph(state, content, line, end) }
}

/** A line, with its options, that includes a file or the output of a program. */
function partOfFile(state: StateBlock, line: number, endLine: number): FoundMarkup | null {
  const text = lineAt(state, line)
  const isModule = MODULE.test(text)
  if (!isModule && !FILE.test(text)) return null
  const isOption = (at: number) =>
    isModule && (state.sCount[at] ?? 0) - state.blkIndent >= OPTIONS_INDENT && !state.isEmpty(at)
  let end = line + 1
  while (end < endLine && isOption(end)) end++
  return codeFound(state, 'program', {
    content: state.getLines(line, end, state.blkIndent, false),
    line,
    end,
  })
}

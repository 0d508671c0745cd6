import MarkdownParser, { type MarkdownIt, type StateCore, type Token } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import { words } from '../../../platform/common/words.js'
import { headingId } from '../headings.js'
import { webAddress } from '../web-address.js'
import { hiddenHtml, hiddenWords } from './block-parts.js'

/** Elements of HTML. Anything else in angle brackets, such as `Map<Key, Value>`, is text. */
const ELEMENTS =
  words(`a abbr address article aside audio b base bdi bdo big blockquote body br button canvas caption center cite code col
  colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form frame
  frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark
  menu meta meter nav noframes noscript object ol optgroup option output p param path picture pre progress q rp rt ruby
  s samp script search section select slot small source span strike strong style sub summary sup svg table tbody td
  template textarea tfoot th thead time title tr track tt u ul var video wbr`)
const BREAKS =
  /^(?:br|p|div|li|tr|h[1-6]|summary|details|dt|dd|table|ul|ol|blockquote|section|hr|pre|figcaption)$/
/** Ends of cells and other elements on one line. */
const CELL_END = /^<\/(?:td|th|option)\b/i
const TAG = /<\/?([a-z][a-z0-9.-]*)((?:\s(?:(?:[^<>"']|"[^"]{0,1000}"|'[^']{0,1000}')*|[^<>]*))?)\/?>/gi
/** A wide space. */
const CELL_GAP = '\u2003'
/** The name of a component. */
const TITLE =
  /\s(?:title|label|caption|heading|header|question|summary|description)=(?:"([^"]{1,500})"|'([^']{1,500})')/gi
const ALT = /\salt\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')/i
const SOURCE = /\ssrc\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')/i
const HREF = /\shref\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')/i
const NAME = /\s(?:id|name)\s*=\s*["']?([^\s"'<>/]{1,200})/i
const WIDTH = /\swidth\s*=\s*["']?(\d{1,4})(?:px)?["'\s/]/i

/** Attributes of JSX: `width={80}`, `src={require('./a.png').default}`. */
const VALUE =
  /\s([\w-]{1,60})=\{[^{}"']{0,60}?(?:"|'|(?=\d))([^{}"']{1,300})(?:"[^{}"']{0,60}|'[^{}"']{0,60})?\}/g

/** A picture in a text. `width` in pixels, decimal. */
export interface ImageTag {
  source: string
  description: string
  width?: string | undefined
}

/** How pictures and links of raw HTML are shown. */
export interface ShowHtml {
  /** A picture of the Safe; null if it has none. */
  image(image: ImageTag, isLinked: boolean): string | null
  /** The opening and the closing tag of a link. */
  link(href: string): [begin: string, end: string]
}

/** Whether a tag or comment in a line is HTML, which is not shown as text. */
export const isMarkup = (raw: string): boolean =>
  raw.startsWith('<!--') || ELEMENTS.has(/^<\/?([a-z][a-z0-9-]*)/i.exec(raw)?.[1]?.toLowerCase() ?? '')

/** The pictures of raw HTML. */
export const imageTags = (raw: string): ImageTag[] =>
  [...raw.matchAll(TAG)].flatMap(([, name, attributes = '']) =>
    name?.toLowerCase() === 'img' ? imageOf(attributes) : [],
  )

function imageOf(written: string): ImageTag {
  const attributes = written.replace(VALUE, ' $1="$2"')
  return {
    source: attributeOf(SOURCE, attributes),
    description: attributeOf(ALT, attributes),
    width: WIDTH.exec(`${attributes} `)?.[1],
  }
}

function attributeOf(attribute: RegExp, attributes: string): string {
  const [, double, single] = attribute.exec(attributes) ?? []
  return decoded(double ?? single ?? '')
}

/** The beginning of a comment, script or style sheet. */
const NO_TEXT = /<!--|<(script|style)\b[^<>]{0,500}>/gi

/**
 * Raw HTML in Markdown as its text. Tags are left out, pictures of the Safe are shown, others become their description, and comments are marked;
 * everything else is shown unchanged. In a block of its own, unknown elements, scripts and styles are left out as well:
 * they are meant for other programs. None of it reaches the page as HTML.
 */
export function rawHtmlText(raw: string, show: ShowHtml, isBlock = false): string {
  let html = ''
  let at = 0
  const ends = new EndsIn(raw)
  for (const { 0: begin, 1: name, index } of raw.matchAll(NO_TEXT)) {
    const end = name === undefined ? '-->' : `</${name.toLowerCase()}>`
    const from = index + begin.length
    const to = index < at ? -1 : ends.after(end, from)
    if (to === -1) continue
    html += tagsAsText(raw.slice(at, index), show, isBlock)
    at = to + end.length
    if (name !== undefined) html += hiddenHtml(hiddenWords(raw.slice(index, at)))
    else if (raw.slice(from, to).trim() !== '')
      html += `<span class="comment">${escapeHtml(raw.slice(from, to).trim())}</span>`
  }
  return html + tagsAsText(raw.slice(at), show, isBlock)
}

/** Finds closing tags. A missing one is searched for once only. */
class EndsIn {
  readonly #text: string
  readonly #missing = new Set<string>()

  constructor(text: string) {
    this.#text = text.toLowerCase()
  }

  after(end: string, from: number): number {
    const at = this.#missing.has(end) ? -1 : this.#text.indexOf(end, from)
    if (at === -1) this.#missing.add(end)
    return at
  }
}

function tagsAsText(raw: string, show: ShowHtml, isBlock: boolean): string {
  let html = ''
  let at = 0
  let linkEnd = ''
  for (const { 0: tag, 1: name = '', 2: attributes = '', index } of raw.matchAll(TAG)) {
    const element = name.toLowerCase()
    if (!isBlock && !ELEMENTS.has(element)) continue
    html += textHtml(raw.slice(at, index))
    at = index + tag.length
    if (element === 'a') {
      html += linkEnd
      const href = isBlock ? hrefOf(tag) : null
      const [begin, end] = href === null ? ['', ''] : show.link(href)
      html += placeOf(tag) + begin
      linkEnd = end
    } else
      html += CELL_END.test(tag)
        ? CELL_GAP
        : placeOf(tag) + instead(element, attributes, show, linkEnd !== '')
  }
  return html + textHtml(raw.slice(at)) + linkEnd
}

/** The target of an HTML link, or null if the tag does not begin one. */
function hrefOf(tag: string): string | null {
  if (!/^<a\s/i.test(tag)) return null
  return attributeOf(HREF, tag) || null
}

/** The addresses of the links in raw HTML. */
export const hrefsIn = (raw: string): string[] => [...raw.matchAll(TAG)].flatMap(([tag]) => hrefOf(tag) ?? [])

/** The id or name of a tag, which links may lead to. */
function placeOf(tag: string): string {
  const [, name] = tag.startsWith('</') ? [] : (NAME.exec(tag) ?? [])
  return name === undefined ? '' : `<span id="${escapeHtml(headingId(name))}"></span>`
}

const { unescapeAll } = new MarkdownParser('zero').utils
const ENTITY = /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,31});/gi

const decoded = (text: string) => text.replace(ENTITY, entity => unescapeAll(entity))

/** Output of a program between tags, which is unknown: `{{ name }}`, `{% for … %}`, and a space of JSX. */
const PROGRAM = /\{\{[^{}]{1,300}\}\}|\{%[^{}%]{1,300}%\}/g
const JSX_SPACE = /\{(?:' '|" ")\}/g

const textHtml = (raw: string) => programsAsCode(decoded(raw.replace(JSX_SPACE, ' ')))

function programsAsCode(text: string): string {
  let html = ''
  let at = 0
  for (const { 0: program, index } of text.matchAll(PROGRAM)) {
    html += `${escapeHtml(text.slice(at, index))}<code class="program">${escapeHtml(program)}</code>`
    at = index + program.length
  }
  return html + escapeHtml(text.slice(at))
}

function instead(name: string, attributes: string, show: ShowHtml, isLinked: boolean): string {
  if (name === 'img') {
    const image = imageOf(attributes)
    return show.image(image, isLinked) ?? picture(image.description)
  }
  if (name === 'iframe') return isLinked ? '' : frame(attributes)
  if (!ELEMENTS.has(name)) return `${attributesText(attributes)}\n`
  return BREAKS.test(name) ? '\n' : ''
}

/** The text attributes of an MDX component; titles are shown, the rest is hidden. */
export const componentText = (tag: string): string => attributesText(tag.replace(/^<\/?[\w.:-]+|\/?>$/g, ''))

function attributesText(attributes: string): string {
  const titles = [...attributes.matchAll(TITLE)]
  const rest = titles.reduce((rest, [all]) => rest.replace(all, ' '), attributes)
  const seen = titles.map(([, double, single]) => codeInText(double ?? single ?? '')).join(' · ')
  return seen + hiddenHtml(hiddenWords(rest))
}

const codeInText = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** A frame, such as a video, is not loaded: a link to its content. */
function frame(attributes: string): string {
  const address = webAddress(attributeOf(SOURCE, attributes))
  return address === null
    ? ''
    : `<a href="${escapeHtml(address)}" rel="noreferrer nofollow">${escapeHtml(address)}</a>`
}

/** The description of a picture that is not loaded. */
export const picture = (description: string): string =>
  description.trim() === '' ? '' : `<span class="image">${programsAsCode(description.trim())}</span>`

const END = /^<\/a\s*>$/i

/** Turns HTML links in a line, `<a href="b.md">text</a>`, into links of Markdown, so both are checked alike. */
export function htmlLinks(markdown: MarkdownIt): void {
  // At the end, so that addresses in their text do not become links of their own.
  markdown.core.ruler.push('html_links', ({ tokens }: StateCore) => {
    for (const { children } of tokens) if (children) setPairs(children)
  })
}

function setPairs(tokens: readonly Token[]): void {
  let begun: Token | null = null
  let inside = 0
  for (const token of tokens) {
    if (token.type === 'link_open') inside++
    if (token.type === 'link_close') inside--
    // Links cannot be nested.
    if (token.type === 'link_open') begun = null
    if (token.type !== 'html_inline' || inside > 0) continue
    if (hrefOf(token.content) !== null) begun = token
    else if (begun && END.test(token.content)) {
      setLink(begun, 'link_open', 1)
      setLink(token, 'link_close', -1)
      begun = null
    }
  }
}

function setLink(token: Token, type: string, nesting: 1 | -1): void {
  const href = hrefOf(token.content)
  Object.assign(token, { type, tag: 'a', nesting, content: '' })
  if (href !== null) token.attrSet('href', href)
}

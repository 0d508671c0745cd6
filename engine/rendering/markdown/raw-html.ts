import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import { words } from '../../../platform/common/words.js'
import type { RenderOptions } from '../article.js'
import { headingId } from '../headings.js'
import { webAddress } from '../web-address.js'
import { attributeOf, attributesOf, decoded } from './attributes.js'
import { type ImageTag, linkTag, picture, programsAsCode, shownImage, webLink } from './links.js'
import { hiddenHtml, hiddenWords } from './rules.js'

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
/** Attributes of a component that are shown. */
const TITLES = words('title label caption heading header question summary description')
const WIDTH = /^(\d{1,4})(?:px)?$/

/** Whether a tag or comment in a line is HTML, which is not shown as text. */
export const isMarkup = (raw: string): boolean =>
  raw.startsWith('<!--') || ELEMENTS.has(/^<\/?([a-z][a-z0-9-]*)/i.exec(raw)?.[1]?.toLowerCase() ?? '')

/** The pictures of raw HTML. */
export const imageTags = (raw: string): ImageTag[] =>
  [...raw.matchAll(TAG)].flatMap(([, name, attributes = '']) =>
    name?.toLowerCase() === 'img' ? imageOf(attributes) : [],
  )

function imageOf(attributes: string): ImageTag {
  return {
    source: attributeOf(attributes, 'src') ?? '',
    description: attributeOf(attributes, 'alt') ?? '',
    width: WIDTH.exec(attributeOf(attributes, 'width') ?? '')?.[1],
  }
}

/** The beginning of a comment, script or style sheet. */
const NO_TEXT = /<!--|<(script|style)\b[^<>]{0,500}>/gi

/**
 * Raw HTML in Markdown as its text. Tags are left out, pictures of the Safe are shown, others become their description, and comments are marked;
 * everything else is shown unchanged. In a block of its own, unknown elements, scripts and styles are left out as well:
 * they are meant for other programs. None of it reaches the page as HTML.
 */
export function rawHtmlText(raw: string, resolve: RenderOptions['resolve'], isBlock = false): string {
  let html = ''
  let at = 0
  const lower = raw.toLowerCase()
  /** Ends that do not follow; each is searched for once. */
  const missing = new Set<string>()
  for (const { 0: begin, 1: name, index } of raw.matchAll(NO_TEXT)) {
    const end = name === undefined ? '-->' : `</${name.toLowerCase()}>`
    const from = index + begin.length
    const to = index < at || missing.has(end) ? -1 : lower.indexOf(end, from)
    if (to === -1 && index >= at) missing.add(end)
    if (to === -1) continue
    html += tagsAsText(raw.slice(at, index), resolve, isBlock)
    at = to + end.length
    if (name !== undefined) html += hiddenHtml(hiddenWords(raw.slice(index, at)))
    else if (raw.slice(from, to).trim() !== '')
      html += `<span class="comment">${escapeHtml(raw.slice(from, to).trim())}</span>`
  }
  return html + tagsAsText(raw.slice(at), resolve, isBlock)
}

const DEAD = '<span class="dead">'

function tagsAsText(raw: string, resolve: RenderOptions['resolve'], isBlock: boolean): string {
  let html = ''
  let at = 0
  let linkEnd = ''
  const show = (image: ImageTag) => shownImage(image, resolve, linkEnd !== '' || !isBlock)
  for (const { 0: tag, 1: name = '', 2: attributes = '', index } of raw.matchAll(TAG)) {
    const element = name.toLowerCase()
    if (!isBlock && !ELEMENTS.has(element)) continue
    html += textHtml(raw.slice(at, index))
    at = index + tag.length
    if (element === 'a') {
      html += linkEnd
      const href = isBlock ? hrefOf(tag) : null
      const link = href === null ? '' : (linkTag(href, resolve) ?? (href.startsWith('#') ? '' : DEAD))
      html += placeOf(tag) + link
      linkEnd = link && (link === DEAD ? '</span>' : '</a>')
    } else if (CELL_END.test(tag)) html += CELL_GAP
    else html += placeOf(tag) + instead(element, attributes, linkEnd !== '', show)
  }
  return html + textHtml(raw.slice(at)) + linkEnd
}

/** The target of an HTML link, or null if the tag does not begin one. */
const hrefOf = (tag: string) => (/^<a\s/i.test(tag) ? (attributeOf(tag, 'href') ?? null) : null)

/** The addresses of the links in raw HTML. */
export const hrefsIn = (raw: string): string[] => [...raw.matchAll(TAG)].flatMap(([tag]) => hrefOf(tag) ?? [])

/** A space of JSX. */
const JSX_SPACE = /\{(?:' '|" ")\}/g

const textHtml = (raw: string) => programsAsCode(decoded(raw.replace(JSX_SPACE, ' ')))

/** The id or name of a tag, which links may lead to. */
function placeOf(tag: string): string {
  const [name = ''] = (tag.startsWith('</') ? '' : (attributeOf(tag, 'id', 'name') ?? '')).split(' ', 1)
  return name === '' ? '' : `<span id="${escapeHtml(headingId(name))}"></span>`
}

function instead(
  name: string,
  attributes: string,
  isLinked: boolean,
  show: (image: ImageTag) => string | null,
): string {
  if (name === 'img') {
    const image = imageOf(attributes)
    return show(image) ?? picture(image.description)
  }
  if (name === 'iframe') return isLinked ? '' : frame(attributes)
  if (!ELEMENTS.has(name)) return `${attributesText(attributes)}\n`
  return BREAKS.test(name) ? '\n' : ''
}

/** The text attributes of an MDX component; titles are shown, the rest is hidden. */
export const componentText = (tag: string): string => attributesText(tag.replace(/^<\/?[\w.:-]+|\/?>$/g, ''))

function attributesText(attributes: string): string {
  const titles = attributesOf(attributes).filter(({ name, value }) => TITLES.has(name) && value !== '')
  const rest = titles.reduce((rest, { all }) => rest.replace(all, ' '), attributes)
  const seen = titles.map(({ value }) => codeInText(value)).join(' · ')
  return seen + hiddenHtml(hiddenWords(rest))
}

const codeInText = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** A frame, such as a video, is not loaded: a link to its content. */
function frame(attributes: string): string {
  const address = webAddress(attributeOf(attributes, 'src') ?? '')
  return address === null ? '' : webLink(address, escapeHtml(address))
}

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

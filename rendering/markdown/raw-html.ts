import MarkdownIt from 'markdown-it'
import { escapeHtml } from '../escape.js'
import { webAddress } from '../web-address.js'
import { hiddenHtml, hiddenWords } from './hidden-words.js'

/** Elements of HTML. What else stands in angle brackets, such as `Map<Key, Value>`, is text. */
const ELEMENTS = new Set(
  `a abbr address article aside audio b base bdi bdo big blockquote body br button canvas caption center cite code col
  colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form frame
  frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark
  menu meta meter nav noframes noscript object ol optgroup option output p param path picture pre progress q rp rt ruby
  s samp script search section select slot small source span strike strong style sub summary sup svg table tbody td
  template textarea tfoot th thead time title tr track tt u ul var video wbr`.split(/\s+/),
)
const BREAKS =
  /^(?:br|p|div|li|tr|h[1-6]|summary|details|dt|dd|table|ul|ol|blockquote|section|hr|pre|figcaption)$/
/** Ends of what stands beside each other. */
const CELL_END = /^<\/(?:td|th|option)\b/i
const TAG = /<\/?([a-z][a-z0-9.-]*)((?:\s(?:(?:[^<>"']|"[^"]{0,1000}"|'[^']{0,1000}')*|[^<>]*))?)\/?>/gi
/** A wide space. */
const CELL_GAP = '\u2003'
/** What a component is called. */
const TITLE =
  /\s(?:title|label|caption|heading|header|question|summary|description)=(?:"([^"]{1,500})"|'([^']{1,500})')/gi
const ALT = /\salt\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')/i
const SOURCE = /\ssrc\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')/i
const WIDTH = /\swidth\s*=\s*["']?(\d{1,4})(?:px)?["'\s/]/i

/** A picture as a text names it. `width` in pixels, decimal. */
export interface ImageTag {
  source: string
  description: string
  width?: string | undefined
}

/** Shows a picture of the Safe; null if it has none. */
type ShowImage = (image: ImageTag) => string | null

/** Whether a tag or comment in a line is not seen as text: it is one of HTML. */
export const isMarkup = (raw: string): boolean =>
  raw.startsWith('<!--') || ELEMENTS.has(/^<\/?([a-z][a-z0-9-]*)/i.exec(raw)?.[1]?.toLowerCase() ?? '')

/** The pictures of raw HTML. */
export const imageTags = (raw: string): ImageTag[] =>
  [...raw.matchAll(TAG)].flatMap(([, name, attributes = '']) =>
    name?.toLowerCase() === 'img' ? imageOf(attributes) : [],
  )

const imageOf = (attributes: string): ImageTag => ({
  source: attributeOf(SOURCE, attributes),
  description: attributeOf(ALT, attributes),
  width: WIDTH.exec(`${attributes} `)?.[1],
})

function attributeOf(attribute: RegExp, attributes: string): string {
  const [, double, single] = attribute.exec(attributes) ?? []
  return decoded(double ?? single ?? '')
}

/**
 * Raw HTML in Markdown as its text: tags of HTML are left out, a picture of the Safe is shown, another one is its description, comments are marked, and
 * everything else is shown as it stands. In a block of its own, elements that HTML does not have are left out, too: they
 * are made for other programs. Nothing of it reaches the page as HTML.
 */
export function rawHtmlText(raw: string, show: ShowImage, isBlock = false): string {
  let html = ''
  let at = 0
  while (at < raw.length) {
    const from = raw.indexOf('<!--', at)
    const to = from === -1 ? -1 : raw.indexOf('-->', from + 4)
    if (to === -1) return html + tagsAsText(raw.slice(at), show, isBlock)
    const comment = raw.slice(from + 4, to).trim()
    html += tagsAsText(raw.slice(at, from), show, isBlock)
    if (comment !== '') html += `<span class="comment">${escapeHtml(comment)}</span>`
    at = to + 3
  }
  return html
}

function tagsAsText(raw: string, show: ShowImage, isBlock: boolean): string {
  let html = ''
  let at = 0
  for (const { 0: tag, 1: name = '', 2: attributes = '', index } of raw.matchAll(TAG)) {
    if (!isBlock && !ELEMENTS.has(name.toLowerCase())) continue
    const text = CELL_END.test(tag) ? CELL_GAP : instead(name.toLowerCase(), attributes, show)
    html += textHtml(raw.slice(at, index)) + text
    at = index + tag.length
  }
  return html + textHtml(raw.slice(at))
}

const { unescapeAll } = new MarkdownIt('zero').utils
const ENTITY = /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,31});/gi

const decoded = (text: string) => text.replace(ENTITY, entity => unescapeAll(entity))
const textHtml = (text: string) => escapeHtml(decoded(text))

function instead(name: string, attributes: string, show: ShowImage): string {
  if (name === 'img') {
    const image = imageOf(attributes)
    return show(image) ?? picture(image.description)
  }
  if (name === 'iframe') return frame(attributes)
  if (!ELEMENTS.has(name)) return `${attributesText(attributes)}\n`
  return BREAKS.test(name) ? '\n' : ''
}

/** What a component of MDX says in its tag: what it is called is seen. */
export const componentText = (tag: string): string =>
  attributesText(/^<\/?[\w.:-]+([\s\S]*?)\/?>$/.exec(tag)?.[1] ?? '')

function attributesText(attributes: string): string {
  const titles = [...attributes.matchAll(TITLE)]
  const rest = titles.reduce((rest, [all]) => rest.replace(all, ' '), attributes)
  const seen = titles.map(([, double, single]) => codeInText(double ?? single ?? '')).join(' · ')
  return seen + hiddenHtml(hiddenWords(rest))
}

const codeInText = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** A frame, such as a film, which is not loaded: a link to what it would show. */
function frame(attributes: string): string {
  const address = webAddress(attributeOf(SOURCE, attributes))
  return address === null
    ? ''
    : `<a href="${escapeHtml(address)}" rel="noreferrer nofollow">${escapeHtml(address)}</a>`
}

/** A picture, which is not loaded: what it shows, in words. */
export const picture = (description: string): string =>
  description.trim() === '' ? '' : `<span class="image">${escapeHtml(description.trim())}</span>`

// Reduces a line of Markdown to readable text: names, words and addresses stay, markup is removed.
// Every repetition is bounded or ends at a character it cannot contain.

import { DomUtils, parseDocument } from 'htmlparser2'
import { shiftedText } from '../shared/raised-text.js'

const IMAGE = /!\[([^[\]]{0,300})\]\([^()]{0,1000}(?:\([^()]{0,200}\)[^()]{0,300})?\)/g
const REFERENCE_IMAGE = /!\[([^[\]]{0,300})\]\[[^[\]]{0,100}\]/g
const EMBED = /!\[\[([^[\]|#^]{1,300})(?:[|#^][^[\]]{0,300})?\]\]/g
const LINK =
  /\[([^[\]]{0,300})\]\((?:<([^<>()\n]{1,500})>|<?([^()<>\s]{0,1000})>?)(?:\s{1,9}"[^"]{0,300}"\s{0,9})?\)/g
const REFERENCE_LINK = /\[([^[\]]{1,300})\]\[[^[\]]{0,100}\]/g
const BLOCK_REFERENCE =
  /\[([^[\]]{1,300})\]\(\(\([0-9a-f-]{36}\)\)\)|(?:\{\{embed\s{1,5})?\(\([0-9a-f-]{36}\)\)(?:\}\})?/g
/** Content that Logseq embeds: another block, a video, a post. */
const SHOWN_HERE = /\{\{(?:embed|video|youtube|vimeo|tweet|twitter|iframe)\s{1,5}([^{}]{1,500})\}\}/g
const ICON_CODE = /:(?:material|octicons|fontawesome|simple)-[a-z0-9-]{1,80}:/g
const ATTRIBUTES = /\{:?\s?(?:[#.][\w-]|[a-z-]{1,30}=|height \d)[^{}]{0,300}\}/g
const BLOCK_ID = /\s\^[A-Za-z0-9][A-Za-z0-9-]{3,40}$/
const TAG =
  /<\/?(?:a|abbr|article|aside|audio|b|blockquote|br|button|caption|center|code|del|details|div|dd|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|iframe|img|input|ins|kbd|label|li|main|mark|nav|ol|p|picture|pre|s|section|small|source|span|strong|sub|summary|sup|svg|path|table|tbody|td|tfoot|th|thead|tr|u|ul|video)(?=[\s/>])[^<>]{0,1000}>/gi
const SHIFTED = /<su([pb])>([^<>]{1,60})<\/su[pb]>/g
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/gi
/** An empty bullet, or a horizontal rule. */
const EMPTY_LINE = /^\s{0,200}[-*+:]\s{0,9}$|^\s{0,3}(?:(?:-\s?){3,100}|(?:\*\s?){3,100}|(?:_\s?){3,100})$/
const ORG_START = /#\+begin_(\w{1,20})/i
const COMPONENT_LINE = /^\s*<\/?[A-Z][\w.]{0,80}(?=[\s/>])[^<>]{0,1000}>\s*$/
const ATTACHMENT =
  /\.(?:png|jpe?g|gif|svg|webp|bmp|avif|pdf|mp3|m4a|wav|ogg|mp4|mov|webm|mkv|heic|tiff?|canvas|base|zip|docx?|xlsx?|pptx?|odt)$/i

/** Whether a link points to a file other than a note. */
export const isAttachment = (target: string) => ATTACHMENT.test(target)

/** The line without comments, pictures, HTML, attributes, and addresses inside the folder. */
export function readable(line: string): string {
  if (COMPONENT_LINE.test(line)) return ''
  const text = outsideCode(line, withoutMarkup)
  if (/^\s{0,100}\|/.test(text)) return narrowTable(text)
  const shown = text.includes('#+')
    ? text.replace(ORG_START, (_all, kind: string) => `[!${kind.toLowerCase()}]`)
    : text
  return EMPTY_LINE.test(shown) ? '' : shown.replace(BLOCK_ID, '')
}

/** The line with its text outside of code converted. */
export function outsideCode(line: string, convert: (text: string) => string): string {
  const parts = line.includes('`') ? line.split(/(`[^`]*`)/) : [line]
  return parts.map((part, at) => (at % 2 === 1 ? part : convert(part))).join('')
}

function withoutMarkup(text: string): string {
  let rest = text
  if (rest.includes('!['))
    rest = rest.replace(IMAGE, imageText).replace(REFERENCE_IMAGE, imageText).replace(EMBED, embedText)
  if (rest.includes('((')) rest = rest.replace(BLOCK_REFERENCE, '$1')
  if (rest.includes('](')) rest = rest.replace(LINK, linkText)
  if (rest.includes('][')) rest = rest.replace(REFERENCE_LINK, '$1')
  if (rest.includes('<')) rest = rest.replace(SHIFTED, shifted).replace(TAG, ' ')
  if (rest.includes('&')) rest = rest.replace(ENTITY, characterOf)
  if (rest.includes('{')) rest = rest.replace(SHOWN_HERE, '$1').replace(ATTRIBUTES, '')
  return rest.includes(':') ? rest.replace(ICON_CODE, '') : rest
}

const shifted = (_all: string, kind: string, text: string, at: number, line: string) =>
  shiftedText(line.slice(Math.max(0, at - 60), at), text, kind === 'p' ? 'raised' : 'lowered')

/** `&mdash;` → `—` */
const characterOf = (entity: string) => DomUtils.textContent(parseDocument(entity))

/** The alternative text of a picture, if its author gave one. */
function imageText(_all: string, shown: string): string {
  return isAttachment(shown.trim()) || /^image(?: ?\d{0,5})$/i.test(shown) ? '' : shown
}

const embedText = (all: string, target: string) => (isAttachment(target.trim()) ? '' : all.slice(1))

function linkText(all: string, shown: string, spaced: string | undefined, to: string): string {
  if (shown === '') return ''
  return /^[a-z][a-z+.-]{1,20}:/i.test(spaced ?? to) ? all : shown
}

/** Collapses the spaces and dashes that align columns of a table, which cost as much as words. */
const narrowTable = (text: string) =>
  text
    .trimEnd()
    .replace(/(?<=\S) {2,}/g, ' ')
    .replace(/-{4,}/g, '---')

/** The line without `<!-- comments -->`, except in code. A comment not closed on the line is kept. */
export function withoutComments(line: string): string {
  let open = line.indexOf('<!--')
  if (open < 0) return line
  const [lastClose, lastTick] = [line.lastIndexOf('-->'), line.lastIndexOf('`')]
  let [kept, at, tick] = ['', 0, line.indexOf('`')]
  // Each position is searched only after it has been passed, so the line is read once.
  while (open >= 0 && open < lastClose) {
    const isCode = tick >= 0 && tick < open && tick < lastTick
    const end = isCode ? line.indexOf('`', tick + 1) + 1 : line.indexOf('-->', open) + 3
    kept += isCode ? line.slice(at, end) : line.slice(at, open) + macroOf(line.slice(open + 4, end - 3))
    at = end
    if (open < at) open = line.indexOf('<!--', at)
    if (tick >= 0 && tick < at) tick = line.indexOf('`', at)
  }
  return kept + line.slice(at).replaceAll('<!--', '')
}

/** `<!-- md:option name -->` is rendered by its site generator. */
const macroOf = (comment: string) =>
  /^\s?[a-z]{1,20}:[a-z]{1,20} (\S.{0,200})$/.exec(comment)?.[1]?.trimEnd() ?? ''

/** A heading as a name: without emphasis, code marks and addresses. */
export function plainText(text: string): string {
  return readable(text)
    .replace(/\[\[(?:[^[\]|]{1,300}\|)?([^[\]|]{1,300})\]\]/g, '$1')
    .replace(/\[([^[\]]{1,300})\]\([^()\s]{0,1000}\)/g, '$1')
    .replace(/[*`]|__|~~|==|\^\^/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

import { words } from '../../../platform/common/words.js'

/** A mark for what is shown by a program: `[gallery ids="1,2"]`, `[/caption]`. */
const SHORTCODE = /\[(\/?)([a-z][\w-]{1,40})((?:\s[^[\]<>]{0,500})?)\]/gi
/** Those of WordPress itself, which need neither an end nor values. */
const KNOWN = words('gallery playlist audio video embed caption wp_caption contact-form more')
/** Names of marks around code, in WordPress and its extensions. */
const CODE =
  /^(?:source)?code$|^(?:cce|ccn\w*|php|python|java|js|javascript|css|html|xml|sql|bash|ruby|c|cpp|csharp|text|plain)$/i

/** A text without such marks; those around code are `<pre>`. What else stands in brackets is text. */
export function withoutShortcodes(html: string): string {
  const closed = new Set<string>()
  for (const [, end, name = ''] of html.matchAll(SHORTCODE)) if (end === '/') closed.add(name.toLowerCase())
  return html.replace(SHORTCODE, (mark, end: string, name: string, values: string) => {
    const isClosed = closed.has(name.toLowerCase())
    if (isClosed && CODE.test(name)) return `<${end}pre>`
    return isClosed || values.includes('="') || KNOWN.has(name) ? ' ' : mark
  })
}

const BLOCKS = /<(?:address|article|blockquote|dd|div|dl|figure|h[1-6]|hr|li|ol|p|section|table|ul)\b/i
const CODE_BLOCKS = /(<pre\b[^<>]{0,300}>)|<\/pre\s{0,5}>/gi

/** Old editors keep paragraphs as empty lines, which WordPress shows as such; not in code. */
export function paragraphed(html: string): string {
  if (/<(?:p|!-- wp:)\b/i.test(html)) return html
  const parts: string[] = []
  let from = 0
  let isCode = false
  for (const mark of html.matchAll(CODE_BLOCKS)) {
    const text = html.slice(from, mark.index)
    parts.push(isCode ? text : withParagraphs(text), mark[0])
    isCode = mark[1] !== undefined
    from = mark.index + mark[0].length
  }
  return [...parts, isCode ? html.slice(from) : withParagraphs(html.slice(from))].join('')
}

const withParagraphs = (html: string) =>
  html
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map(part =>
      BLOCKS.test(part) || part.trim() === '' ? part : `<p>${part.trim().replaceAll('\n', '<br>')}</p>`,
    )
    .join('\n\n')

import { words } from '../../../platform/common/words.js'
import { type Format, UnreadableFile } from '../shared/format.js'
import { isoTime } from '../shared/values.js'
import { htmlLine } from '../web/html-lines.js'
import { ArchiveNotes } from './archive-notes.js'
import { allOf, firstOf, type XmlItem, xmlItems } from './xml-items.js'

const MAX_FIELD_LENGTH = 2_000
/** Maximum characters by parent and element. `content` is HTML, with editor marks as comments. */
const MAX_LENGTH: Readonly<Record<string, number>> = {
  'wp:author wp:author_login': 200,
  'wp:author wp:author_display_name': 200,
  'item title': MAX_FIELD_LENGTH,
  'item link': MAX_FIELD_LENGTH,
  'item category': 200,
  'item dc:creator': 300,
  'item content:encoded': 4_194_304,
  'item excerpt:encoded': 20_000,
  'item wp:post_type': 40,
  'item wp:status': 40,
  'item wp:post_date_gmt': 40,
  'item wp:post_date': 40,
}
const MAX_TAGS = 100
/** Post types for readers; others are menus, styles, files and data of plugins. */
const READ = new Set(['post', 'page'])
const DELETED = new Set(['trash', 'auto-draft'])
const MAX_AUTHORS = 1_000

/** Reads the posts and pages of an export one by one. */
export const readWordPress: Format['parse'] = async function* (bytes, file) {
  const notes = new ArchiveNotes(file)
  /** Display names of authors by login name. */
  const authors = new Map<string, string>()
  const left = { comments: 0, files: 0, 'menus and settings': 0 }
  let [items, posts] = [0, 0]
  for await (const some of xmlItems(bytes, ['item', 'wp:author', 'wp:comment'], MAX_LENGTH, 'WordPress')) {
    yield []
    for (const item of some) {
      if (item.name === 'wp:author' && authors.size < MAX_AUTHORS)
        authors.set(
          firstOf(item, 'wp:author wp:author_login'),
          firstOf(item, 'wp:author wp:author_display_name'),
        )
      if (item.name !== 'item') continue
      items++
      left.comments += item.inner.length
      const type = firstOf(item, 'item wp:post_type')
      if (!READ.has(type)) left[type === 'attachment' ? 'files' : 'menus and settings']++
      else if (!DELETED.has(firstOf(item, 'item wp:status'))) {
        posts++
        yield* notes.html(postOf(item, authors))
      }
    }
  }
  if (items === 0)
    throw new UnreadableFile('This is not an export of WordPress: it has no posts, pages or files.')
  if (posts === 0) throw new UnreadableFile('This export of WordPress has no posts or pages.')
  const counted = Object.entries(left).flatMap(([what, count]) =>
    count === 0
      ? []
      : [count === 1 ? `1 ${what.replace(/s\b/g, '').replace('and', 'or')}` : `${count} ${what}`],
  )
  if (counted.length > 0)
    file?.remark?.(1, `Only posts and pages were read. Left out: ${counted.join(', ')}.`)
}

function postOf(item: XmlItem, authors: ReadonlyMap<string, string>) {
  const creator = firstOf(item, 'item dc:creator')
  const link = firstOf(item, 'item link')
  const tags = allOf(item, 'item category').filter(tag => tag !== 'Uncategorized')
  const html = firstOf(item, 'item content:encoded') || firstOf(item, 'item excerpt:encoded')
  return {
    line: item.line,
    title: htmlLine(firstOf(item, 'item title')),
    time: timeOf(item),
    tags: new Set(tags.slice(0, MAX_TAGS).map(htmlLine)),
    author: authors.get(creator) || creator,
    html: paragraphed(withoutShortcodes(html)),
    lines: [],
    source: /^https?:\/\//.test(link) ? link : '',
  }
}

/** `2024-05-03 10:15:00`; the date of drafts is all zeros. */
const timeOf = (item: XmlItem) =>
  ['item wp:post_date_gmt', 'item wp:post_date']
    .map(key => isoTime(`${firstOf(item, key).replace(' ', 'T')}Z`))
    .find(time => time !== undefined)

/** A WordPress shortcode: `[gallery ids="1,2"]`, `[/caption]`. */
const SHORTCODE = /\[(\/?)([a-z][\w-]{1,40})((?:\s[^[\]<>]{0,500})?)\]/gi
/** WordPress's own shortcodes, which are recognized without an end or attributes. */
const KNOWN = words('gallery playlist audio video embed caption wp_caption contact-form more')
/** Names of code shortcodes, in WordPress and its plugins. */
const CODE =
  /^(?:source)?code$|^(?:cce|ccn\w*|php|python|java|js|javascript|css|html|xml|sql|bash|ruby|c|cpp|csharp|text|plain)$/i

/** Removes shortcodes; those around code become `<pre>`. Other text in brackets stays. */
function withoutShortcodes(html: string): string {
  const closed = new Set<string>()
  for (const [, end, name = ''] of html.matchAll(SHORTCODE)) if (end === '/') closed.add(name.toLowerCase())
  return html.replace(SHORTCODE, (mark, end: string, name: string, values: string) => {
    const isClosed = closed.has(name.toLowerCase())
    if (isClosed && CODE.test(name)) return `<${end}pre>`
    return isClosed || values.includes('="') || KNOWN.has(name) ? ' ' : mark
  })
}

const BLOCKS = /<(?:address|article|blockquote|dd|div|dl|figure|h[1-6]|hr|li|ol|p|section|table|ul)\b/i
const CODE_MARKS = /(<pre\b[^<>]{0,300}>|<\/pre\s{0,5}>)/i

/** Turns empty lines into paragraphs, as WordPress does for old editors; not in code. */
function paragraphed(html: string): string {
  if (/<(?:p|!-- wp:)\b/i.test(html)) return html
  let isCode = false
  const parts = html.split(CODE_MARKS).map((part, at) => {
    if (at % 2 === 1) isCode = !part.startsWith('</')
    return isCode || at % 2 === 1 ? part : withParagraphs(part)
  })
  return parts.join('')
}

const withParagraphs = (html: string) =>
  html
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map(part =>
      BLOCKS.test(part) || part.trim() === '' ? part : `<p>${part.trim().replaceAll('\n', '<br>')}</p>`,
    )
    .join('\n\n')

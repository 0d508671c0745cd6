import { words } from '../../../platform/common/words.js'
import type { Parsed } from '../../graph/index.js'
import { isoTime } from '../shared/conversation.js'
import { Document } from '../shared/document.js'
import { type SourceFile, UnreadableFile } from '../shared/format.js'
import { htmlInto, htmlLine } from '../web/html-lines.js'
import { PartTitles } from './part-titles.js'
import { Fields, xmlPieces } from './xml-pieces.js'

/** A post or page. */
interface Item {
  line: number
  fields: Fields
  /** Its categories and tags. */
  tags: Set<string>
  comments: number
}

const MAX_FIELD_LENGTH = 2_000
/** Maximum characters by part of an item. `content` is HTML, with editor marks as comments. */
const MAX_LENGTH: Readonly<Record<string, number>> = {
  title: MAX_FIELD_LENGTH,
  link: MAX_FIELD_LENGTH,
  category: 200,
  'dc:creator': 300,
  'content:encoded': 4_194_304,
  'excerpt:encoded': 20_000,
  'wp:post_type': 40,
  'wp:status': 40,
  'wp:post_date_gmt': 40,
  'wp:post_date': 40,
}
const MAX_TAGS = 100
/** Post types for readers; others are menus, styles, files and data of plugins. */
const READ = new Set(['post', 'page'])
const DELETED = new Set(['trash', 'auto-draft'])
const MAX_AUTHORS = 1_000
const MAX_DEPTH = 50

/** Reads the posts and pages of an export one by one. */
export class WordPressSite {
  line = 1
  readonly #file: SourceFile | undefined
  readonly #titles = new PartTitles()
  readonly #open: string[] = []
  /** Display names of authors by login name. */
  readonly #authors = new Map<string, string>()
  #author = new Fields()
  #item: Item | null = null
  readonly #finished: Item[] = []
  #isFound = false
  #count = 0
  #leftOut = { comments: 0, files: 0, others: 0 }

  constructor(file: SourceFile | undefined) {
    this.#file = file
  }

  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Parsed[]> {
    for await (const _ of xmlPieces(bytes, this)) {
      yield* this.#take()
      // Even when empty, so that the caller can yield to other work.
      yield []
    }
    yield* this.#take()
    if (!this.#isFound)
      throw new UnreadableFile('This is no export of WordPress: it has no posts, pages or files.')
    if (this.#count === 0) throw new UnreadableFile('This export of WordPress has no posts or pages.')
    this.#remark()
  }

  /** Reports the parts of the site that are left out. */
  #remark(): void {
    const { comments, files, others } = this.#leftOut
    const counted = (count: number, one: string, more: string) =>
      count === 0 ? [] : [`${count} ${count === 1 ? one : more}`]
    const left = [
      ...counted(comments, 'comment', 'comments'),
      ...counted(files, 'file', 'files'),
      ...counted(others, 'menu or setting', 'menus and settings'),
    ]
    if (left.length > 0)
      this.#file?.remark?.(1, `Only posts and pages were read. Left out: ${left.join(', ')}.`)
  }

  onopentag(name: string): void {
    if (this.#open.push(name) > MAX_DEPTH)
      throw new UnreadableFile('This is no export of WordPress: its elements are too deep.')
    if (name === 'item' && !this.#item) {
      this.#isFound = true
      this.#item = { line: this.line, fields: new Fields(), tags: new Set(), comments: 0 }
    } else if (name === 'wp:comment' && this.#item) this.#item.comments++
    else if (name === 'wp:author') this.#author = new Fields()
  }

  ontext(text: string): void {
    const [around = '', name = ''] = this.#open.slice(-2)
    if (around === 'wp:author') this.#author.add(name, text, 200)
    else if (around === 'item') this.#item?.fields.add(name, text, MAX_LENGTH[name] ?? 0)
  }

  onclosetag(name: string): void {
    this.#open.pop()
    if (name === 'wp:author' && this.#authors.size < MAX_AUTHORS)
      this.#authors.set(this.#author.get('wp:author_login'), this.#author.get('wp:author_display_name'))
    const item = this.#item
    if (!item) return
    if (name === 'category' && this.#open.at(-1) === 'item') {
      const tag = item.fields.take('category')
      if (tag !== '' && item.tags.size < MAX_TAGS) item.tags.add(tag)
    } else if (name === 'item') {
      this.#item = null
      this.#finished.push(item)
    }
  }

  *#take(): Generator<Parsed[]> {
    for (const item of this.#finished.splice(0)) {
      const type = item.fields.get('wp:post_type')
      this.#leftOut.comments += item.comments
      if (type === 'attachment') this.#leftOut.files++
      else if (!READ.has(type)) this.#leftOut.others++
      else if (!DELETED.has(item.fields.get('wp:status'))) yield* this.#records(item)
    }
  }

  *#records({ line, fields, tags }: Item): Generator<Parsed[]> {
    this.#count++
    const name = this.#titles.next(htmlLine(fields.get('title')))
    const document = new Document(this.#file, { id: name, name, path: name, time: timeOf(fields) }, line)
    for (const tag of tags) if (tag !== 'Uncategorized') document.tag(line, htmlLine(tag))
    const creator = fields.get('dc:creator')
    const author = this.#authors.get(creator) || creator
    if (author !== '') document.addPerson(line, 'author', { name: author, address: '' })
    const content = paragraphed(
      withoutShortcodes(fields.get('content:encoded') || fields.get('excerpt:encoded')),
    )
    yield* htmlInto(document, content, { isPart: true, lineOf: () => line })
    if (!document.hasText) document.addLine(line, name)
    const link = fields.get('link')
    if (/^https?:\/\//.test(link)) document.addLine(line, `Source: ${link}`)
    document.end()
    yield document.take()
  }
}

/** `2024-05-03 10:15:00`; the date of drafts is all zeros. */
const timeOf = (fields: Fields) =>
  ['wp:post_date_gmt', 'wp:post_date']
    .map(key => isoTime(`${fields.get(key).replace(' ', 'T')}Z`))
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
const CODE_BLOCKS = /(<pre\b[^<>]{0,300}>)|<\/pre\s{0,5}>/gi

/** Turns empty lines into paragraphs, as WordPress does for old editors; not in code. */
function paragraphed(html: string): string {
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

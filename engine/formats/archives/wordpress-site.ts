import { Parser } from 'htmlparser2'
import type { Parsed } from '../../graph/index.js'
import { Document } from '../shared/document.js'
import { type SourceFile, UnreadableFile } from '../shared/format.js'
import { piecesOf, textPieces } from '../shared/lines.js'
import { htmlLine } from '../web/html-lines.js'
import { HtmlText } from '../web/html-text.js'
import { PartTitles } from './part-titles.js'
import { paragraphed, withoutShortcodes } from './wordpress-text.js'

/** A post or page, by the names of its elements. */
interface Item {
  line: number
  parts: Map<string, string>
  /** Its categories and tags. */
  tags: Set<string>
  comments: number
}

const LONGEST_FIELD = 2_000
/** Characters of what is read of an item. `content` is HTML, with marks of the editor as comments. */
const LONGEST: Readonly<Record<string, number>> = {
  title: LONGEST_FIELD,
  link: LONGEST_FIELD,
  category: 200,
  'dc:creator': 300,
  'content:encoded': 4_194_304,
  'excerpt:encoded': 20_000,
  'wp:post_type': 40,
  'wp:status': 40,
  'wp:post_date_gmt': 40,
  'wp:post_date': 40,
}
const MOST_TAGS = 100
/** Types of what is written for readers; others are menus, styles, files and what extensions keep. */
const READ = new Set(['post', 'page'])
const DELETED = new Set(['trash', 'auto-draft'])
const MOST_AUTHORS = 1_000
const DEEPEST = 50

/** Reads the posts and pages of an export one by one. */
export class WordPressSite {
  readonly #file: SourceFile | undefined
  readonly #titles = new PartTitles()
  readonly #open: string[] = []
  /** Names of authors as they are shown, by those with which they sign in. */
  readonly #authors = new Map<string, string>()
  #login = ''
  #item: Item | null = null
  #finished: Item[] = []
  #line = 1
  #isFound = false
  #count = 0
  #leftOut = { comments: 0, files: 0, others: 0 }
  readonly #parser = new Parser(
    {
      onopentag: name => this.#begin(name),
      ontext: text => this.#add(text),
      onclosetag: name => this.#end(name),
    },
    { xmlMode: true, decodeEntities: true },
  )

  constructor(file: SourceFile | undefined) {
    this.#file = file
  }

  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Parsed[]> {
    for await (const { piece, lines } of textPieces(bytes)) {
      this.#parser.write(piece)
      this.#line += lines
      yield* this.#take()
      // Even when empty, so that the caller can yield to other work.
      yield []
    }
    this.#parser.end()
    yield* this.#take()
    if (!this.#isFound)
      throw new UnreadableFile('This is no export of WordPress: it has no posts, pages or files.')
    if (this.#count === 0) throw new UnreadableFile('This export of WordPress has no posts or pages.')
    this.#remark()
  }

  /** Says what of the site is left out. */
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

  #begin(name: string): void {
    if (this.#open.push(name) > DEEPEST)
      throw new UnreadableFile('This is no export of WordPress: its elements are too deep.')
    if (name === 'item' && !this.#item) {
      this.#isFound = true
      this.#item = { line: this.#line, parts: new Map(), tags: new Set(), comments: 0 }
    } else if (name === 'category') this.#item?.parts.delete('category')
    else if (name === 'wp:comment' && this.#item) this.#item.comments++
    else if (name === 'wp:author') this.#login = ''
  }

  #add(text: string): void {
    const [around = '', name = ''] = this.#open.slice(-2)
    if (around === 'wp:author') this.#addAuthor(name, text)
    const longest = LONGEST[name]
    const parts = this.#item?.parts
    if (around !== 'item' || longest === undefined || !parts) return
    const known = parts.get(name) ?? ''
    if (known.length < longest) parts.set(name, known + text.slice(0, longest - known.length))
  }

  #addAuthor(name: string, text: string): void {
    if (name === 'wp:author_login') this.#login = (this.#login + text.trim()).slice(0, 200)
    else if (name === 'wp:author_display_name' && this.#authors.size < MOST_AUTHORS && text.trim() !== '')
      this.#authors.set(this.#login, `${this.#authors.get(this.#login) ?? ''}${text}`.slice(0, 200))
  }

  #end(name: string): void {
    this.#open.pop()
    const item = this.#item
    if (!item) return
    if (name === 'category' && this.#open.at(-1) === 'item') {
      const tag = item.parts.get('category')?.trim() ?? ''
      if (tag !== '' && item.tags.size < MOST_TAGS) item.tags.add(tag)
    } else if (name === 'item') {
      this.#item = null
      this.#finished.push(item)
    }
  }

  *#take(): Generator<Parsed[]> {
    const items = this.#finished
    this.#finished = []
    for (const item of items) {
      const type = item.parts.get('wp:post_type')?.trim() ?? ''
      this.#leftOut.comments += item.comments
      if (type === 'attachment') this.#leftOut.files++
      else if (!READ.has(type)) this.#leftOut.others++
      else if (!DELETED.has(item.parts.get('wp:status')?.trim() ?? '')) yield* this.#records(item)
    }
  }

  *#records({ line, parts, tags }: Item): Generator<Parsed[]> {
    this.#count++
    const part = (key: string) => parts.get(key)?.trim() ?? ''
    const name = this.#titles.next(htmlLine(part('title')))
    const document = new Document(this.#file, { id: name, name, path: name, time: timeOf(parts) }, line)
    for (const tag of tags) if (tag !== 'Uncategorized') document.tag(line, htmlLine(tag))
    const author = this.#authors.get(part('dc:creator'))?.trim() || part('dc:creator')
    if (author !== '') document.addPerson(line, 'author', { name: author, address: '' })
    const text = new HtmlText(document, { isPart: true, lineOf: () => line })
    const content = part('content:encoded') || part('excerpt:encoded')
    for (const piece of piecesOf(paragraphed(withoutShortcodes(content)))) {
      text.write(piece)
      yield document.take()
    }
    text.end()
    if (!document.hasText) document.addLine(line, name)
    if (/^https?:\/\//.test(part('link'))) document.addLine(line, `Source: ${part('link')}`)
    document.end()
    yield document.take()
  }
}

/** `2024-05-03 10:15:00`; drafts have a date of zeros. */
function timeOf(parts: ReadonlyMap<string, string>): number | undefined {
  for (const key of ['wp:post_date_gmt', 'wp:post_date']) {
    const [, day, clock] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(parts.get(key)?.trim() ?? '') ?? []
    const time = Date.parse(`${day}T${clock}Z`)
    if (time > 0 && time < 4.1e12) return time
  }
  return undefined
}

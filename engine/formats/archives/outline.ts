import type { Parsed } from '../../graph/index.js'
import { Document } from '../shared/document.js'
import { baseName } from '../shared/file-name.js'
import { type SourceFile, UnreadableFile } from '../shared/format.js'
import { htmlLine } from '../web/html-lines.js'
import { bookmarkRecords } from './bookmark-list.js'
import { xmlPieces } from './xml-pieces.js'

const MAX_DEPTH = 100
/** Maximum nesting of elements: the parser slows down with each open one. */
const MAX_OPEN = 5_000
/** Levels whose items become headings if they have children; deeper ones are bullets. */
const HEADINGS = 2
const MAX_NAME_LENGTH = 300

/** Reads an outline as a stream: an item is written when the next one shows whether it has children. */
export class OutlineReader {
  line = 1
  readonly #file: SourceFile | undefined
  #document: Document | null = null
  /** The parents of the current item. */
  readonly #above: string[] = []
  #waiting: { attributes: Record<string, string>; depth: number } | null = null
  #open = 0
  #isTitle = false
  #title = ''
  #seq = 0
  readonly #batch: Parsed[] = []

  constructor(file: SourceFile | undefined) {
    this.#file = file
  }

  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Parsed[]> {
    for await (const _ of xmlPieces(bytes, this)) yield this.#take()
    this.#write(false)
    this.#document?.end()
    if (!this.#document?.hasText) throw new UnreadableFile('This outline has no items.')
    yield this.#take()
  }

  #take(): Parsed[] {
    return [...(this.#document?.take() ?? []), ...this.#batch.splice(0)]
  }

  onopentag(element: string, attributes: Record<string, string>): void {
    const name = element.toLowerCase()
    if (++this.#open > MAX_OPEN)
      throw new UnreadableFile('The items of this outline are more than 5,000 levels deep.')
    if (name === 'title') this.#isTitle = true
    if (name === 'body' || name === 'outline') this.#document ??= new Document(this.#file, this.#title)
    if (name !== 'outline') return
    this.#write(true)
    this.#waiting = { attributes, depth: this.#above.length }
    if (this.#above.length < MAX_DEPTH) this.#above.push(textOf(attributes))
  }

  ontext(text: string): void {
    if (this.#isTitle) this.#title = (this.#title + text).slice(0, MAX_NAME_LENGTH)
  }

  onclosetag(element: string): void {
    const name = element.toLowerCase()
    this.#open--
    if (name === 'title') this.#isTitle = false
    if (name !== 'outline') return
    this.#write(false)
    this.#above.pop()
  }

  /** Writes the pending item; `isParent`: the next item is its child. */
  #write(isParent: boolean): void {
    const waiting = this.#waiting
    const document = this.#document
    this.#waiting = null
    if (!waiting || !document) return
    const { attributes, depth } = waiting
    const { xmlUrl, htmlUrl, url, _note: note = '' } = attributes
    const text = textOf(attributes)
    const address = xmlUrl ?? url ?? htmlUrl
    if (isParent && depth < HEADINGS && text.length <= MAX_NAME_LENGTH)
      document.addHeading(this.line, depth + 1, withoutLinks(text))
    else if (text !== '')
      document.addLine(
        this.line,
        `${'  '.repeat(Math.max(0, depth - HEADINGS))}- ${text}${address === undefined ? '' : ` ${address}`}`,
      )
    for (const line of note.split('\n')) if (line.trim() !== '') document.addLine(this.line, line)
    if (address !== undefined) this.#addFeed(attributes, address, note)
  }

  /** Adds a feed under its own address, with its site in the text, because a site may have several feeds. */
  #addFeed(attributes: Record<string, string>, address: string, note: string): void {
    const { created, category = '', htmlUrl = address } = attributes
    const time = Date.parse(created ?? '')
    const bookmark = {
      type: attributes.xmlUrl === undefined ? ('bookmark' as const) : ('feed' as const),
      title: withoutLinks(textOf(attributes)),
      address,
      folders: this.#above.slice(0, -1),
      text: htmlUrl === address ? note : `${htmlUrl}\n${note}`,
      tags: category.split(','),
      time: Number.isNaN(time) ? undefined : time,
    }
    const list = this.#title.trim() || baseName(this.#file?.path ?? 'outline.opml')
    this.#batch.push(...bookmarkRecords(this.line, list, bookmark, ++this.#seq))
  }
}

/** Outliners write HTML in item texts. */
const textOf = ({ text = '', title = '' }: Record<string, string>) =>
  htmlLine((text || title).replaceAll('\0', '')).trim()

const withoutLinks = (text: string) => text.replace(/\[([^[\]]{1,300})\]\([^()\s]{1,1000}\)|\*\*|__/g, '$1')

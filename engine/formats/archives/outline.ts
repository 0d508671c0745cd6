import type { Parsed } from '../../graph/index.js'
import { Document } from '../shared/document.js'
import { baseName } from '../shared/file-name.js'
import { type Format, UnreadableFile } from '../shared/format.js'
import { htmlLine } from '../web/html-lines.js'
import { type Bookmark, bookmarkRecords } from './bookmark-list.js'
import { xmlPieces } from './xml-items.js'

const MAX_DEPTH = 100
/** Maximum nesting of elements: the parser slows down with each open one. */
const MAX_OPEN = 5_000
/** Levels whose items become headings if they have children; deeper ones are bullets. */
const HEADINGS = 2
const MAX_NAME_LENGTH = 300

/** Reads an outline as a stream: an item is written when the next one shows whether it has children. */
export const readOutline: Format['parse'] = async function* (bytes, file) {
  const batch: Parsed[] = []
  let document = null as Document | null
  /** The current item and its parents. */
  const above: string[] = []
  let waiting: Record<string, string> | null = null
  let [open, seq, title, isTitle] = [0, 0, '', false]
  const write = (isParent: boolean) => {
    if (waiting && document) {
      writeItem(document, reader.line, waiting, above.length - 1, isParent)
      const list = title.trim() || baseName(file?.path ?? 'outline.opml')
      const feed = feedOf(waiting, above.slice(0, -1))
      if (feed) batch.push(...bookmarkRecords(reader.line, list, feed, ++seq))
    }
    waiting = null
  }
  const take = () => [...(document?.take() ?? []), ...batch.splice(0)]
  const reader = {
    line: 1,
    onopentag(element: string, attributes: Record<string, string>) {
      const name = element.toLowerCase()
      if (++open > MAX_OPEN)
        throw new UnreadableFile('The items of this outline are more than 5,000 levels deep.')
      if (name === 'title') isTitle = true
      if (name === 'body' || name === 'outline') document ??= new Document(file, title)
      if (name !== 'outline') return
      write(true)
      waiting = attributes
      if (above.length < MAX_DEPTH) above.push(textOf(attributes))
    },
    ontext(text: string) {
      if (isTitle) title = (title + text).slice(0, MAX_NAME_LENGTH)
    },
    onclosetag(element: string) {
      const name = element.toLowerCase()
      open--
      if (name === 'title') isTitle = false
      if (name !== 'outline') return
      write(false)
      above.pop()
    },
  }
  for await (const _ of xmlPieces(bytes, reader)) yield take()
  write(false)
  document?.end()
  if (!document?.hasText) throw new UnreadableFile('This outline has no items.')
  yield take()
}

function writeItem(
  document: Document,
  line: number,
  item: Record<string, string>,
  depth: number,
  isParent: boolean,
): void {
  const text = textOf(item)
  const address = addressOf(item)
  if (isParent && depth < HEADINGS && text.length <= MAX_NAME_LENGTH)
    document.addHeading(line, depth + 1, withoutLinks(text))
  else if (text !== '')
    document.addLine(
      line,
      `${'  '.repeat(Math.max(0, depth - HEADINGS))}- ${`${text} ${address ?? ''}`.trim()}`,
    )
  for (const note of (item._note ?? '').split('\n')) if (note.trim() !== '') document.addLine(line, note)
}

const addressOf = ({ xmlUrl, url, htmlUrl }: Record<string, string>) => xmlUrl ?? url ?? htmlUrl

/** A feed under its own address, with its site in the text, because a site may have several feeds. */
function feedOf(item: Record<string, string>, folders: readonly string[]): Bookmark | null {
  const address = addressOf(item)
  if (address === undefined) return null
  const { created, category = '', htmlUrl = address, _note: note = '' } = item
  const time = Date.parse(created ?? '')
  return {
    type: item.xmlUrl === undefined ? 'bookmark' : 'feed',
    title: withoutLinks(textOf(item)),
    address,
    folders,
    text: htmlUrl === address ? note : `${htmlUrl}\n${note}`,
    tags: category.split(','),
    time: Number.isNaN(time) ? undefined : time,
  }
}

/** Outliners write HTML in item texts. */
const textOf = ({ text = '', title = '' }: Record<string, string>) =>
  htmlLine((text || title).replaceAll('\0', '')).trim()

const withoutLinks = (text: string) => text.replace(/\[([^[\]]{1,300})\]\([^()\s]{1,1000}\)|\*\*|__/g, '$1')

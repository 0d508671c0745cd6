import type { Parsed } from '../../graph/index.js'
import { knownTime } from '../shared/conversation.js'
import { baseName } from '../shared/file-name.js'
import { digest, flatName as flat } from '../shared/flat.js'
import type { SourceFile } from '../shared/format.js'
import { checked } from '../shared/record.js'
import { xmlPieces } from './xml-pieces.js'

const MAX_DEPTH = 100
const MAX_LENGTH = 4_000

/** Reads a list of bookmarks as a stream. A bookmark is held until the next element because its description follows it. */
export class BookmarkReader {
  line = 1
  readonly #list: string
  readonly #folders: string[] = []
  /** The heading of the next list. */
  #heading: string | null = null
  #current: Bookmark | null = null
  #into: 'title' | 'heading' | 'text' | null = null
  readonly #batch: Parsed[] = []
  #seq = 0

  constructor(file: SourceFile | undefined) {
    this.#list = baseName(file?.path ?? 'bookmarks.html')
  }

  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Parsed[]> {
    for await (const _ of xmlPieces(bytes, this, {})) yield this.#batch.splice(0)
    this.#finish()
    if (this.#seq === 0) this.#batch.push({ line: 1, problem: 'This list has no bookmarks.' })
    yield this.#batch.splice(0)
  }

  onopentag(name: string, { href, add_date: added, tags }: Record<string, string>): void {
    if (name === 'a' || name === 'h3' || name === 'dl') this.#finish()
    this.#into = null
    if (name === 'a') {
      this.#into = 'title'
      this.#current = {
        type: 'bookmark',
        title: '',
        address: href ?? '',
        folders: [...this.#folders],
        text: '',
        tags: (tags ?? '').split(','),
        time: timeOf(added),
      }
    } else if (name === 'h3') {
      this.#into = 'heading'
      this.#heading = ''
    } else if (name === 'dd') this.#into = 'text'
    else if (name === 'dl' && this.#folders.length < MAX_DEPTH) {
      this.#folders.push(this.#heading ?? '')
      this.#heading = null
    }
  }

  ontext(text: string): void {
    if (this.#into === 'heading') this.#heading = ((this.#heading ?? '') + text).slice(0, MAX_LENGTH)
    else if (this.#into !== null && this.#current)
      this.#current[this.#into] = (this.#current[this.#into] + text).slice(0, MAX_LENGTH)
  }

  onclosetag(name: string): void {
    if (name === 'a' || name === 'h3' || name === 'dd') this.#into = null
    if (name !== 'dl') return
    this.#finish()
    this.#folders.pop()
  }

  /** Adds the bookmark, except Firefox's own smart folders. */
  #finish(): void {
    const bookmark = this.#current
    this.#current = null
    if (bookmark && !bookmark.address.startsWith('place:'))
      this.#batch.push(...bookmarkRecords(this.line, this.#list, bookmark, ++this.#seq))
  }
}

/** In seconds since 1970; some programs write microseconds. */
function timeOf(text: string | undefined): number | undefined {
  const number = Number(text)
  return knownTime(number > 1e14 ? number / 1000 : number * 1000)
}

/** A stored address: a bookmark or a feed. */
export interface Bookmark {
  type: 'bookmark' | 'feed'
  title: string
  address: string
  /** Outermost first. */
  folders: readonly string[]
  text: string
  tags: readonly string[]
  /** Milliseconds since 1970. */
  time: number | undefined
}

const MAX_ID_LENGTH = 300
const MAX_ADDRESS_LENGTH = 4_000
const MAX_TEXT_LENGTH = 4_000

/** A bookmark is an entity in its folder; its passage contains the address. */
export function* bookmarkRecords(
  line: number,
  list: string,
  bookmark: Bookmark,
  seq: number,
): Generator<Parsed> {
  const { type, address, folders, text, tags, time } = bookmark
  const title = flat(bookmark.title) || flat(address)
  if (title === '') return
  const id =
    address.length > MAX_ID_LENGTH || address.trim() === ''
      ? `${type} ${digest(address + title)}`
      : address.trim()
  const folder = folders.map(flat).filter(Boolean).join(' / ').slice(0, 300)
  yield checked(line, { kind: 'entity', id, name: title, type })
  if (folder !== '')
    yield checked(line, { kind: 'relation', subject: id, predicate: 'in folder', object: folder })
  for (const tag of tags.map(flat).filter(Boolean).slice(0, 50))
    yield checked(line, { kind: 'relation', subject: id, predicate: 'tagged', object: tag })
  yield checked(line, {
    kind: 'passage',
    entity: id,
    title: [list, ...(folder === '' ? [] : [folder]), title].join(' > ').slice(0, 900),
    text: [title, address.trim().slice(0, MAX_ADDRESS_LENGTH), text.trim().slice(0, MAX_TEXT_LENGTH)]
      .filter(Boolean)
      .join('\n')
      .replaceAll('\0', ''),
    seq,
    ...(time === undefined ? {} : { time }),
  })
}

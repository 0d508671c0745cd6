import type { Parsed } from '../../graph/index.js'
import { baseName } from '../shared/file-name.js'
import { digest, flatName as flat } from '../shared/flat.js'
import type { Format } from '../shared/format.js'
import { checked } from '../shared/record.js'
import { joined, knownTime } from '../shared/values.js'
import { xmlPieces } from './xml-items.js'

const MAX_DEPTH = 100
/** Maximum characters of a title, an address and a description. */
const MAX_LENGTH = 4_000

/** Reads a list of bookmarks as a stream. A bookmark is held until the next element because its description follows it. */
export const readBookmarks: Format['parse'] = async function* (bytes, file) {
  const list = baseName(file?.path ?? 'bookmarks.html')
  const batch: Parsed[] = []
  const folders: string[] = []
  /** The title of the current bookmark, its description, and the heading of the next list. */
  const texts: Record<string, string> = { a: '', dd: '', h3: '' }
  let into = ''
  let bookmark: Bookmark | null = null
  let seq = 0
  const finish = () => {
    const { a: title = '', dd: text = '' } = texts
    // Firefox has smart folders of its own.
    if (bookmark && !bookmark.address.startsWith('place:'))
      batch.push(...bookmarkRecords(reader.line, list, Object.assign(bookmark, { title, text }), ++seq))
    bookmark = null
    texts.a = ''
    texts.dd = ''
  }
  const reader = {
    line: 1,
    onopentag(name: string, { href: address = '', add_date: added, tags = '' }: Record<string, string>) {
      if (name === 'a' || name === 'h3' || name === 'dl') finish()
      into = name
      if (name === 'h3') texts.h3 = ''
      if (name === 'a')
        bookmark = {
          type: 'bookmark',
          title: '',
          address,
          folders: [...folders],
          text: '',
          tags: tags.split(','),
          time: timeOf(added),
        }
      if (name !== 'dl' || folders.length >= MAX_DEPTH) return
      folders.push(texts.h3 ?? '')
      texts.h3 = ''
    },
    ontext(text: string) {
      const known = texts[into]
      if (known !== undefined) texts[into] = (known + text).slice(0, MAX_LENGTH)
    },
    onclosetag(name: string) {
      if (name === into) into = ''
      if (name !== 'dl') return
      finish()
      folders.pop()
    },
  }
  for await (const _ of xmlPieces(bytes, reader, {})) yield batch.splice(0)
  finish()
  if (seq === 0) batch.push({ line: 1, problem: 'This list has no bookmarks.' })
  yield batch
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
    text: joined([title, ...[address, text].map(each => each.trim().slice(0, MAX_LENGTH))]).replaceAll(
      '\0',
      '',
    ),
    seq,
    ...(time === undefined ? {} : { time }),
  })
}

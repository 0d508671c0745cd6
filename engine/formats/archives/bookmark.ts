import type { Parsed } from '../../graph/index.js'
import { digest, flatName as flat } from '../shared/flat.js'
import { checked } from '../shared/record.js'

/** An address that somebody has kept: a bookmark, or a feed. */
export interface Bookmark {
  type: 'bookmark' | 'feed'
  title: string
  address: string
  /** From the outermost. */
  folders: readonly string[]
  text: string
  tags: readonly string[]
  /** Milliseconds since 1970. */
  time: number | undefined
}

const LONGEST_ID = 300
const LONGEST_ADDRESS = 4_000
const LONGEST_TEXT = 4_000

/** A bookmark is a thing in its folder; its passage keeps the address. */
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
    address.length > LONGEST_ID || address.trim() === ''
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
    text: [title, address.trim().slice(0, LONGEST_ADDRESS), text.trim().slice(0, LONGEST_TEXT)]
      .filter(Boolean)
      .join('\n')
      .replaceAll('\0', ''),
    seq,
    ...(time === undefined ? {} : { time }),
  })
}

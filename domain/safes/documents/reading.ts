import { type DocumentHeading, headingsOf, placeOf } from '../../../engine/formats/index.js'
import { errorsOf } from '../../../platform/common/domain-error.js'
import { Part } from '../../part.js'
import { openCursor, sealCursor } from '../ask/cursor.js'
import { tokenCost } from '../ask/tokens.js'
import { requireReader } from '../membership.js'
import type { SafeStore } from '../stores/safe.sql.js'
import type { DocumentPassage, Documents, StoredDocument } from './documents.js'
import { nameKey } from './name-key.js'

/** A request to read a document. */
export interface ReadRequest {
  /** The path or the title of the document, as answers show it. */
  document: string
  /** The starting point. */
  heading?: string | undefined
  cursor?: string | undefined
  maxTokens: number
}

/** A page of a document's text, in its original order. */
export interface DocumentPage {
  safe: { id: string; name: string }
  document: StoredDocument
  /** Its headings, if the page is the first of several. */
  outline: DocumentHeading[]
  text: string
  /** The first and the last passage on the page; both 0 if unknown. */
  passages: PassageSpan
  nextCursor: string | null
}

/** Tokens of a page without its text, outline and names: the cursor and empty members. */
const FRAME_TOKENS = 170
/** Maximum characters of each form of a page, regardless of tokens: assistants cut longer results (RULES R8, docs/clients.md). */
const MAX_CHARACTERS = 38_000
/** Maximum characters of a page per token, so that a default page has at most 18,000 in both forms together. */
const CHARACTERS_PER_TOKEN = 4
/** Characters of a page without its text, outline and names. */
const FRAME_CHARACTERS = FRAME_TOKENS * CHARACTERS_PER_TOKEN
/** Minimum tokens of text on a page. */
const MIN_TOKENS = 60
/** Maximum share of a page for the outline. */
const OUTLINE_PART = 0.25
const NEAREST = 5
/** Maximum documents searched for several with the same file name. */
const MAX_ALIKE = 200

/** Reads a document page by page, for readers that count tokens. */
export class Reading extends Part<{ safes: SafeStore; documents: Documents }> {
  /** @throws notFound for the Safe; DomainError 400 that names the nearest documents or headings, or `cursor_expired` */
  async page(accountId: string, safeId: string, request: ReadRequest): Promise<DocumentPage> {
    const { name, version } = await requireReader(this.dependencies.safes, accountId, safeId)
    const document = await this.find(accountId, safeId, request.document)
    const { text: whole, passages } = await this.dependencies.documents.read(accountId, safeId, document)
    const start = startOf(whole, request.heading)
    const text = whole.slice(start)
    const identity = JSON.stringify([safeId, document.path, request.heading ?? null])
    const from = request.cursor === undefined ? 0 : openCursor(request.cursor, version, identity)
    const { path, title, tags } = document
    const room = roomOf(request.maxTokens).less([name, path, title, ...tags].join('", "'))
    const missing = MIN_TOKENS - Math.min(room.tokens, room.characters / CHARACTERS_PER_TOKEN)
    if (missing > 0) throw readingErrors.tooFewTokens(request.maxTokens + missing)
    const isWhole = room.holds(text)
    const outline = from > 0 || isWhole ? [] : fitting(headingsOf(whole), room.part(OUTLINE_PART))
    const to = isWhole && from === 0 ? text.length : endOf(text, from, room.less(linesOf(outline)))
    return {
      safe: { id: safeId, name },
      document,
      outline,
      text: text.slice(from, to),
      passages: passagesBetween(whole, passages, start + from, start + to),
      nextCursor: to < text.length ? sealCursor(version, identity, to) : null,
    }
  }

  /** The document with this path or title. @throws DomainError 400 that names the nearest, or all candidates */
  async find(accountId: string, safeId: string, wanted: string): Promise<StoredDocument> {
    const [title = ''] = wanted.split(' > ', 1)
    for (const name of new Set([wanted.trim(), title.trim()])) {
      const path = (await this.dependencies.documents.resolve(accountId, safeId, '', [name])).get(name)
      if (path === undefined) continue
      if (!isPath(path, name)) await this.#refuseSeveral(accountId, safeId, name)
      return this.dependencies.documents.find(accountId, safeId, path)
    }
    const words = title
      .split(/[\s/]+/)
      .filter(Boolean)
      .slice(0, 8)
    const alike = await this.dependencies.documents.list(accountId, safeId, { words, limit: NEAREST })
    const titled = alike.filter(document => document.title.toLowerCase() === title.trim().toLowerCase())
    if (titled[0]) return titled[0]
    throw readingErrors.unknown(
      wanted,
      alike.length > 0 ? alike : await this.#withAnyWord(accountId, safeId, words),
    )
  }

  /** A file name that several documents share. */
  async #refuseSeveral(accountId: string, safeId: string, name: string): Promise<void> {
    const words = [nameKey(name)]
    const alike = await this.dependencies.documents.list(accountId, safeId, { words, limit: MAX_ALIKE })
    const same = alike.filter(({ path }) => nameKey(path) === nameKey(name))
    if (same.length > 1) throw readingErrors.several(name, same.slice(0, NEAREST))
  }

  async #withAnyWord(accountId: string, safeId: string, words: readonly string[]): Promise<StoredDocument[]> {
    const lists = await Promise.all(
      words
        .filter(word => word.length > 2)
        .map(word => this.dependencies.documents.list(accountId, safeId, { words: [word], limit: NEAREST })),
    )
    return [...new Map(lists.flat().map(document => [document.path, document])).values()].slice(0, NEAREST)
  }
}

/** Whether a name is the whole path, in any case, with or without extension. */
const isPath = (path: string, name: string) =>
  [path, path.replace(/\.[a-z0-9]{1,8}$/i, '')].some(one => one.toLowerCase() === name.toLowerCase())

const readingErrors = errorsOf({
  tooFewTokens: (least: number) =>
    `400 max_tokens: To read this document, max_tokens must be at least ${Math.ceil(least)}.`,
  several: (wanted: string, found: readonly StoredDocument[]) =>
    `400 several_documents: Several documents are named “${wanted.slice(0, 200)}”: ${pathsOf(found)}. Ask again with one of these paths.`,
  unknown: (wanted: string, nearest: readonly StoredDocument[]) =>
    `400 unknown_document: There is no document “${wanted.slice(0, 200)}” in this Safe. ${nearest.length === 0 ? 'Ask a question to find one: answers name their documents as sources.' : `Nearest: ${pathsOf(nearest)}.`}`,
  unknownHeading: (heading: string, known: readonly DocumentHeading[]) =>
    `400 unknown_heading: The document has no heading “${heading.slice(0, 200)}”. ${known.length === 0 ? 'It has no headings.' : `It has: ${known.map(({ text }) => `“${text}”`).join(', ')}.`}`,
})

const pathsOf = (documents: readonly StoredDocument[]) => documents.map(({ path }) => `“${path}”`).join(', ')

function startOf(text: string, heading: string | undefined): number {
  if (heading === undefined) return 0
  const place = placeOf(text, heading)
  if (place === null) throw readingErrors.unknownHeading(heading, headingsOf(text).slice(0, 20))
  return place
}

/** The remaining space of a page. Texts count as in JSON, the longer of the two forms in which a page is sent. */
class Room {
  readonly tokens: number
  readonly characters: number

  constructor(tokens: number, characters: number) {
    this.tokens = tokens
    this.characters = characters
  }

  holds(text: string): boolean {
    const json = JSON.stringify(text)
    return json.length <= this.characters && tokenCost(json) <= this.tokens
  }

  less(text: string): Room {
    const json = JSON.stringify(text)
    return new Room(this.tokens - tokenCost(json), this.characters - json.length)
  }

  part(share: number): Room {
    return new Room(this.tokens * share, this.characters * share)
  }
}

const roomOf = (maxTokens: number) =>
  new Room(
    maxTokens - FRAME_TOKENS,
    Math.min(MAX_CHARACTERS, maxTokens * CHARACTERS_PER_TOKEN) - FRAME_CHARACTERS,
  )

/** As in the answer: a text for each heading, indented by its level. */
const linesOf = (headings: readonly DocumentHeading[]) =>
  headings.map(({ level, text }) => `${'  '.repeat(level - 1)}${text}`).join('", "')

/** The first headings, limited to the highest levels if there is not enough space. */
function fitting(headings: DocumentHeading[], room: Room): DocumentHeading[] {
  for (let level = 6; level > 0; level--) {
    const some = headings.filter(heading => heading.level <= level)
    if (room.holds(linesOf(some))) return some
  }
  return []
}

/** The end of a page that begins at `from`: after a line, or within one that is longer than a page. */
function endOf(text: string, from: number, room: Room): number {
  let left = room
  for (let at = from; at < text.length; ) {
    const line = text.indexOf('\n', at)
    const end = line === -1 ? text.length : line + 1
    left = left.less(text.slice(at, end))
    if (left.tokens < 0 || left.characters < 0) return at > from ? at : withinLine(text, from, end, room)
    at = end
  }
  return text.length
}

/** A line is cut where half of it fits, then half of the rest, but never within a character. */
function withinLine(text: string, from: number, end: number, room: Room): number {
  let length = end - from
  while (length > 1 && !room.holds(text.slice(from, from + length))) length = Math.floor(length / 2)
  const last = text.charCodeAt(from + length - 1)
  return from + length + (last >= 0xd800 && last < 0xdc00 ? 1 : 0)
}

/** Consecutive passages, by their numbers. */
interface PassageSpan {
  first: number
  last: number
}

const HEADING = /^#{1,6}\s/

/** The passages that overlap a range of a text. Both numbers are 0 if no place is known. */
function passagesBetween(
  text: string,
  passages: readonly DocumentPassage[],
  from: number,
  to: number,
): PassageSpan {
  const [firstLine, lastLine] = [lineAt(text, from), lineAt(text, Math.max(from, to - 1))]
  const known = passages.flatMap(({ id, line }) => (line === null ? [] : [{ id, line }]))
  const inOrder = known.sort((one, other) => one.line - other.line || one.id - other.id)
  const last = inOrder.findLast(({ line }) => line <= lastLine)
  // A passage that begins before the first line extends into it, unless that line is a heading.
  const next = inOrder.find(({ line }) => line > firstLine)
  const before = HEADING.test(text.slice(from, to)) ? next : undefined
  const start = before ?? inOrder.findLast(({ line }) => line <= firstLine) ?? next
  const first = inOrder.find(({ line }) => line === start?.line)
  return first && last ? { first: first.id, last: last.id } : { first: 0, last: 0 }
}

/** The number of the line that contains a place, counted from 1. */
function lineAt(text: string, place: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) line++
  return line
}

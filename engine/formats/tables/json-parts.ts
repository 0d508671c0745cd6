import { isUtf8 } from 'node:buffer'
import { withAllDigits } from '../shared/json.js'

/**
 * An item of a JSON array with the line it begins on, or why it cannot be read. If the file is an object, `isMember`
 * tells whether it is a member of that object or an item of the list in it.
 */
export type JsonItem = { line: number; text: string; isMember?: boolean } | { line: number; problem: string }

/** The beginning of a list: its name, and the preceding members of its object. */
interface ListStart {
  line: number
  name: string
  members: ReadonlyMap<string, string>
}

type Part = ListStart | JsonItem

/** In bytes. Longer items are reported as a problem, so that an endless one cannot exhaust memory. */
const MAX_ITEM = 4_194_304
/** Maximum values in an item: a parsed empty list takes ten times the memory of its two bytes. */
const MAX_VALUES = 200_000
/** Maximum nesting of brackets inside an item. */
const MAX_DEPTH = 200
/** Outside of items: maximum depth, bytes of a member, and members of an inner object that its object gets. */
const MAX_AROUND = 6
const MAX_LENGTH = 1_000
const MAX_INNER = 20

const NOT_A_LIST = 'This is not a list: the file does not begin with “[”.'

/**
 * Splits a JSON array into its items, so that only one of them is in memory, regardless of the file's size. Yields
 * the items of each chunk. If the file is not an array, the last item is a problem.
 * @param list the member of an object that is such an array; other members are items as well, with their names
 */
export const jsonItems = (bytes: AsyncIterable<Uint8Array>, list: string | null = null) =>
  split(
    bytes,
    new JsonSplitter(list === null ? null : new RegExp(`^\\s*"${list}"\\s*:\\s*$`), true),
  ) as AsyncGenerator<JsonItem[]>

/**
 * Finds the lists with a matching name in a JSON file at any depth and splits them into items. Each list begins with
 * the preceding texts and numbers of its object; those in nested objects get both names (`channel name`).
 * Everything else in the file is skipped.
 */
export const jsonLists = (bytes: AsyncIterable<Uint8Array>, name: RegExp) =>
  split(bytes, new JsonSplitter(name, false))

async function* split(bytes: AsyncIterable<Uint8Array>, splitter: JsonSplitter): AsyncGenerator<Part[]> {
  for await (const chunk of bytes) {
    yield splitter.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    if (splitter.isOver) return
  }
  yield splitter.end()
}

const [NEWLINE, QUOTE, BACKSLASH, COMMA, COLON] = [0x0a, 0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const isSpace = (byte: number) => byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
const isOpening = (byte: number) => byte === OPEN_BRACE || byte === OPEN_BRACKET
const isClosing = (byte: number) => byte === CLOSE_BRACE || byte === CLOSE_BRACKET

class JsonSplitter {
  /** Whether reading has ended: at the end of the array, or because the file is not one. */
  isOver = false
  readonly #name: RegExp | null
  readonly #isArray: boolean
  readonly #parts: Part[] = []
  #line = 1
  #isQuoted = false
  #isEscaped = false
  /** The beginning of the current item, or text outside of items, from earlier chunks. */
  #kept: Buffer[] = []
  #length = 0
  #begun = 0
  /** Why the current item cannot be read. */
  #problem: string | null = null
  /** Closing brackets of the list that is split and of the object around it, outermost first; empty outside of both. */
  readonly #closing: number[] = []
  /** Bracket depth in the current item, and its members and elements so far. */
  #depth = 0
  #values = 0
  /** Whether the last opened bracket is empty so far. */
  #isEmpty = false
  /** The objects and lists around, outermost first: their own names, and the members of objects. */
  readonly #around: { name: string | null; members: Map<string, string> | null }[] = []
  /** Levels below the maximum depth. */
  #below = 0
  /** The name of the current member. */
  #key: string | null = null

  /** @param name matches the lists @param isArray whether the file is such an array, or an object with one, see `jsonItems` */
  constructor(name: RegExp | null, isArray: boolean) {
    this.#name = name
    this.#isArray = isArray
  }

  read(chunk: Buffer): Part[] {
    let from = 0
    for (let at = 0; at < chunk.length && !this.isOver; at++) {
      const byte = chunk[at] ?? 0
      if (byte === NEWLINE) this.#line++
      if (this.#isQuoted) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isQuoted = false
      } else if (!isSpace(byte)) {
        this.#isQuoted = byte === QUOTE
        if (this.#isMark(byte)) {
          this.#keep(chunk.subarray(from, at))
          from = this.#readMark(byte) ? at + 1 : at
        }
        if (from <= at) this.#readPart(byte)
      }
    }
    if (!this.isOver) this.#keep(chunk.subarray(from))
    return this.#parts.splice(0)
  }

  end(): Part[] {
    const isOpen = this.#closing.length > 0
    if (isOpen || (this.#isArray && !this.isOver))
      this.#parts.push({
        line: this.#line,
        problem: isOpen ? 'The file ends before its list does.' : NOT_A_LIST,
      })
    return this.#parts.splice(0)
  }

  /** Whether the byte is between items, or may begin the list in an object; outside of items, whether it is punctuation. */
  #isMark(byte: number): boolean {
    const closing = this.#closing.at(-1)
    if (closing === undefined) return byte === COMMA || byte === COLON || isOpening(byte) || isClosing(byte)
    if (this.#depth > 0) return false
    const mayBegin = byte === OPEN_BRACKET && closing === CLOSE_BRACE && this.#length < MAX_LENGTH
    return byte === COMMA || byte === closing || mayBegin
  }

  /** Returns whether the byte is not part of an item. */
  #readMark(byte: number): boolean {
    const closing = this.#closing.at(-1)
    if (closing === undefined) this.#readOutside(byte)
    else if (byte === OPEN_BRACKET) {
      if (!this.#name?.test(Buffer.concat(this.#kept).toString('latin1'))) return false
      this.#closing.push(CLOSE_BRACKET)
    } else {
      this.#addItem()
      if (byte === closing) this.#closing.pop()
      this.isOver = this.#isArray && this.#closing.length === 0
    }
    this.#reset()
    return true
  }

  #readPart(byte: number): void {
    if (this.#begun === 0) this.#begun = this.#line
    if (byte === COMMA || this.#isEmpty) this.#count(byte)
    if (isClosing(byte)) this.#depth = Math.max(0, this.#depth - 1)
    else if (isOpening(byte)) {
      this.#isEmpty = true
      if (++this.#depth >= MAX_DEPTH) this.#refuse(`This item is nested more than ${MAX_DEPTH} levels deep.`)
    }
  }

  /** Counts values: called for each comma, and for the byte after an opening bracket. */
  #count(byte: number): void {
    this.#isEmpty = false
    if (!isClosing(byte) && ++this.#values > MAX_VALUES)
      this.#refuse('This item has more than 200,000 values.')
  }

  #keep(part: Buffer): void {
    this.#length += part.length
    if (this.#length > MAX_ITEM) this.#refuse('This item is larger than 4 MiB.')
    // A copy: the chunk may share its memory with other data.
    if (this.#problem === null && part.length > 0) this.#kept.push(Buffer.from(part))
  }

  #refuse(problem: string): void {
    this.#problem ??= problem
    this.#kept = []
  }

  #addItem(): void {
    const bytes = Buffer.concat(this.#kept)
    const line = this.#begun
    const isMember = this.#closing.length === 1
    if (this.#problem !== null) this.#parts.push({ line, problem: this.#problem })
    else if (line > 0 && !isUtf8(bytes)) this.#parts.push({ line, problem: 'This item is not UTF-8 text.' })
    else if (line > 0)
      this.#parts.push({
        line,
        text: bytes.toString('utf8'),
        ...(this.#closing[0] === CLOSE_BRACE && { isMember }),
      })
  }

  #reset(): void {
    this.#kept = []
    this.#length = 0
    this.#begun = 0
    this.#problem = null
    this.#depth = 0
    this.#values = 0
    this.#isEmpty = false
  }

  /** The text since the last punctuation; null if it is too long. */
  #text(): string | null {
    return this.#length > MAX_LENGTH ? null : Buffer.concat(this.#kept).toString('utf8').trim()
  }

  #readOutside(byte: number): void {
    const key = this.#key
    this.#key = null
    if (this.#isArray) this.#beginArray(byte)
    else if (byte === COLON) this.#key = wordOf(this.#text())
    else if (isOpening(byte)) this.#enter(byte, key)
    else {
      const value = key === null || this.#below > 0 ? null : wordOf(this.#text())
      if (key !== null && value !== null) this.#around.at(-1)?.members?.set(key, value)
      if (byte !== COMMA) this.#leave()
    }
  }

  #beginArray(byte: number): void {
    const isObject = byte === OPEN_BRACE && this.#name !== null
    this.isOver = this.#text() !== '' || !(isObject || byte === OPEN_BRACKET)
    if (this.isOver) this.#parts.push({ line: this.#begun || this.#line, problem: NOT_A_LIST })
    else this.#closing.push(isObject ? CLOSE_BRACE : CLOSE_BRACKET)
  }

  #enter(byte: number, name: string | null): void {
    const members = this.#around.at(-1)?.members
    const isList = byte === OPEN_BRACKET && name !== null && this.#name?.test(name) && this.#below === 0
    if (isList && members) {
      this.#parts.push({ line: this.#line, name, members: new Map(members) })
      this.#closing.push(CLOSE_BRACKET)
    } else if (this.#around.length >= MAX_AROUND) this.#below++
    else this.#around.push({ name, members: byte === OPEN_BRACE ? new Map() : null })
  }

  #leave(): void {
    const inner = this.#below > 0 ? undefined : this.#around.pop()
    if (!inner) this.#below = Math.max(0, this.#below - 1)
    else if (inner.name)
      for (const [key, value] of [...(inner.members ?? [])].slice(0, MAX_INNER))
        this.#around.at(-1)?.members?.set(`${inner.name} ${key}`, value)
  }
}

/** A text or number in JSON; null for anything else. */
function wordOf(json: string | null): string | null {
  if (!json) return null
  try {
    const value = JSON.parse(withAllDigits(json))
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null
  } catch {
    return null
  }
}

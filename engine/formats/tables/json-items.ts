import { isUtf8 } from 'node:buffer'

/**
 * An item of a JSON array with the line it begins on, or why it cannot be read. If the file is an object, `isMember`
 * tells whether it is a member of that object or an item of the list in it.
 */
export type JsonItem = { line: number; text: string; isMember?: boolean } | { line: number; problem: string }

/** In bytes. Longer items are reported as a problem, so that an endless one cannot exhaust memory. */
const MAX_ITEM = 4_194_304
/** Maximum values in an item: a parsed empty list takes ten times the memory of its two bytes. */
const MAX_VALUES = 200_000
/** Maximum nesting of brackets inside an item, and bytes of the name of a list. */
const MAX_DEPTH = 200
const MAX_NAME = 100

/**
 * Splits a JSON array into its items, so that only one of them is in memory, regardless of the file's size. Yields
 * the items of each chunk. If the file is not an array, the last item is a problem.
 * @param list the member of an object that is such an array; other members are items as well, with their names
 */
export async function* jsonItems(
  bytes: AsyncIterable<Uint8Array>,
  list: string | null = null,
): AsyncGenerator<JsonItem[]> {
  const splitter = new ItemSplitter(null, list)
  for await (const chunk of bytes) {
    yield splitter.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    if (splitter.isOver) return
  }
  yield splitter.end()
}

const [NEWLINE, QUOTE, BACKSLASH, COMMA] = [0x0a, 0x22, 0x5c, 0x2c]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const isSpace = (byte: number) => byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09

/** Splits the chunks of an array into its items. */
export class ItemSplitter {
  /** Whether reading has ended: at the end of the array, or because the file is not one. */
  isOver = false
  /** Offset in the last chunk after the end of the array. */
  rest = 0
  #items: JsonItem[] = []
  #line = 1
  /** Bytes of the file before this chunk. */
  #before = 0
  /** Bracket depth: 0 before the array, 1 between its items. */
  #depth = 0
  /** Whether items are the members of an object, or of the list in one. */
  #isObject = false
  #isInList = false
  #isQuoted = false
  #isEscaped = false
  /** The beginning of the current item, from earlier chunks. */
  #parts: Buffer[] = []
  #length = 0
  #begun = 0
  /** Members and elements in the current item so far. */
  #values = 0
  /** Whether the last opened bracket is empty so far. */
  #isEmpty = false
  /** Why the current item cannot be read. */
  #problem: string | null = null

  readonly #list: RegExp | null

  /** @param within the line of the opening bracket, if it was already read @param list see `jsonItems` */
  constructor(within: number | null = null, list: string | null = null) {
    this.#list = list === null ? null : new RegExp(`^\\s*"${list}"\\s*:\\s*$`)
    if (within === null) return
    this.#line = within
    this.#depth = 1
  }

  /** Whether the current item is a member of an object. */
  get #isMember(): boolean {
    return this.#isObject && !this.#isInList
  }

  /** The number of the next line. */
  get line(): number {
    return this.#line
  }

  read(chunk: Buffer): JsonItem[] {
    let from = 0
    for (let at = 0; at < chunk.length && !this.isOver; at++) {
      const byte = chunk[at] ?? 0
      if (byte === NEWLINE) this.#line++
      if (this.#isQuoted) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isQuoted = false
        continue
      }
      if (this.#depth === 0) {
        this.#open(byte, this.#before + at)
        from = at + 1
        continue
      }
      if (this.#depth === 1 && (byte === COMMA || byte === (this.#isMember ? CLOSE_BRACE : CLOSE_BRACKET))) {
        this.#keep(chunk.subarray(from, at))
        this.#finish()
        from = at + 1
        if (byte === CLOSE_BRACKET && this.#isObject) this.#isInList = false
        else if (byte !== COMMA) this.isOver = true
        this.rest = from
        continue
      }
      if (this.#depth === 1 && byte === OPEN_BRACKET && this.#isMember && this.#length < MAX_NAME) {
        this.#keep(chunk.subarray(from, at))
        from = at
        this.#isInList = this.#list?.test(Buffer.concat(this.#parts).toString('latin1')) ?? false
        if (this.#isInList) {
          this.#reset()
          from = at + 1
          continue
        }
      }
      if (this.#begun === 0 && !isSpace(byte)) this.#begun = this.#line
      if (byte === COMMA || (this.#isEmpty && !isSpace(byte))) this.#count(byte)
      if (byte === QUOTE) this.#isQuoted = true
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#deeper()
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth = Math.max(1, this.#depth - 1)
    }
    if (!this.isOver) this.#keep(chunk.subarray(from))
    this.#before += chunk.length
    return this.#take()
  }

  end(): JsonItem[] {
    const problem = this.#depth === 0 ? NOT_A_LIST : 'The file ends before its list does.'
    if (!this.isOver) this.#items.push({ line: this.#line, problem })
    return this.#take()
  }

  #open(byte: number, at: number): void {
    this.#isObject = byte === OPEN_BRACE && this.#list !== null
    if (byte === OPEN_BRACKET || this.#isObject) this.#depth = 1
    else if (!isSpace(byte) && byte !== BYTE_ORDER_MARK[at]) {
      this.#items.push({ line: this.#line, problem: NOT_A_LIST })
      this.isOver = true
    }
  }

  #deeper(): void {
    this.#isEmpty = true
    if (++this.#depth > MAX_DEPTH) this.#refuse(`This item is nested more than ${MAX_DEPTH} levels deep.`)
  }

  /** Counts values: called for each comma, and for the byte after an opening bracket. */
  #count(byte: number): void {
    this.#isEmpty = false
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return
    if (++this.#values > MAX_VALUES) this.#refuse('This item has more than 200,000 values.')
  }

  #keep(part: Buffer): void {
    this.#length += part.length
    if (this.#length > MAX_ITEM) this.#refuse('This item is larger than 4 MiB.')
    // A copy: the chunk may share its memory with other data.
    if (this.#problem === null && part.length > 0) this.#parts.push(Buffer.from(part))
  }

  #refuse(problem: string): void {
    this.#problem ??= problem
    this.#parts = []
  }

  #finish(): void {
    const bytes = Buffer.concat(this.#parts)
    const line = this.#begun
    const isMember = this.#isMember
    if (this.#problem !== null) this.#items.push({ line, problem: this.#problem })
    else if (line > 0 && !isUtf8(bytes)) this.#items.push({ line, problem: 'This item is not UTF-8 text.' })
    else if (line > 0)
      this.#items.push({ line, text: bytes.toString('utf8'), ...(this.#isObject && { isMember }) })
    this.#reset()
  }

  #reset(): void {
    this.#parts = []
    this.#length = 0
    this.#begun = 0
    this.#values = 0
    this.#isEmpty = false
    this.#problem = null
  }

  #take(): JsonItem[] {
    return this.#items.splice(0)
  }
}

const NOT_A_LIST = 'This is not a list: the file does not begin with “[”.'

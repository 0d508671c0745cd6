import { withAllDigits } from '../shared/json.js'
import { ItemSplitter, type JsonItem } from './json-items.js'

/** A list in a JSON file: first the preceding members of its object, then its items. */
type ListPart =
  | { line: number; name: string; members: ReadonlyMap<string, string> }
  | { line: number; text: string }

/** Maximum depth of lists, and characters of a member. */
const MAX_DEPTH = 6
const MAX_LENGTH = 1_000
const MAX_INNER = 20
const [NEWLINE, QUOTE, BACKSLASH, COMMA, COLON] = [0x0a, 0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Finds the lists with a matching name in a JSON file at any depth and splits them into items, so that only one item is in
 * memory. Each list begins with the preceding texts and numbers of its object; those in nested objects get
 * both names (`channel name`). Everything else in the file is skipped.
 */
export async function* jsonLists(
  bytes: AsyncIterable<Uint8Array>,
  name: RegExp,
): AsyncGenerator<(ListPart | JsonItem)[]> {
  const finder = new ListFinder(name)
  for await (const chunk of bytes)
    yield finder.read(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  yield finder.end()
}

class ListFinder {
  readonly #name: RegExp
  #parts: (ListPart | JsonItem)[] = []
  #line = 1
  #list: ItemSplitter | null = null
  /** The surrounding objects and lists, outermost first: their own names, and the members of objects. */
  readonly #around: { name: string | null; members: Map<string, string> | null }[] = []
  /** Levels below the maximum depth. */
  #below = 0
  #isQuoted = false
  #isEscaped = false
  /** The current text or number, as written, and the member name before it. */
  #token: number[] = []
  #key: string | null = null

  constructor(name: RegExp) {
    this.#name = name
  }

  read(chunk: Buffer): (ListPart | JsonItem)[] {
    for (let at = 0; at < chunk.length; )
      at = this.#list ? this.#readList(this.#list, chunk, at) : this.#step(chunk, at)
    return this.#take()
  }

  end(): (ListPart | JsonItem)[] {
    if (this.#list) this.#parts.push(...this.#list.end())
    return this.#take()
  }

  #readList(list: ItemSplitter, chunk: Buffer, at: number): number {
    this.#parts.push(...list.read(chunk.subarray(at)))
    if (!list.isOver) return chunk.length
    this.#line = list.line
    this.#list = null
    return at + list.rest
  }

  #step(chunk: Buffer, at: number): number {
    const byte = chunk[at] ?? 0
    if (byte === NEWLINE) this.#line++
    if (this.#isQuoted) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) this.#isQuoted = false
      this.#add(byte)
    } else if (byte === OPEN_BRACE) this.#enter(new Map())
    else if (byte === OPEN_BRACKET) this.#enterList()
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#leave()
    else if (byte === COLON) this.#key = this.#text()
    else if (byte === COMMA) this.#endMember()
    else {
      this.#isQuoted = byte === QUOTE
      if (byte > 0x20) this.#add(byte)
    }
    return at + 1
  }

  #add(byte: number): void {
    if (this.#token.length <= MAX_LENGTH) this.#token.push(byte)
  }

  #enter(members: Map<string, string> | null): void {
    if (this.#around.length < MAX_DEPTH) this.#around.push({ name: this.#key, members })
    else this.#below++
    this.#token = []
    this.#key = null
  }

  #enterList(): void {
    const members = this.#around.at(-1)?.members
    const isWanted = this.#key !== null && this.#name.test(this.#key) && this.#below === 0
    if (!isWanted || !members) this.#enter(null)
    else {
      this.#parts.push({ line: this.#line, name: this.#key ?? '', members: new Map(members) })
      this.#list = new ItemSplitter(this.#line)
      this.#key = null
    }
  }

  #leave(): void {
    this.#endMember()
    const inner = this.#below > 0 ? undefined : this.#around.pop()
    if (!inner) this.#below = Math.max(0, this.#below - 1)
    else if (inner.name)
      for (const [key, value] of [...(inner.members ?? [])].slice(0, MAX_INNER))
        this.#around.at(-1)?.members?.set(`${inner.name} ${key}`, value)
  }

  #endMember(): void {
    const [key, value] = [this.#key, this.#text()]
    this.#key = null
    if (this.#below === 0 && key !== null && value !== null) this.#around.at(-1)?.members?.set(key, value)
  }

  /** The current text or number; null if there is none or it is too long. */
  #text(): string | null {
    const token = this.#token
    this.#token = []
    if (token.length === 0 || token.length > MAX_LENGTH) return null
    try {
      const value = JSON.parse(withAllDigits(Buffer.from(token).toString('utf8')))
      return typeof value === 'string' || typeof value === 'number' ? String(value) : null
    } catch {
      return null
    }
  }

  #take(): (ListPart | JsonItem)[] {
    return this.#parts.splice(0)
  }
}

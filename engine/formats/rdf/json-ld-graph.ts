const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Maximum bytes compared of a member's name. */
const MAX_KEY_LENGTH = 32

/**
 * Rewrites a JSON-LD document that is one object with `@graph` as a list, so that the nodes of the graph can be read one
 * by one: `{a, "@graph": [x, y], b}` becomes `[{a, "@graph":null}, x, y, {"@graph":null, b}]`. Lists are unchanged.
 */
export async function* graphAsList(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const graph = new GraphOpener()
  for await (const chunk of bytes) yield graph.read(chunk)
  yield graph.end()
}

class GraphOpener {
  /** Whether the document is an object; null before it begins. */
  #isObject: boolean | null = null
  #depth = 0
  #isQuoted = false
  #isEscaped = false
  /** The last string on the first level, and whether only a colon has followed it. */
  #key: number[] = []
  #isMember = false
  #isInGraph = false

  read(chunk: Uint8Array): Uint8Array {
    if (this.#isObject === false) return chunk
    const parts: Uint8Array[] = []
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const text = this.#instead(chunk[at] ?? 0)
      if (text === null) continue
      parts.push(chunk.subarray(from, at), Buffer.from(text))
      from = at + 1
    }
    return Buffer.concat([...parts, chunk.subarray(from)])
  }

  end(): Uint8Array {
    return Buffer.from(this.#isObject && this.#depth === 0 ? ']' : '')
  }

  /** The replacement for this byte, or null. */
  #instead(byte: number): string | null {
    if (this.#isObject === null) return this.#begin(byte)
    if (this.#isQuoted) {
      this.#quoted(byte)
      return null
    }
    if (byte === QUOTE) {
      this.#isQuoted = true
      if (this.#depth === 1) this.#key = []
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.#open(byte)
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return this.#close(byte)
    else if (this.#depth === 1) {
      if (byte === COLON) this.#isMember = true
      else if (byte === COMMA) this.#isMember = false
    }
    return null
  }

  #begin(byte: number): string | null {
    if (byte !== OPEN_BRACE && byte !== OPEN_BRACKET) return null
    this.#isObject = byte === OPEN_BRACE
    this.#depth = 1
    return this.#isObject ? '[{' : null
  }

  #quoted(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) {
      this.#isQuoted = false
      return
    }
    if (this.#depth === 1 && this.#key.length < MAX_KEY_LENGTH) this.#key.push(byte)
  }

  #open(byte: number): string | null {
    const isGraph = byte === OPEN_BRACKET && this.#depth === 1 && this.#isMember && !this.#isInGraph
    this.#depth++
    if (!isGraph || Buffer.from(this.#key).toString('latin1') !== '@graph') return null
    this.#isInGraph = true
    return 'null},'
  }

  #close(byte: number): string | null {
    this.#depth--
    if (!this.#isInGraph || this.#depth !== 1) return null
    if (byte !== CLOSE_BRACKET) return null
    this.#isInGraph = false
    this.#key = []
    return ',{"@graph":null'
  }
}

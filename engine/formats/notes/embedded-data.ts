const MARK = Buffer.from(';base64,')
const IS_DATA = Array.from({ length: 256 }, (_, byte) => /[A-Za-z0-9+/=%]/.test(String.fromCharCode(byte)))

/**
 * A text without the pictures that are written into it, as Google Docs and editors do: what follows `;base64,`. They have
 * no line ends, are longer than a line may be, and say nothing.
 */
export async function* withoutEmbeddedData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  /** What may be the beginning of a mark. */
  let carried = Buffer.alloc(0)
  let isInside = false
  for await (const chunk of bytes) {
    const text = Buffer.concat([carried, chunk])
    const kept: Buffer[] = []
    let at: number = isInside ? endOfData(text, 0) : 0
    isInside = isInside && at === text.length
    for (let mark = text.indexOf(MARK, at); mark >= 0 && !isInside; mark = text.indexOf(MARK, at)) {
      kept.push(text.subarray(at, mark + MARK.length))
      at = endOfData(text, mark + MARK.length)
      isInside = at === text.length
    }
    const end = isInside ? text.length : Math.max(at, text.length - MARK.length + 1)
    kept.push(text.subarray(at, end))
    carried = text.subarray(end)
    yield Buffer.concat(kept)
  }
  yield carried
}

function endOfData(text: Buffer, from: number): number {
  let at = from
  while (at < text.length && IS_DATA[text[at] ?? 0]) at++
  return at
}

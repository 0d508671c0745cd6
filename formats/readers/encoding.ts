import { isUtf8 } from 'node:buffer'

/** Bytes of a character of UTF-8 that may be cut at the end of a chunk. */
const LONGEST_TAIL = 3

/**
 * A text as UTF-8: from UTF-16, which its byte order mark shows, and with `isLegacy` from Windows-1252 as soon as it is not
 * UTF-8. What cannot be decoded stays as it is, for its reader to tell.
 */
export async function* utf8Of(
  bytes: AsyncIterable<Uint8Array>,
  isLegacy: boolean,
): AsyncGenerator<Uint8Array> {
  let decode: ((some: Uint8Array, isLast: boolean) => Uint8Array) | null = null
  for await (const some of bytes) {
    decode ??= decoderFor(some, isLegacy)
    yield decode(some, false)
  }
  const rest = decode?.(new Uint8Array(), true)
  if (rest && rest.length > 0) yield rest
}

function decoderFor(start: Uint8Array, isLegacy: boolean) {
  const [one, two] = start
  if (one === 0xff && two === 0xfe) return streaming('utf-16le')
  if (one === 0xfe && two === 0xff) return streaming('utf-16be')
  return isLegacy ? orWindows() : (some: Uint8Array) => some
}

function streaming(charset: string) {
  const decoder = new TextDecoder(charset)
  return (some: Uint8Array, isLast: boolean) => Buffer.from(decoder.decode(some, { stream: !isLast }))
}

/** UTF-8 until something else comes. */
function orWindows() {
  const windows = streaming('windows-1252')
  let isUtf = true
  let tail: Uint8Array = new Uint8Array()
  return (some: Uint8Array, isLast: boolean): Uint8Array => {
    const all = tail.length > 0 ? Buffer.concat([tail, some]) : some
    tail = new Uint8Array()
    if (!isUtf) return windows(all, isLast)
    const cut = isLast ? 0 : tailOf(all)
    if (isUtf8(all.subarray(0, all.length - cut))) {
      tail = all.slice(all.length - cut)
      return all.subarray(0, all.length - cut)
    }
    isUtf = false
    return windows(all, isLast)
  }
}

/** How many bytes at the end may be a character that goes on in the next chunk. */
function tailOf(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(LONGEST_TAIL, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return back
    if (byte < 0x80) return 0
  }
  return 0
}

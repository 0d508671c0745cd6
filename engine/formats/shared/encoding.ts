import { isAscii, isUtf8 } from 'node:buffer'

/** Maximum bytes of a UTF-8 character that is cut at the end of a chunk. */
const MAX_TAIL_LENGTH = 3

/** Bytes used to detect the character set. */
const SAMPLE = 65_536

/**
 * Converts a text to UTF-8. The source encoding comes from the byte order mark (UTF-16), the XML declaration or, with `isLegacy`, the `<meta>` of
 * an HTML page. Text that is not UTF-8 is decoded with a detected character set, passed to `tell`. Undecodable bytes stay for the reader to report.
 */
export async function* utf8Of(
  bytes: AsyncIterable<Uint8Array>,
  isLegacy: boolean,
  tell: (charset: string) => void = () => {},
): AsyncGenerator<Uint8Array> {
  let decode: Decode | null = null
  for await (const some of bytes) {
    decode ??= decoderFor(some, isLegacy, tell)
    const text = await decode(some, false)
    if (text.length > 0) yield text
  }
  const rest = await decode?.(new Uint8Array(), true)
  if (rest && rest.length > 0) yield rest
}

/** A folded line break inside a UTF-8 character. */
const CUT = /([\x80-\xff])\r?\n[ \t](?=[\x80-\xbf])/g
const MAYBE_CUT = /[\x80-\xff](?:\r?(?:\n[ \t]?)?)$/

/** Joins folded lines of calendars and contacts that were cut inside a character (RFC 5545 §3.1). */
export async function* withoutCuts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = ''
  for await (const some of bytes) {
    const chunk = Buffer.from(some.buffer, some.byteOffset, some.byteLength).toString('latin1')
    const all = (held + chunk).replace(CUT, '$1')
    held = MAYBE_CUT.exec(all.slice(-4))?.[0] ?? ''
    yield Buffer.from(all.slice(0, all.length - held.length), 'latin1')
  }
  yield Buffer.from(held, 'latin1')
}

type Decode = (some: Uint8Array, isLast: boolean) => Uint8Array | Promise<Uint8Array>

/** Bytes that may contain a declaration of the character set: XML 1.0 §4.3.3, HTML §4.2.5.4. */
const START = 1_024
const DECLARED = /^<\?xml\s[^<>]{0,100}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']/

const NAMED = /<meta\s[^<>]{0,300}?charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i

function decoderFor(start: Uint8Array, isLegacy: boolean, tell: (charset: string) => void): Decode {
  const decoder = knownDecoder(charsetOf(start, isLegacy))
  if (decoder) return streaming(decoder)
  return isLegacy ? orLegacy(tell) : some => some
}

/** The character set that a text declares or shows; empty for UTF-8 and unknown ones. */
function charsetOf(start: Uint8Array, isLegacy: boolean): string {
  const [one, two, three, four] = start
  if (one === 0xff && two === 0xfe) return 'utf-16le'
  if (one === 0xfe && two === 0xff) return 'utf-16be'
  const begin = Buffer.from(start.subarray(0, START)).toString('latin1')
  const named = isLegacy && /^\s*</.test(begin) ? NAMED : DECLARED
  const [, declared] = DECLARED.exec(begin) ?? named.exec(begin) ?? []
  // A declaration that is readable as ASCII cannot be in UTF-16 (HTML §13.2.3.2).
  if (declared !== undefined && !/^utf-?(?:8|16)/i.test(declared)) return declared
  // UTF-16 without a byte order mark: Latin letters have zero bytes.
  if (isLegacy && one && two === 0 && three && four === 0) return 'utf-16le'
  return isLegacy && one === 0 && two && three === 0 && four ? 'utf-16be' : ''
}

/** The upper half of code page 850 of DOS, which programs for Windows still write to the console. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0'

type Decoder = { decode(bytes: Uint8Array, options?: { stream: boolean }): string }

/** Decodes a character set of the Encoding Standard, or code page 850 (437 has the same letters). @throws RangeError */
export function decoderOf(charset: string): Decoder {
  if (!/^(?:cp|ibm)-?(?:437|850)$/i.test(charset)) return new TextDecoder(charset)
  const signOf = (letter: string) => CP850.charAt(letter.charCodeAt(0) - 0x80)
  return {
    decode: bytes =>
      Buffer.from(bytes)
        .toString('latin1')
        .replace(/[\x80-\xff]/g, signOf),
  }
}

/** The same; null for an unknown character set. */
export function knownDecoder(charset: string): Decoder | null {
  try {
    return decoderOf(charset)
  } catch {
    return null
  }
}

const streaming =
  (decoder: Decoder): Decode =>
  (some, isLast) =>
    Buffer.from(decoder.decode(some, { stream: !isLast }))

/** Decodes UTF-8 until the first invalid byte, then a detected character set. */
function orLegacy(tell: (charset: string) => void): Decode {
  let legacy: Decode | null = null
  let isUtf = true
  let hasSigns = false
  let held: Uint8Array = new Uint8Array()
  return async (some, isLast) => {
    if (legacy) return legacy(some, isLast)
    const all = held.length > 0 ? Buffer.concat([held, some]) : some
    const cut = isLast ? 0 : tailOf(all)
    isUtf &&= isUtf8(all.subarray(0, all.length - cut))
    if (isUtf) {
      hasSigns ||= !isAscii(all.subarray(0, all.length - cut))
      held = all.slice(all.length - cut)
      return all.subarray(0, all.length - cut)
    }
    held = all
    if (all.length < SAMPLE && !isLast) return new Uint8Array()
    const { legacyCharset } = await import('./legacy-charset.js')
    const charset = hasSigns || isDamaged(all) ? 'utf-8' : await legacyCharset(all)
    tell(charset)
    legacy = streaming(decoderOf(charset))
    return legacy(all, isLast)
  }
}

/** Whether it is UTF-8 with a few invalid bytes. Few byte sequences of other character sets look like UTF-8. */
function isDamaged(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SAMPLE)).toString('latin1')
  const signs =
    text.match(/[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g) ?? []
  const bytesOfSigns = signs.reduce((sum, { length }) => sum + length, 0)
  return bytesOfSigns >= 0.8 * (text.match(/[\x80-\xff]/g) ?? []).length
}

/** Number of bytes at the end that may belong to a character that continues in the next chunk. */
const tailOf = (bytes: Uint8Array) =>
  /[\xc0-\xff][\x80-\xbf]{0,2}$/.exec(Buffer.from(bytes.slice(-MAX_TAIL_LENGTH)).toString('latin1'))?.[0]
    .length ?? 0

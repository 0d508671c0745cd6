import { inflateRawSync } from 'node:zlib'
import { extensionOf } from './file-name.js'

/** Bytes read to identify a file. */
const HEAD_BYTES = 65_536
/** Characters of text used to identify a file. */
const TEXT_CHARACTERS = 1_000
const MAX_PARTS = 200
const MAX_PART_SIZE = 262_144

/** The beginning of a file. */
export interface FileHead {
  /** File name without folders. */
  name: string
  /** In lower case without the dot; empty if the name has no extension. */
  extension: string
  bytes: Buffer
  /** The first characters, one per byte (Latin-1), without byte order mark and leading space. UTF-16 is decoded. */
  text: string
  /** For a zip: the names of the first files in it. Otherwise empty. */
  parts: readonly string[]
  /** For a zip: the contents of `mimetype` (OpenDocument, EPUB) or `[Content_Types].xml` (Office). */
  declares: string
}

/** Describes the beginning of a file, up to 64 KiB. */
export function headOf(path: string, start: Uint8Array): FileHead {
  const bytes = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, HEAD_BYTES))
  const name = path.slice(path.lastIndexOf('/') + 1)
  return { name, extension: extensionOf(name), bytes, text: textOf(bytes), ...zipOf(bytes) }
}

function textOf(bytes: Buffer): string {
  const some = bytes.subarray(0, 2 * TEXT_CHARACTERS)
  const start = some.toString('latin1', 0, 2)
  const utf16 = start === '\xff\xfe' ? 'utf-16le' : start === '\xfe\xff' ? 'utf-16be' : null
  const text = utf16 ? new TextDecoder(utf16).decode(some, { stream: true }) : some.toString('latin1')
  return text
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .slice(0, TEXT_CHARACTERS)
}

const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1')

/** Reads the local headers of a zip (APPNOTE.TXT §4.3.7) within the given bytes. */
function zipOf(bytes: Buffer): Pick<FileHead, 'parts' | 'declares'> {
  const parts: string[] = []
  let declares = ''
  for (let at = bytes.indexOf(LOCAL_HEADER); at === 0 || (at > 0 && parts.length > 0); ) {
    if (at + 30 > bytes.length || parts.length >= MAX_PARTS) break
    const [flags, method] = [bytes.readUInt16LE(at + 6), bytes.readUInt16LE(at + 8)]
    const packed = bytes.readUInt32LE(at + 18)
    const begin = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 30, at + 30 + bytes.readUInt16LE(at + 26))
    // In a streamed zip, the size follows the data.
    const hasSize = (flags & 8) === 0
    parts.push(name)
    if (name === 'mimetype' || name === '[Content_Types].xml')
      declares ||= contentOf(bytes.subarray(begin, hasSize ? begin + packed : undefined), method)
    at = bytes.indexOf(LOCAL_HEADER, hasSize ? begin + packed : begin)
  }
  return { parts, declares }
}

function contentOf(bytes: Buffer, method: number): string {
  if (method === 0) return bytes.toString('latin1', 0, 200)
  try {
    // Truncated data at the end is not an error (Z_SYNC_FLUSH).
    return inflateRawSync(bytes, { maxOutputLength: MAX_PART_SIZE, finishFlush: 2 }).toString('latin1')
  } catch {
    return ''
  }
}

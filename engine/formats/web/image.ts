import { extensionOf } from '../shared/file-name.js'
import { type Format, OtherFile } from '../shared/format.js'

/** An SVG without a DOCTYPE of its own, which may declare entities that grow without bounds. */
const SVG =
  /^(?:\xef\xbb\xbf)?\s{0,99}(?:(?:<\?xml[^<>]{0,200}>|<!--(?:(?!-->)[\s\S]){0,2000}-->|<!DOCTYPE(?:[^<>["']|"[^"<>[]{0,200}"|'[^'<>[]{0,200}'){0,200}>)\s{0,99}){0,9}<svg[\s>]/i

/** Pictures that every browser shows. SVG is a document with scripts, which run neither in a page nor by itself (`imagePages`). */
const TYPES = [
  { type: 'image/png', extensions: ['png'], begins: /^\x89PNG\r\n/ },
  { type: 'image/jpeg', extensions: ['jpg', 'jpeg'], begins: /^\xff\xd8\xff/ },
  { type: 'image/gif', extensions: ['gif'], begins: /^GIF8[79]a/ },
  { type: 'image/webp', extensions: ['webp'], begins: /^RIFF.{4}WEBP/s },
  { type: 'image/avif', extensions: ['avif'], begins: /^.{4}ftypavi[fs]/s },
  { type: 'image/svg+xml', extensions: ['svg'], begins: SVG },
]

/** Bytes that say what a file is. */
const HEAD_BYTES = 4096

/** Bytes of a picture that is kept. */
const MAX_BYTES = 8 * 1024 * 1024

/**
 * A picture in a folder or archive: it is kept for the documents that show it, and says nothing by itself. So it is none of
 * `FORMATS`, and a picture alone is refused.
 */
export const image: Format = {
  id: 'image',
  title: 'Picture',
  extensions: TYPES.flatMap(({ extensions }) => extensions),
  isBinary: true,
  keepsBytes: true,
  async *parse(bytes) {
    for await (const _ of bytes) yield []
  },
}

/** Whether a file is a picture that can be shown, by its name. */
export const isImage = (path: string) => image.extensions.includes(extensionOf(path))

/** What a browser is told of these bytes, or null if they are no picture. */
export function imageType(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString(
    'latin1',
  )
  return TYPES.find(({ begins }) => begins.test(start))?.type ?? null
}

/** All bytes of a picture: the beginning of one would not be shown. @throws OtherFile */
export async function wholeImage(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const some of bytes) {
    chunks.push(some)
    length += some.length
    if (length > MAX_BYTES) throw new OtherFile('The picture is larger than 8 MB.')
  }
  const whole = Buffer.concat(chunks)
  const type = imageType(whole)
  if (type === null) throw new OtherFile('This is no picture.')
  if (type === 'image/svg+xml') {
    const { MAX_REPEATED, repeatedElements } = await import('./svg-size.js')
    if (repeatedElements(whole) > MAX_REPEATED) throw new OtherFile('The drawing repeats too many elements.')
  }
  return whole
}

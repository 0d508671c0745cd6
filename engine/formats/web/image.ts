import { extensionOf } from '../shared/file-name.js'
import { type Format, OtherFile, UnreadableFile } from '../shared/format.js'
import { wholeOf } from '../shared/whole-file.js'

/** An SVG without a DOCTYPE, which could declare entities that expand without limit. */
const SVG =
  /^(?:\xef\xbb\xbf)?\s{0,99}(?:(?:<\?xml[^<>]{0,200}>|<!--(?:(?!-->)[\s\S]){0,2000}-->|<!DOCTYPE(?:[^<>["']|"[^"<>[]{0,200}"|'[^'<>[]{0,200}'){0,200}>)\s{0,99}){0,9}<svg[\s>]/i

/** Picture types of all browsers. SVG may contain scripts, which run neither in a page nor when opened directly (`imagePages`). */
const TYPES = [
  { type: 'image/png', extensions: ['png'], begins: /^\x89PNG\r\n/ },
  { type: 'image/jpeg', extensions: ['jpg', 'jpeg'], begins: /^\xff\xd8\xff/ },
  { type: 'image/gif', extensions: ['gif'], begins: /^GIF8[79]a/ },
  { type: 'image/webp', extensions: ['webp'], begins: /^RIFF.{4}WEBP/s },
  { type: 'image/avif', extensions: ['avif'], begins: /^.{4}ftypavi[fs]/s },
  { type: 'image/svg+xml', extensions: ['svg'], begins: SVG },
]

/** Bytes used to identify a file. */
const HEAD_BYTES = 4096

/** Maximum MiB of a picture. */
const MAX_MIB = 8

/**
 * A picture in a folder or archive: stored for the documents that show it, without text of its own. It is not part of
 * `FORMATS`, so a picture alone is refused.
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

/** Whether a file is a supported picture, by its name. */
export const isImage = (path: string) => image.extensions.includes(extensionOf(path))

/** The Content-Type of these bytes, or null if they are not a picture. */
export function imageType(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  return TYPES.find(({ begins }) => begins.test(start))?.type ?? null
}

/** All bytes of a picture, which could not be shown in part. @throws OtherFile */
export async function wholeImage(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const whole = await wholeOf(bytes, 'picture', MAX_MIB).catch(error => {
    throw error instanceof UnreadableFile ? new OtherFile(error.message) : error
  })
  const type = imageType(whole)
  if (type === null) throw new OtherFile('This is not a picture.')
  if (type === 'image/svg+xml') {
    const { isBounded } = await import('./svg-guard.js')
    if (!isBounded(whole))
      throw new OtherFile('The drawing may repeat too many elements, or is not well-formed XML.')
  }
  return whole
}

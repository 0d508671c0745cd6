const SIGNATURE = 0x223e9f78
/** Attributes of an attachment (MS-OXTNEF §2.1.3.3): its beginning, short name, contents and properties. */
const [BEGIN, TITLE, DATA, PROPERTIES] = [0x69002, 0x18010, 0x6800f, 0x69005]
const [HEAD_BYTES, ATTRIBUTE_BYTES, CHECKSUM_BYTES] = [6, 9, 2]
/** The long file name among the properties: type 001F (UTF-16) or 001E, id 3707, one value. */
const LONG_NAMES = [
  { mark: Buffer.from('1f00073701000000', 'hex'), encoding: 'utf16le' },
  { mark: Buffer.from('1e00073701000000', 'hex'), encoding: 'latin1' },
] as const
const MAX_NAME_BYTES = 1_000
const MAX_FILES = 50

/** The files in `winmail.dat`, in which Outlook sends attachments (MS-OXTNEF); null for another file. */
export function tnefFiles(bytes: Buffer): { name: string; bytes: Buffer }[] | null {
  if (bytes.length < HEAD_BYTES || bytes.readUInt32LE(0) !== SIGNATURE) return null
  const files: { name: string; bytes: Buffer }[] = []
  for (let at = HEAD_BYTES; at + ATTRIBUTE_BYTES <= bytes.length; ) {
    const [attribute, length] = [bytes.readUInt32LE(at + 1), bytes.readUInt32LE(at + 5)]
    const value = bytes.subarray(at + ATTRIBUTE_BYTES, at + ATTRIBUTE_BYTES + length)
    const file = files.at(-1)
    if (attribute === BEGIN && files.length < MAX_FILES) files.push({ name: '', bytes: Buffer.alloc(0) })
    else if (file && attribute === TITLE) file.name ||= withoutEnd(value.toString('latin1'))
    else if (file && attribute === DATA) file.bytes = value
    else if (file && attribute === PROPERTIES) file.name = longNameIn(value) || file.name
    at += ATTRIBUTE_BYTES + length + CHECKSUM_BYTES
  }
  return files
}

function longNameIn(properties: Buffer): string {
  for (const { mark, encoding } of LONG_NAMES) {
    const at = properties.indexOf(mark) + mark.length
    if (at < mark.length || at + 4 > properties.length) continue
    const length = Math.min(properties.readUInt32LE(at), MAX_NAME_BYTES)
    return withoutEnd(properties.toString(encoding, at + 4, at + 4 + length))
  }
  return ''
}

const withoutEnd = (name: string) => name.replace(/\0.*$/s, '')

// Folders that are dropped or chosen, as archives that `public/uploads.js` sends.
// biome-ignore-all lint/correctness/noUnusedVariables: `uploads.js` uses them.
/** The limits of one archive. More files become several. */
const ARCHIVE = { bytes: 256 * 1024 * 1024, files: 20_000 }
const READ_BYTES = 4 * 1024 * 1024

const isHidden = name => /^\.[^.]/.test(name) || name === '__MACOSX' || name === 'node_modules'
/** The hidden file or folder that contains a path, or null. Settings for showing notes are read. */
function hiddenIn(path) {
  const names = path.split('/')
  const at = path.endsWith('.obsidian/app.json') ? -1 : names.findIndex(isHidden)
  return at < 0 ? null : names.slice(0, at + 1).join('/')
}

/** The files of a dropped file or folder. The file of one that cannot be read is null. */
async function* filesIn(entry, below = '') {
  const path = below + entry.name
  if (entry.isFile) {
    yield {
      path,
      file: await new Promise((resolve, reject) => entry.file(resolve, reject)).catch(() => null),
    }
  } else if (isHidden(entry.name) && entry.name !== '.obsidian') {
    yield { path, file: new Blob() }
  } else {
    const reader = entry.createReader()
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)).catch(
        () => null,
      )
      if (some === null) yield { path, file: null }
      if (!some?.length) return
      for (const inner of some) yield* filesIn(inner, `${path}/`)
    }
  }
}

/** Divides files into archives. */
function archivesOf(files) {
  const archives = []
  let bytes = Number.POSITIVE_INFINITY
  for (const each of files) {
    const last = archives.at(-1)
    if (!last || bytes + each.file.size > ARCHIVE.bytes || last.length >= ARCHIVE.files) {
      archives.push([each])
      bytes = each.file.size
    } else {
      last.push(each)
      bytes += each.file.size
    }
  }
  return archives
}

const CRC = Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})
const crcAfter = (crc, bytes) => {
  let value = crc
  for (const byte of bytes) value = CRC[(value ^ byte) & 0xff] ^ (value >>> 8)
  return value
}
const header = (length, ...fields) => {
  const view = new DataView(new ArrayBuffer(length))
  for (const [at, bytes, value] of fields)
    bytes === 4 ? view.setUint32(at, value, true) : view.setUint16(at, value, true)
  return view
}

/** A zip archive that stores the files as they are (PKWARE APPNOTE 4.3). Files that cannot be read are `lost`. */
async function zipOf(files, strip, lost) {
  const content = []
  const directory = []
  let offset = 0
  let directoryBytes = 0
  for (const { path, file } of files) {
    const name = new TextEncoder().encode(path.slice(strip).normalize('NFC'))
    let crc = -1
    const read = []
    const isLarge = file.size > 2 * READ_BYTES
    try {
      for (let at = 0; at < file.size; at += READ_BYTES) {
        const bytes = new Uint8Array(await file.slice(at, at + READ_BYTES).arrayBuffer())
        crc = crcAfter(crc, bytes)
        if (!isLarge) read.push(bytes)
      }
    } catch {
      lost.push(path)
      continue
    }
    // Names in UTF-8, stored, dated 1980-01-01.
    const both = [
      [0, 4, 0x02014b50],
      [4, 2, 20],
      [6, 2, 20],
      [8, 2, 0x800],
      [14, 2, 0x21],
      [16, 4, ~crc],
    ]
    const sizes = [
      [20, 4, file.size],
      [24, 4, file.size],
      [28, 2, name.length],
    ]
    directory.push(header(46, ...both, ...sizes, [42, 4, offset]), name)
    const local = [...both.slice(2), ...sizes].map(([at, bytes, value]) => [at - 2, bytes, value])
    content.push(header(30, [0, 4, 0x04034b50], ...local), name, ...(isLarge ? [file] : read))
    offset += 30 + name.length + file.size
    directoryBytes += 46 + name.length
  }
  const count = directory.length / 2
  const counts = [
    [8, 2, count],
    [10, 2, count],
    [12, 4, directoryBytes],
    [16, 4, offset],
  ]
  return new Blob([...content, ...directory, header(22, [0, 4, 0x06054b50], ...counts)])
}

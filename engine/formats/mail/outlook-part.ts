import { isUtf8 } from 'node:buffer'
import CFB from 'cfb'
import { encodingOf } from '../shared/code-pages.js'
import { UnreadableFile } from '../shared/format.js'
import { clean, EARLIEST, LATEST } from './mail-message.js'

const HEADER = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const CFB_STREAM = 2

/** A compound file (MS-CFB): its entries by path, and the paths of the folders in each folder. */
class CompoundFile {
  readonly root: string
  readonly entries = new Map<string, CFB.CFB$Entry>()
  readonly folders = new Map<string, string[]>()

  constructor(bytes: Buffer) {
    const { FullPaths: paths, FileIndex: entries } = CFB.read(bytes, { type: 'buffer' })
    this.root = paths[0] ?? ''
    for (const [at, entry] of entries.entries()) {
      const path = paths[at] ?? ''
      this.entries.set(path, entry)
      const above = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1)
      if (path.endsWith('/') && !this.folders.get(above)?.push(path)) this.folders.set(above, [path])
    }
  }
}

const DAMAGED = 'This message of Outlook is damaged.'
const [HTML, CODE_PAGE, HTML_CODE_PAGE] = [0x1013, 0x3ffd, 0x3fde]
/** Value types (MS-OXCDATA §2.11.1). */
const [EMBEDDED, ANSI, UNICODE, BINARY] = [0x000d, 0x001e, 0x001f, 0x0102]
const CONTENT = 0x3701
const PROPERTY_BYTES = 16
/** Header bytes before the properties of a message, an embedded message, and a person or attachment (MS-OXMSG §2.4). */
const HEAD = { message: 32, inner: 24, part: 8 }
/** 1970-01-01 in milliseconds since 1601. */
const EPOCH = 11_644_473_600_000
/** Bytes per entry of the name list (MS-OXMSG §2.2.3.1.2), and maximum entries. */
const [ENTRY_BYTES, MAX_NAMES] = [8, 10_000]
/** Number of predefined sets before those in the file. */
const FIRST_SET = 3
/** The id of the first named property. */
export const FIRST_NAMED = 0x8000

/** The stream name of a property. */
const nameOf = (id: number, type: number) => `__substg1.0_${hex(id)}${hex(type)}`
const hex = (number: number) => number.toString(16).toUpperCase().padStart(4, '0')

/** The properties of a message, a person or an attachment (MS-OXMSG), which is a folder in a compound file. */
export class OutlookPart {
  readonly #file: CompoundFile
  readonly #path: string
  /** The encoding of texts that are not Unicode. */
  readonly #encoding: string
  /** Offsets of fixed-length values in the list, by id. */
  readonly #places = new Map<number, number>()
  readonly #list: Buffer

  private constructor(file: CompoundFile, path: string, head: number, encoding?: string) {
    this.#file = file
    this.#path = path
    this.#list = this.#stream('__properties_version1.0') ?? Buffer.alloc(0)
    for (let at = head; at + PROPERTY_BYTES <= this.#list.length; at += PROPERTY_BYTES)
      this.#places.set(this.#list.readUInt16LE(at + 2), at)
    this.#encoding = encoding ?? encodingOf(this.number(CODE_PAGE) ?? this.number(HTML_CODE_PAGE) ?? 0)
  }

  /** @throws UnreadableFile */
  static message(bytes: Buffer): OutlookPart {
    // The library also reads other kinds of archives.
    if (!bytes.subarray(0, HEADER.length).equals(HEADER)) throw new UnreadableFile(DAMAGED)
    try {
      const file = new CompoundFile(bytes)
      return new OutlookPart(file, file.root, HEAD.message)
    } catch {
      throw new UnreadableFile(DAMAGED)
    }
  }

  /** The bytes of a property, or null. @throws UnreadableFile */
  bytes(id: number, type = BINARY): Buffer | null {
    return this.#stream(nameOf(id, type))
  }

  text(id: number): string {
    const unicode = this.bytes(id, UNICODE)
    if (unicode) return clean(unicode.toString('utf16le'))
    const ansi = this.bytes(id, ANSI)
    return ansi ? clean(new TextDecoder(this.#encoding).decode(ansi)) : ''
  }

  html(): string {
    const bytes = this.bytes(HTML)
    if (!bytes) return this.text(HTML)
    const page = this.number(HTML_CODE_PAGE)
    const unnamed = isUtf8(bytes) ? 'utf-8' : this.#encoding
    return new TextDecoder(page === null ? unnamed : encodingOf(page)).decode(bytes)
  }

  /** A number, or a boolean as 0 or 1. */
  number(id: number): number | null {
    const at = this.#places.get(id)
    return at === undefined ? null : this.#list.readInt32LE(at + 8)
  }

  /** Milliseconds since 1970; undefined for implausible dates. */
  time(id: number): number | undefined {
    const at = this.#places.get(id)
    const time = at === undefined ? Number.NaN : Number(this.#list.readBigUInt64LE(at + 8) / 10_000n) - EPOCH
    return time > EARLIEST && time < LATEST ? time : undefined
  }

  /** Its people (`recip`) or attachments (`attach`). */
  parts(kind: 'recip' | 'attach', most: number): OutlookPart[] {
    const paths = this.#file.folders.get(this.#path) ?? []
    return paths
      .filter(path => path.startsWith(`__${kind}_`, this.#path.length))
      .sort()
      .slice(0, most)
      .map(path => new OutlookPart(this.#file, path, HEAD.part, this.#encoding))
  }

  /** The message in an attachment, or null. */
  inner(): OutlookPart | null {
    const path = `${this.#path}${nameOf(CONTENT, EMBEDDED)}/`
    return this.#file.entries.has(path) ? new OutlookPart(this.#file, path, HEAD.inner) : null
  }

  /** The ids in this file of the named properties in the set whose GUID begins with `set`, by number (MS-OXMSG §2.2.3). */
  names(set: number): ReadonlyMap<number, number> {
    const [sets, entries] = [2, 3].map(
      id => this.#stream(`__nameid_version1.0/${nameOf(id, BINARY)}`) ?? Buffer.alloc(0),
    ) as [Buffer, Buffer]
    const ids = new Map<number, number>()
    const end = Math.min(MAX_NAMES * ENTRY_BYTES, entries.length - ENTRY_BYTES + 1)
    for (let at = 0; at < end; at += ENTRY_BYTES) {
      const place = entries.readUInt16LE(at + 4)
      const of = ((place >> 1) - FIRST_SET) * 16
      // Properties with string names are not needed.
      if ((place & 1) === 1 || of < 0 || of + 16 > sets.length || sets.readUInt32LE(of) !== set) continue
      ids.set(entries.readUInt32LE(at), FIRST_NAMED + entries.readUInt16LE(at + 6))
    }
    return ids
  }

  #stream(name: string): Buffer | null {
    const entry = this.#file.entries.get(this.#path + name)
    if (entry?.type !== CFB_STREAM) return null
    const bytes = Buffer.from(entry.content ?? [])
    if (bytes.length < entry.size) throw new UnreadableFile(DAMAGED)
    return bytes
  }
}

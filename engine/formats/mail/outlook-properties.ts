import { isUtf8 } from 'node:buffer'
import { encodingOf } from '../shared/code-pages.js'
import type { Storage } from './compound-file.js'
import { clean, EARLIEST, LATEST } from './mail-message.js'

const HTML = 0x1013
const [CODE_PAGE, HTML_CODE_PAGE] = [0x3ffd, 0x3fde]
/** Value types (MS-OXCDATA §2.11.1). */
const [ANSI, UNICODE] = [0x001e, 0x001f]
export const EMBEDDED = 0x000d
export const BINARY = 0x0102

const PROPERTY_BYTES = 16
/** Header bytes before the properties of a message, an embedded message, and a person or attachment (MS-OXMSG §2.4). */
export const HEAD = { message: 32, inner: 24, part: 8 }
/** 1970-01-01 in milliseconds since 1601. */
const EPOCH = 11_644_473_600_000

/** The stream name of a property. */
export const nameOf = (id: number, type: number) => `__substg1.0_${hex(id)}${hex(type)}`
const hex = (number: number) => number.toString(16).toUpperCase().padStart(4, '0')

/** The properties of a message, a person or an attachment. */
export class Properties {
  /** The encoding of texts that are not Unicode. */
  readonly encoding: string
  readonly #storage: Storage
  /** Offsets of fixed-length values in the list, by id. */
  readonly #places = new Map<number, number>()
  readonly #list: Buffer

  constructor(storage: Storage, head: number, encoding?: string) {
    this.#storage = storage
    this.#list = storage.stream('__properties_version1.0') ?? Buffer.alloc(0)
    for (let at = head; at + PROPERTY_BYTES <= this.#list.length; at += PROPERTY_BYTES)
      this.#places.set(this.#list.readUInt16LE(at + 2), at)
    this.encoding = encoding ?? encodingOf(this.number(CODE_PAGE) ?? this.number(HTML_CODE_PAGE) ?? 0)
  }

  text(id: number): string {
    const unicode = this.#storage.stream(nameOf(id, UNICODE))
    if (unicode) return clean(unicode.toString('utf16le'))
    const ansi = this.#storage.stream(nameOf(id, ANSI))
    return ansi ? clean(new TextDecoder(this.encoding).decode(ansi)) : ''
  }

  html(): string {
    const bytes = this.#storage.stream(nameOf(HTML, BINARY))
    if (!bytes) return this.text(HTML)
    const page = this.number(HTML_CODE_PAGE)
    const unnamed = isUtf8(bytes) ? 'utf-8' : this.encoding
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
}

/** Bytes per entry of the name list (MS-OXMSG §2.2.3.1.2), and maximum entries. */
const ENTRY_BYTES = 8
const MAX_NAMES = 10_000
/** Number of predefined sets before those in the file, and the id of the first named property. */
const FIRST_SET = 3
const FIRST_NAMED = 0x8000

/** Maps named properties, given by set and number, to their ids in this file (MS-OXMSG §2.2.3). */
export class NamedProperties {
  readonly #ids = new Map<string, number>()

  constructor(root: Storage) {
    const names = root.storages.get('__nameid_version1.0')
    const sets = names?.stream(nameOf(2, BINARY)) ?? Buffer.alloc(0)
    const entries = names?.stream(nameOf(3, BINARY)) ?? Buffer.alloc(0)
    const count = Math.min(MAX_NAMES, Math.floor(entries.length / ENTRY_BYTES))
    for (let at = 0; at < count * ENTRY_BYTES; at += ENTRY_BYTES) {
      const place = entries.readUInt16LE(at + 4)
      const set = ((place >> 1) - FIRST_SET) * 16
      // Properties with string names are not needed.
      if ((place & 1) === 1 || set < 0 || set + 16 > sets.length) continue
      const key = `${sets.readUInt32LE(set)} ${entries.readUInt32LE(at)}`
      this.#ids.set(key, FIRST_NAMED + entries.readUInt16LE(at + 6))
    }
  }

  /** The property id in the set whose GUID begins with `set`, or -1 if the file does not define it. */
  id(set: number, name: number): number {
    return this.#ids.get(`${set} ${name}`) ?? -1
  }
}

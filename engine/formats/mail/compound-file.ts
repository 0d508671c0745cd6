import { UnreadableFile } from '../shared/format.js'

/** Sectors from here on are marks: the end of a chain, free, or part of a table (MS-CFB §2.1). */
const FIRST_MARK = 0xfffffffa
const HEADER = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Where the header says what (MS-CFB §2.2). */
const AT = { sectorShift: 30, tables: 44, directory: 48, miniTable: 60, moreTables: 68, firstTables: 76 }
const TABLES_IN_HEADER = 109
const ENTRY_BYTES = 128
const MINI_BYTES = 64
/** Streams below this size are in sectors of 64 bytes. */
const MINI_BELOW = 4_096
const [STORAGE, STREAM, ROOT] = [1, 2, 5]
const NONE = 0xffffffff

/** An entry of the directory (MS-CFB §2.6.1). */
interface Entry {
  name: string
  type: number
  /** Neighbours in the tree of its storage, and the root of the tree inside it. */
  left: number
  right: number
  child: number
  start: number
  size: number
}

/** What a storage, the folder of a compound file, contains. */
export interface Storage {
  storages: ReadonlyMap<string, Storage>
  /** The bytes of one of its streams, or null. @throws UnreadableFile when it is damaged */
  stream(name: string): Buffer | null
}

/**
 * Opens a file in the container of Office before 2007 and of Outlook (MS-CFB). No chain of sectors is followed further than
 * the file is long, each entry is in one storage, and all streams together are read once.
 * @throws UnreadableFile
 */
export function openCompoundFile(bytes: Buffer, kind: string): Storage {
  try {
    return new CompoundFile(bytes, damaged(kind)).root()
  } catch (error) {
    // What points outside the file.
    throw error instanceof RangeError ? damaged(kind) : error
  }
}

const damaged = (kind: string) => new UnreadableFile(`This ${kind} is damaged.`)

class CompoundFile {
  readonly #bytes: Buffer
  readonly #damaged: UnreadableFile
  readonly #shift: number
  readonly #mostSectors: number
  readonly #table: Buffer
  readonly #miniTable: Buffer
  readonly #miniSectors: Buffer
  readonly #entries: readonly Entry[]
  /** Entries that are in a storage. */
  readonly #placed = new Set<number>()
  /** Bytes of streams that may still be read. */
  #left: number

  constructor(bytes: Buffer, damaged: UnreadableFile) {
    this.#bytes = bytes
    this.#damaged = damaged
    this.#left = bytes.length
    if (!bytes.subarray(0, HEADER.length).equals(HEADER)) throw damaged
    this.#shift = bytes.readUInt16LE(AT.sectorShift)
    if (this.#shift !== 9 && this.#shift !== 12) throw damaged
    this.#mostSectors = (bytes.length >> this.#shift) + 1
    this.#table = Buffer.concat(this.#tableSectors().map(sector => this.#sector(sector)))
    this.#miniTable = this.#chained(bytes.readUInt32LE(AT.miniTable), bytes.length)
    this.#entries = entriesIn(this.#chained(bytes.readUInt32LE(AT.directory), bytes.length))
    const root = this.#entries[0]
    if (root?.type !== ROOT) throw damaged
    this.#miniSectors = this.#chained(root.start, bytes.length)
  }

  root(): Storage {
    return this.#storage(0)
  }

  #storage(at: number): Storage {
    const storages = new Map<string, Storage>()
    const streams = new Map<string, Entry>()
    for (const [place, entry] of this.#inside(this.#entries[at]?.child ?? NONE)) {
      if (entry.type === STORAGE) storages.set(entry.name, this.#storage(place))
      else if (entry.type === STREAM) streams.set(entry.name, entry)
    }
    const stream = (name: string) => {
      const entry = streams.get(name)
      return entry ? this.#stream(entry) : null
    }
    return { storages, stream }
  }

  /** The entries of a storage, which are a tree. */
  #inside(top: number): [place: number, entry: Entry][] {
    const found: [number, Entry][] = []
    const open = [top]
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const entry = this.#entries[place]
      if (!entry || this.#placed.has(place)) continue
      this.#placed.add(place)
      found.push([place, entry])
      open.push(entry.left, entry.right)
    }
    return found
  }

  #stream({ start, size }: Entry): Buffer {
    this.#left -= size
    if (this.#left < 0) throw this.#damaged
    const all = size < MINI_BELOW ? this.#miniChained(start, size) : this.#chained(start, size)
    if (all.length < size) throw this.#damaged
    return all.subarray(0, size)
  }

  /** Sectors that hold the table of all sectors: those in the header, and of large files those in a list of their own. */
  #tableSectors(): number[] {
    const found: number[] = []
    const add = (list: Buffer, count: number) => {
      for (let at = 0; at < count; at++) found.push(list.readUInt32LE(at * 4))
    }
    add(this.#bytes.subarray(AT.firstTables), TABLES_IN_HEADER)
    const inList = (1 << (this.#shift - 2)) - 1
    let next = this.#bytes.readUInt32LE(AT.moreTables)
    while (next < FIRST_MARK) {
      const list = this.#sector(next)
      add(list, inList)
      if (found.length > this.#mostSectors + TABLES_IN_HEADER + inList) throw this.#damaged
      next = list.readUInt32LE(inList * 4)
    }
    return found.filter(sector => sector < FIRST_MARK).slice(0, this.#mostSectors)
  }

  #sector(sector: number): Buffer {
    const begin = (sector + 1) * 2 ** this.#shift
    if (begin >= this.#bytes.length) throw this.#damaged
    return this.#bytes.subarray(begin, begin + (1 << this.#shift))
  }

  /** The bytes of a chain, at least `size` of them if it has as many. */
  #chained(start: number, size: number): Buffer {
    const sectors = this.#chain(start, this.#table, Math.ceil(size / 2 ** this.#shift))
    return Buffer.concat(sectors.map(sector => this.#sector(sector)))
  }

  #miniChained(start: number, size: number): Buffer {
    const sectors = this.#chain(start, this.#miniTable, Math.ceil(size / MINI_BYTES))
    return Buffer.concat(
      sectors.map(sector => this.#miniSectors.subarray(sector * MINI_BYTES, (sector + 1) * MINI_BYTES)),
    )
  }

  #chain(start: number, table: Buffer, most: number): number[] {
    const sectors: number[] = []
    for (let sector = start; sector < FIRST_MARK && sectors.length < most; ) {
      sectors.push(sector)
      if ((sector + 1) * 4 > table.length) throw this.#damaged
      sector = table.readUInt32LE(sector * 4)
    }
    return sectors
  }
}

function entriesIn(directory: Buffer): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at + ENTRY_BYTES <= directory.length; at += ENTRY_BYTES) {
    const entry = directory.subarray(at, at + ENTRY_BYTES)
    const nameBytes = Math.min(64, entry.readUInt16LE(64))
    entries.push({
      name: entry.toString('utf16le', 0, Math.max(0, nameBytes - 2)),
      type: entry[66] ?? 0,
      left: entry.readUInt32LE(68),
      right: entry.readUInt32LE(72),
      child: entry.readUInt32LE(76),
      start: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    })
  }
  return entries
}

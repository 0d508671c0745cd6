/** What a storage holds: streams by name, and storages. */
export interface StorageContent {
  [name: string]: Buffer | StorageContent
}

const SECTOR = 512
const MINI = 64
const MINI_BELOW = 4_096
const [END, TABLE] = [0xfffffffe, 0xfffffffd]

/** Builds a compound file (MS-CFB) with one sector of tables, which is enough for 60 kB. */
export function compoundFile(content: StorageContent): Buffer {
  const table: number[] = [TABLE]
  const miniTable: number[] = []
  const sectors: Buffer[] = [Buffer.alloc(SECTOR)]
  let small = Buffer.alloc(0)

  /** Adds bytes as a chain of sectors and returns its first one. */
  const chain = (bytes: Buffer): number => {
    const first = sectors.length
    const count = Math.ceil(bytes.length / SECTOR)
    for (let at = 0; at < count; at++) {
      const sector = Buffer.alloc(SECTOR)
      bytes.copy(sector, 0, at * SECTOR)
      sectors.push(sector)
      table.push(at === count - 1 ? END : first + at + 1)
    }
    return count === 0 ? END : first
  }
  const miniChain = (bytes: Buffer): number => {
    const first = miniTable.length
    const count = Math.ceil(bytes.length / MINI)
    for (let at = 0; at < count; at++) miniTable.push(at === count - 1 ? END : first + at + 1)
    small = Buffer.concat([small, bytes, Buffer.alloc(count * MINI - bytes.length)])
    return first
  }

  const entries = [entry('Root Entry', 5)]
  const add = (storage: StorageContent, parent: Buffer) => {
    let before: Buffer | null = null
    for (const [name, inside] of Object.entries(storage)) {
      const isStream = Buffer.isBuffer(inside)
      const next = entry(name, isStream ? 2 : 1)
      if (before) before.writeUInt32LE(entries.length, 72)
      else parent.writeUInt32LE(entries.length, 76)
      before = next
      entries.push(next)
      if (!isStream) add(inside, next)
      else {
        next.writeUInt32LE(inside.length < MINI_BELOW ? miniChain(inside) : chain(inside), 116)
        next.writeUInt32LE(inside.length, 120)
      }
    }
  }
  const [root = Buffer.alloc(0)] = entries
  add(content, root)
  root.writeUInt32LE(chain(small), 116)
  root.writeUInt32LE(small.length, 120)

  const header = Buffer.alloc(SECTOR, 0xff)
  header.fill(0, 0, 76)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(0x3e, 24)
  header.writeUInt16LE(3, 26)
  header.writeUInt16LE(0xfffe, 28)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  header.writeUInt32LE(1, 44)
  header.writeUInt32LE(chain(Buffer.concat(entries)), 48)
  header.writeUInt32LE(MINI_BELOW, 56)
  header.writeUInt32LE(chain(numbers(miniTable)), 60)
  header.writeUInt32LE(Math.ceil((miniTable.length * 4) / SECTOR), 64)
  header.writeUInt32LE(END, 68)
  header.writeUInt32LE(0, 76)
  sectors[0]?.fill(0xff)
  numbers(table).copy(sectors[0] as Buffer)
  return Buffer.concat([header, ...sectors])
}

function entry(name: string, type: number): Buffer {
  const bytes = Buffer.alloc(128)
  bytes.write(name, 'utf16le')
  bytes.writeUInt16LE(name.length * 2 + 2, 64)
  bytes[66] = type
  bytes.fill(0xff, 68, 80)
  return bytes
}

function numbers(list: number[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil((list.length * 4) / SECTOR) * SECTOR, 0xff)
  for (const [at, number] of list.entries()) bytes.writeUInt32LE(number, at * 4)
  return bytes
}

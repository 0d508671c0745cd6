import CFB from 'cfb'
import { UnreadableFile } from '../shared/format.js'

const HEADER = Buffer.from('d0cf11e0a1b11ae1', 'hex')

/** A storage, which is a folder in a compound file. */
export interface Storage {
  storages: Map<string, Storage>
  /** The bytes of one of its streams, or null. @throws UnreadableFile if it is damaged */
  stream(name: string): Buffer | null
}

/**
 * Opens a compound file (MS-CFB), the container of Outlook and of Office before 2007.
 * @throws UnreadableFile
 */
export function openCompoundFile(bytes: Buffer, kind: string): Storage {
  const damaged = new UnreadableFile(`This ${kind} is damaged.`)
  // The library also reads other kinds of archives.
  if (!bytes.subarray(0, HEADER.length).equals(HEADER)) throw damaged
  try {
    return storageOf(CFB.read(bytes, { type: 'buffer' }), damaged)
  } catch {
    throw damaged
  }
}

function storageOf({ FullPaths: paths, FileIndex: entries }: CFB.CFB$Container, damaged: Error): Storage {
  const streams = new Map<string, CFB.CFB$Entry>()
  const storages = new Map<string, Storage>()
  const storageAt = (path: string): Storage => {
    const known = storages.get(path)
    if (known) return known
    const storage: Storage = {
      storages: new Map(),
      stream(name) {
        const entry = streams.get(path + name)
        if (!entry) return null
        const bytes = Buffer.from(entry.content ?? [])
        if (bytes.length < entry.size) throw damaged
        return bytes
      },
    }
    storages.set(path, storage)
    const [, above, name] = /^(.*\/)?([^/]+)\/$/s.exec(path) ?? []
    if (above !== undefined && name !== undefined) storageAt(above).storages.set(name, storage)
    return storage
  }
  for (const [at, path] of paths.entries()) {
    const entry = entries[at]
    if (path.endsWith('/')) storageAt(path)
    else if (entry?.type === CFB_STREAM) streams.set(path, entry)
  }
  return storageAt(paths[0] ?? '')
}

const CFB_STREAM = 2

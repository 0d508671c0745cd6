/** The sizes of a Safe. */
export interface DocumentSizes {
  /** Folders by path, each including its subfolders. A path ends with a slash; that of the whole Safe is empty. */
  folders: ReadonlyMap<string, FolderSize>
  /** The largest documents, the largest first. */
  largest: DocumentSize[]
}

interface FolderSize {
  /** Size of the text in bytes. */
  bytes: number
  /** Number of documents. */
  count: number
  /** When the newest document in it changed. Milliseconds since 1970. */
  changedAt: number
}

interface DocumentSize extends Omit<FolderSize, 'count'> {
  path: string
  title: string
}

/** Maximum folders listed separately; the others count for the folders above them. */
const MAX_FOLDERS = 20_000
/** How many times the requested documents are kept before the smaller ones are dropped. */
const SPARE = 20

/** Adds up the text in folders. Documents are added in the order of their paths. */
export class SizeTally {
  readonly #limit: number
  readonly #folders = new Map<string, FolderSize>()
  #largest: DocumentSize[] = []

  /** @param limit maximum documents listed */
  constructor(limit: number) {
    this.#limit = limit
  }

  add(document: DocumentSize): void {
    const { path, bytes, changedAt } = document
    for (let end = 0; end >= 0; end = path.indexOf('/', end) + 1 || -1) {
      const folder = path.slice(0, end)
      const size = this.#folders.get(folder) ?? { bytes: 0, count: 0, changedAt: 0 }
      if (size.count === 0 && this.#folders.size >= MAX_FOLDERS) break
      size.bytes += bytes
      size.count++
      size.changedAt = Math.max(size.changedAt, changedAt)
      this.#folders.set(folder, size)
    }
    this.#largest.push(document)
    if (this.#largest.length > SPARE * this.#limit) this.#dropSmallest()
  }

  result(): DocumentSizes {
    this.#dropSmallest()
    return { folders: this.#folders, largest: this.#largest }
  }

  #dropSmallest(): void {
    this.#largest.sort((one, other) => other.bytes - one.bytes || (one.path < other.path ? -1 : 1))
    this.#largest.length = Math.min(this.#limit, this.#largest.length)
  }
}

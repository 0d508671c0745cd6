/** What takes the room in a Safe. */
export interface DocumentSizes {
  /** Folders by path, each with all below it. A path ends with a slash; that of the whole Safe is empty. */
  folders: ReadonlyMap<string, FolderSize>
  /** The largest documents, the largest first. */
  largest: DocumentSize[]
}

interface FolderSize {
  /** Bytes of text. */
  bytes: number
  /** Documents. */
  count: number
  /** When the newest document in it changed. Milliseconds since 1970. */
  changedAt: number
}

interface DocumentSize extends Omit<FolderSize, 'count'> {
  path: string
  title: string
}

/** Folders that are told apart; what is in others counts for the folders above them. */
const MAX_FOLDERS = 20_000
/** How many times as many documents as asked for are kept until the smaller ones are dropped. */
const SPARE = 20

/** Adds up how much text folders hold. Documents are added in the order of their paths. */
export class SizeTally {
  readonly #limit: number
  readonly #folders = new Map<string, FolderSize>()
  #largest: DocumentSize[] = []

  /** @param limit documents that are named */
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

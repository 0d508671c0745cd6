/** What takes the room in a Safe. */
export interface DocumentSizes {
  /** The folder that holds them all: empty, or ending with a slash. */
  top: string
  /** The folders in it, the largest first. One that equals `top` stands for the documents directly in it. */
  folders: FolderSize[]
  /** The largest folders and documents in these folders. */
  entries: EntrySize[]
  /** The paths of the largest documents in any folder, the largest first. */
  largest: string[]
  /** Of all documents. */
  bytes: number
  count: number
}

interface FolderSize {
  folder: string
  /** Bytes of text. */
  bytes: number
  count: number
}

interface EntrySize {
  /** One of the folders. */
  folder: string
  /** Of a document, or of a folder, then ending with a slash. */
  path: string
  /** Of a document. */
  title: string
  /** Bytes of text. */
  bytes: number
  /** Documents. */
  count: number
}

/** How many more folders and entries than asked for are kept until the smaller ones are dropped. */
const SPARE = 20
/** The largest documents that are named. */
const MAX_SIZE = 3

/** Adds up how much text folders and documents hold, two levels deep. Documents are added in the order of their paths. */
export class SizeTally {
  readonly #top: string
  readonly #limit: number
  readonly #folders = new Map<string, FolderSize>()
  readonly #entries = new Map<string, EntrySize>()
  #largest: { path: string; bytes: number }[] = []
  #bytes = 0
  #count = 0

  /** @param top the folder that holds them all; `limit`: folders and entries that are kept */
  constructor(top: string, limit: number) {
    this.#top = top
    this.#limit = limit
  }

  add(path: string, title: string, bytes: number): void {
    const folder = path.slice(0, path.indexOf('/', this.#top.length) + 1) || this.#top
    const inner = path.slice(0, path.indexOf('/', folder.length) + 1)
    const entry = inner.length > folder.length ? inner : path
    this.#bytes += bytes
    this.#count++
    if (this.#largest.length < MAX_SIZE || bytes > (this.#largest.at(-1)?.bytes ?? 0))
      this.#largest = [...this.#largest, { path, bytes }].sort(largest(({ path }) => path)).slice(0, MAX_SIZE)
    const inFolder = this.#folders.get(folder) ?? { folder, bytes: 0, count: 0 }
    inFolder.bytes += bytes
    inFolder.count++
    this.#folders.set(folder, inFolder)
    const known = this.#entries.get(entry)
    const before = known ?? { folder, path: entry, title: entry === path ? title : '', bytes: 0, count: 0 }
    before.bytes += bytes
    before.count++
    this.#entries.set(entry, before)
    // Everything below a folder comes in one row, so what is dropped does not come again.
    if (this.#entries.size > SPARE * this.#limit) dropSmallest(this.#entries, this.#limit, [entry])
    if (this.#folders.size > SPARE * this.#limit)
      dropSmallest(this.#folders, this.#limit, [folder, this.#top])
  }

  /** The largest first. */
  result(): DocumentSizes {
    return {
      top: this.#top,
      folders: [...this.#folders.values()].sort(largest(({ folder }) => folder)).slice(0, this.#limit),
      entries: [...this.#entries.values()].sort(largest(({ path }) => path)).slice(0, this.#limit),
      largest: this.#largest.map(({ path }) => path),
      bytes: this.#bytes,
      count: this.#count,
    }
  }
}

const largest =
  <Size extends { bytes: number }>(nameOf: (size: Size) => string) =>
  (one: Size, other: Size) =>
    other.bytes - one.bytes || (nameOf(one) < nameOf(other) ? -1 : 1)

function dropSmallest<Size extends { bytes: number }>(
  sizes: Map<string, Size>,
  limit: number,
  kept: readonly string[],
): void {
  const smaller = [...sizes].sort(([, one], [, other]) => other.bytes - one.bytes).slice(limit)
  for (const [key] of smaller) if (!kept.includes(key)) sizes.delete(key)
}

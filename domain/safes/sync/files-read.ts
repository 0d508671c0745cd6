import type { FileEnd, FilesPiece } from '../imports/file-pieces.js'
import type { BadLine } from '../safe.js'
import type { NewVersion, VersionBatch } from '../stores/sync.sql.js'
import type { FilePair, FoundFile } from './plan.js'

const REMARKS_KEPT = 200

/** The files that a run reads, each into a version with its own id. */
export class FilesRead {
  /** Positions of the files that have not been read to their end, in order. */
  readonly left: Set<number>
  readonly failed = new Map<FoundFile, BadLine[]>()
  /** Parts read differently than the author intended. */
  readonly remarks: BadLine[] = []
  /** The versions that were read to their end, by their files. */
  readonly read = new Map<FoundFile, NewVersion>()
  readonly #pairs: readonly FilePair[]
  readonly #first: number
  readonly #timeOf: (found: FoundFile) => number
  /** Positions whose versions have been written. */
  readonly #begun = new Set<number>()

  constructor(pairs: readonly FilePair[], first: number, timeOf: (found: FoundFile) => number) {
    this.#pairs = pairs
    this.#first = first
    this.#timeOf = timeOf
    this.left = new Set(pairs.keys())
  }

  get count(): number {
    return this.#pairs.length
  }

  /** A file for the thread. Its blank nodes are the same in all its versions. */
  file(at: number, folder: number) {
    const { found, known } = this.#pair(at)
    const { path, open, lineBreaks } = found
    return { path, open, lineBreaks, scope: `${folder}-${known?.firstId ?? this.#first + at}` }
  }

  /** The rows of a piece; `positions` are those of the thread's files. */
  take({ parts }: FilesPiece, positions: readonly number[]): VersionBatch {
    const batch: VersionBatch = { batches: [], begun: [], ended: [] }
    for (const { file, rows, end } of parts) {
      const at = positions[file] ?? 0
      const isBad = (end?.badLines.length ?? 0) > 0
      if (end) this.#end(at, end)
      if (end && !isBad) this.read.set(this.#pair(at).found, this.#version(at, end))
      if (isBad && !this.#begun.has(at)) continue
      if (rows && !isBad) batch.batches.push({ importId: this.#first + at, rows })
      if (!this.#begun.has(at)) batch.begun.push(this.#version(at, end))
      else if (end) batch.ended.push(this.#version(at, end))
      this.#begun.add(at)
    }
    return batch
  }

  /** The first file that is left fails. */
  refuse(problem: string): VersionBatch {
    const batch: VersionBatch = { batches: [], begun: [], ended: [] }
    for (const at of this.left) {
      const end = { ...UNREAD, badLines: [badFile(this.#pair(at).found, problem)] }
      this.#end(at, end)
      if (this.#begun.has(at)) batch.ended.push(this.#version(at, end))
      break
    }
    return batch
  }

  #end(at: number, { badLines, remarks }: FileEnd): void {
    this.left.delete(at)
    if (badLines.length === 0 && this.remarks.length < REMARKS_KEPT) this.remarks.push(...remarks)
    if (badLines.length > 0) this.failed.set(this.#pair(at).found, badLines)
  }

  #version(at: number, end: FileEnd = UNREAD): NewVersion {
    const { found, known } = this.#pair(at)
    const id = this.#first + at
    return {
      id,
      firstId: known?.firstId ?? id,
      path: found.path,
      size: found.size,
      modifiedAt: this.#timeOf(found),
      contentHash: end.contentHash,
      lookedUp: end.lookedUp,
      ...end.counts,
      isBad: end.badLines.length > 0,
    }
  }

  #pair(at: number): FilePair {
    const pair = this.#pairs[at]
    if (!pair) throw new Error('There is no such file.')
    return pair
  }
}

const UNREAD: FileEnd = {
  contentHash: '',
  lookedUp: [],
  counts: { relations: 0, passages: 0 },
  badLines: [],
  remarks: [],
}

/** The reason why a file of a folder cannot be read. */
export const badFile = ({ path: file }: FoundFile, problem: string): BadLine => ({ file, line: 1, problem })

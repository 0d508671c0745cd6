import type { BadLine, Remarks } from '../safe.js'

const KEPT = 20

/** Collects the parts of an import's files that are read differently than their authors intended. */
export class RemarkList {
  #count = 0
  readonly #first: BadLine[] = []

  /** For `SourceFile.remark`. `file` is null if there is only one. */
  of(file: string | null): (line: number, sentence: string) => void {
    return (line, problem) => {
      this.#count++
      if (this.#first.length < KEPT) this.#first.push({ ...(file === null ? {} : { file }), line, problem })
    }
  }

  /** Null if there are none. */
  get all(): Remarks | null {
    return this.#count === 0 ? null : { count: this.#count, first: this.#first }
  }
}

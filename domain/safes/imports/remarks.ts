import type { BadLine, Remarks } from '../safe.js'

const KEPT = 20

/** Collects what of the files of an import is read in another way than their authors meant. */
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

  /** Null if there is nothing to say. */
  get all(): Remarks | null {
    return this.#count === 0 ? null : { count: this.#count, first: this.#first }
  }
}

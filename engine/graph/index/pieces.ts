import { Uint32List } from '../collections/uint32-list.js'

/** Numbers of a piece; a large import consists of several. */
const MAX_NUMBERS = 1 << 20

/** Rows of one import as numbers. */
interface Piece {
  importId: number
  numbers: Uint32Array
}

/** Rows of one kind as numbers, by import. Rows of an import arrive together. */
export class Pieces {
  /** Bytes of memory. */
  byteLength = 0
  #pieces: Piece[] = []
  #next = new Uint32List()
  #importId = 0

  /** The list to which the numbers of a row of this import are to be added. */
  of(importId: number): Uint32List {
    if (importId !== this.#importId || this.#next.length >= MAX_NUMBERS) this.#cut()
    this.#importId = importId
    return this.#next
  }

  /** All rows of some imports have been added. */
  end(): void {
    this.#cut()
    this.#next = new Uint32List()
    this.#pieces.sort((a, b) => a.importId - b.importId)
  }

  /** Drops the rows of all other imports. */
  keep(isKept: (importId: number) => boolean): void {
    this.#pieces = this.#pieces.filter(({ importId, numbers }) => {
      if (isKept(importId)) return true
      this.byteLength -= numbers.byteLength
      return false
    })
  }

  [Symbol.iterator](): Iterator<Piece> {
    return this.#pieces.values()
  }

  #cut(): void {
    if (this.#next.length === 0) return
    const numbers = this.#next.toArray()
    this.#next.length = 0
    this.#pieces.push({ importId: this.#importId, numbers })
    this.byteLength += numbers.byteLength
  }
}

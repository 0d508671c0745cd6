import type { FactTimes } from '../model.js'
import type { Layers } from './layers.js'
import type { Piece } from './pieces.js'

/** Reads the dates of relations beside these, in the same order. Most relations have none. */
export class DatesCursor {
  readonly #layers: Layers
  readonly #pieces: Iterator<Piece>
  #piece: Piece | undefined
  #at = 0

  constructor(layers: Layers) {
    this.#layers = layers
    this.#pieces = layers.dates[Symbol.iterator]()
    this.#piece = this.#pieces.next().value
  }

  /** The dates of this relation; of each relation once, in order. */
  of(importId: number, id: number): FactTimes | null {
    const piece = this.#piece
    if (piece?.importId !== importId || piece.numbers[this.#at] !== id) return null
    const date = (place: number) => {
      const text = piece.numbers[this.#at + place] ?? 0
      return text === 0 ? null : this.#layers.texts.at(text - 1)
    }
    const dates = { validFrom: date(1), validTo: date(2), learnedOn: date(3) }
    this.#at += 4
    if (this.#at === piece.numbers.length) {
      this.#piece = this.#pieces.next().value
      this.#at = 0
    }
    return dates
  }
}

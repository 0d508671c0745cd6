/** A growable list of bytes: `Uint32List` for small numbers. One class for both would be slower at both. */
export class Uint8List {
  #length = 0
  #items: Uint8Array<ArrayBuffer>

  /** Numbers that are expected. */
  constructor(capacity: number) {
    this.#items = new Uint8Array(Math.max(1, capacity))
  }

  push(value: number): void {
    if (this.#length === this.#items.length) {
      const larger = new Uint8Array(this.#items.length * 2)
      larger.set(this.#items)
      this.#items = larger
    }
    this.#items[this.#length++] = value
  }

  /** The items, not a copy: valid until one is added. */
  view(): Uint8Array {
    return this.#items.subarray(0, this.#length)
  }
}

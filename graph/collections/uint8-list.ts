/** A growable list of bytes. */
export class Uint8List {
  length = 0
  #items = Buffer.allocUnsafe(4096)

  push(value: number): void {
    if (this.length === this.#items.length) {
      const larger = Buffer.allocUnsafe(this.#items.length * 2)
      this.#items.copy(larger)
      this.#items = larger
    }
    this.#items[this.length++] = value
  }

  /** The items without spare capacity. */
  toBuffer(): Buffer {
    return Buffer.from(this.#items.subarray(0, this.length))
  }
}

/** A growable list of bytes. */
export class Uint8List {
  length = 0
  #items: Uint8Array<ArrayBuffer>

  /** Bytes that are expected. */
  constructor(capacity = 4096) {
    this.#items = new Uint8Array(Math.max(1, capacity))
  }

  push(value: number): void {
    if (this.length === this.#items.length) {
      const larger = new Uint8Array(this.#items.length * 2)
      larger.set(this.#items)
      this.#items = larger
    }
    this.#items[this.length++] = value
  }

  at(index: number): number {
    return this.#items[index] ?? 0
  }

  set(index: number, value: number): void {
    this.#items[index] = value
  }

  /** The items, not a copy: valid until one is added. */
  view(): Uint8Array {
    return this.#items.subarray(0, this.length)
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#items.byteLength
  }
}

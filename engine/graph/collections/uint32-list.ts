import { reordered } from './groups.js'

/** A growable list of 32-bit numbers: 4 bytes each instead of an array's 8 or more. */
export class Uint32List {
  length = 0
  #items: Uint32Array<ArrayBuffer>

  /** Numbers that are expected. */
  constructor(capacity = 1024) {
    this.#items = new Uint32Array(Math.max(1, capacity))
  }

  push(value: number): void {
    if (this.length === this.#items.length) {
      const larger = new Uint32Array(this.#items.length * 2)
      larger.set(this.#items)
      this.#items = larger
    }
    this.#items[this.length++] = value
  }

  pushAll(values: ArrayLike<number>): void {
    const length = this.length + values.length
    if (length > this.#items.length) {
      const larger = new Uint32Array(length * 2)
      larger.set(this.view())
      this.#items = larger
    }
    this.#items.set(values, this.length)
    this.length = length
  }

  at(index: number): number {
    return this.#items[index] ?? 0
  }

  set(index: number, value: number): void {
    this.#items[index] = value
  }

  /** Sets an item that may lie beyond the end; those before it are then 0. */
  put(index: number, value: number): void {
    while (this.length <= index) this.push(0)
    this.#items[index] = value
  }

  /** The items, not a copy: valid until one is added. */
  view(): Uint32Array {
    return this.#items.subarray(0, this.length)
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#items.byteLength
  }

  /** The items at these places. */
  reordered(places: Uint32Array): Uint32Array<ArrayBuffer> {
    return reordered(this.view(), places)
  }

  /** The items without spare capacity. */
  toArray(): Uint32Array {
    return this.#items.slice(0, this.length)
  }
}

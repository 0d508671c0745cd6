/** A reusable array of numbers, all zeros between uses. */
export class Scratch {
  #numbers = new Float32Array(0)

  /** Returns at least `size` zeros. Callers must restore the zeros, also after an error. */
  take(size: number): Float32Array {
    if (size > this.#numbers.length) this.#numbers = new Float32Array(Math.ceil(size * 1.25))
    return this.#numbers
  }
}

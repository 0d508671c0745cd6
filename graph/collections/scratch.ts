/**
 * Reusable memory for computing answers, shared by all indexes of a thread: as large as the largest one
 * needs, and all zeros between questions. Questions are answered synchronously, so only one uses it at a
 * time.
 */
export class Scratch {
  #numbers = new Float32Array(0)

  /** Returns at least `size` zeros. Callers must restore the zeros, also after an error. */
  take(size: number): Float32Array {
    if (size > this.#numbers.length) this.#numbers = new Float32Array(Math.ceil(size * 1.25))
    return this.#numbers
  }
}

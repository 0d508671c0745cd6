/**
 * Memory that questions compute in, shared by all indexes of a thread: as large as the largest of them needs, and zero
 * between questions. A question is answered without interruption, so that no two are in it at once.
 */
export class Scratch {
  #numbers = new Float32Array(0)

  /** At least `size` zeros. Whoever writes there puts the zeros back, also after an error. */
  take(size: number): Float32Array {
    if (size > this.#numbers.length) this.#numbers = new Float32Array(Math.ceil(size * 1.25))
    return this.#numbers
  }
}

import type { Passages } from './safe-index.js'

/** Collects the times of passages; allocates memory only when a passage has a time. */
export class TimeList {
  readonly #times: number[] = []
  #timed = 0
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  set(passage: number, time: number | null): void {
    if (time === null) return
    while (this.#times.length < passage) this.#times.push(Number.NaN)
    this.#times[passage] = time
    this.#timed++
    this.#first = Math.min(this.#first, time)
    this.#last = Math.max(this.#last, time)
  }

  build(passages: number): Pick<Passages, 'times' | 'timed' | 'first' | 'last'> {
    if (this.#timed === 0) return { times: new Float64Array(), timed: 0, first: 0, last: 0 }
    const times = new Float64Array(passages).fill(Number.NaN)
    times.set(this.#times)
    return { times, timed: this.#timed, first: this.#first, last: this.#last }
  }
}

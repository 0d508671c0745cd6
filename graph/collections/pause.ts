import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work after which other requests get their turn. */
const turn = 8

/** Lets long work give way to the event loop: `if (pause.due()) await pause.rest()` every few small steps. */
export class Pause {
  #since = performance.now()

  due(): boolean {
    return performance.now() - this.#since > turn
  }

  async rest(): Promise<void> {
    await setImmediate()
    this.#since = performance.now()
  }
}

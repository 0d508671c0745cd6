import { setImmediate } from 'node:timers/promises'

/** Milliseconds of work before other requests get their turn. */
const TURN = 8

/**
 * Lets long work yield to the event loop: call `if (pause.due()) await pause.rest()` every few small steps.
 */
export class Pause {
  #since = performance.now()

  due(): boolean {
    return performance.now() - this.#since > TURN
  }

  async rest(): Promise<void> {
    await setImmediate()
    this.#since = performance.now()
  }
}

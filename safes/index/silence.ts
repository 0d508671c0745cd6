/** Checks in the time that a thread may be silent. */
const CHECKS = 5
/** While it starts it may be silent for so many times as long. */
const TO_START = 5

/**
 * Notices when a thread gives no sign of life, which it sends on a timer and a stuck one cannot. Checks are counted and
 * time is not measured: after the machine has slept, the thread gets its turn first.
 */
export class Silence {
  readonly #everyMs: number
  readonly #onSilent: () => void
  #checks = 0
  #timer: NodeJS.Timeout | undefined

  constructor(silentMs: number, onSilent: () => void) {
    this.#everyMs = silentMs / CHECKS
    this.#onSilent = onSilent
  }

  /** Begins to watch, if it does not watch yet. */
  watch(): void {
    if (this.#timer) return
    this.#checks = -CHECKS * (TO_START - 1)
    this.#timer = setInterval(() => this.#check(), this.#everyMs)
  }

  heard(): void {
    this.#checks = 0
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #check(): void {
    if (++this.#checks <= CHECKS) return
    this.stop()
    this.#onSilent()
  }
}

/** Checks per period of allowed silence. */
const CHECKS = 5
/** While starting, a thread may be silent this many times as long. */
const TO_START = 5

/**
 * Detects a thread without signs of life, which it sends on a timer and a hung one cannot. It counts checks
 * instead of measuring time, so that a thread gets its turn first after the machine has slept.
 */
export class Watchdog {
  readonly #everyMs: number
  readonly #onSilent: () => void
  #checks = 0
  #timer: NodeJS.Timeout | undefined

  constructor(silentMs: number, onSilent: () => void) {
    this.#everyMs = silentMs / CHECKS
    this.#onSilent = onSilent
  }

  /** Starts watching unless it already is, a thread that `isStarting` with more patience. */
  start(isStarting = true): void {
    if (this.#timer) return
    this.#checks = isStarting ? -CHECKS * (TO_START - 1) : 0
    this.#timer = setInterval(() => this.#check(), this.#everyMs)
  }

  reset(): void {
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

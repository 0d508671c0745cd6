import { examine } from './examine.js'
import type { Report } from './finding.js'
import type { Installation } from './installation.js'

/** Minimum time between checks. */
const FRESH_MS = 60_000

/** The doctor inside the server, for its page: runs the checks once at a time and caches the findings. */
export class Doctor {
  readonly #installation: Installation
  #latest: Report | null = null
  #running: Promise<Report> | null = null

  constructor(installation: Installation) {
    this.#installation = installation
  }

  /** The latest findings of this process, or null. */
  get latest(): Report | null {
    return this.#latest
  }

  /** The report if it is less than a minute old, or a new one. */
  async run(): Promise<Report> {
    const latest = this.#latest
    if (latest && this.#installation.clock() - latest.at < FRESH_MS) return latest
    this.#running ??= this.#examine().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #examine(): Promise<Report> {
    this.#latest = await examine(this.#installation)
    return this.#latest
  }
}

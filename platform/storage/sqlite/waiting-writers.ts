import { closeSync, openSync, statSync, utimesSync } from 'node:fs'

/**
 * Writers of other processes waiting for their turn, which SQLite does not report: each sets the time of a file.
 * A process that dies while waiting leaves nothing to clean up.
 */
export class WaitingWriters {
  readonly #file: string
  #seenAt: number

  constructor(file: string) {
    this.#file = file
    closeSync(openSync(file, 'a', 0o600))
    this.#seenAt = this.#changedAt()
  }

  /** Called while this process waits. The time is in milliseconds on every file system. */
  readonly mark = (): void => {
    const now = new Date()
    try {
      utimesSync(this.#file, now, now)
    } catch {
      // The file was deleted: this process waits longer.
    }
  }

  /** Whether a process has waited since the last call. */
  waited(): boolean {
    const changedAt = this.#changedAt()
    const hasWaited = changedAt !== this.#seenAt
    this.#seenAt = changedAt
    return hasWaited
  }

  #changedAt(): number {
    return statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  }
}

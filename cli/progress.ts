import type { Writable } from 'node:stream'
import type { Import } from '../domain/safes/safe.js'
import { printable } from '../platform/common/visible-text.js'

const LINE_EVERY_MS = 5000
const MB = 1_000_000

/**
 * Shows the progress of an import: on a terminal in one line that is rewritten, otherwise periodically in a new
 * line.
 */
export class Progress {
  readonly #stream: Writable & { isTTY?: boolean }
  #shown = false
  #shownAt = performance.now()

  constructor(stream: Writable & { isTTY?: boolean }) {
    this.#stream = stream
  }

  show(soFar: Import): void {
    this.#print(() => line(soFar))
  }

  /** While the file is sent to a server. */
  sent(bytes: number, bytesTotal: number): void {
    this.#print(() => `${portion(bytes, bytesTotal)} sent`)
  }

  #print(line: () => string): void {
    const now = performance.now()
    if (!this.#stream.isTTY && now - this.#shownAt < LINE_EVERY_MS) return
    this.#shownAt = now
    this.#shown = true
    const shown = printable(line())
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[K${shown}` : `${shown}\n`)
  }

  /** Clears the progress line of the terminal. */
  end(): void {
    if (this.#shown && this.#stream.isTTY) this.#stream.write('\r\x1b[K')
  }
}

function line({ counts, bytesRead, bytesTotal }: Import): string {
  const rows = (counts.entities + counts.relations + counts.passages).toLocaleString('en')
  return `${rows} rows, ${bytesTotal ? portion(bytesRead, bytesTotal) : `${megabytes(bytesRead)} MB`}`
}

const portion = (bytes: number, bytesTotal: number) =>
  `${megabytes(bytes)} of ${megabytes(bytesTotal)} MB (${Math.floor((bytes / Math.max(1, bytesTotal)) * 100)} %)`

const megabytes = (bytes: number) => (bytes / MB).toFixed(1)

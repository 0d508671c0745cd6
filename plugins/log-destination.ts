import { fstatSync, write, writeSync } from 'node:fs'
import { logLinesDropped } from '../platform/common/events.js'

/** Maximum bytes of lines waiting while nothing can be written. Later ones are dropped. */
const MAX_WAITING = 256 * 1024
/** Delay before a slow reader of a pipe, or a full disk, is retried. Milliseconds. */
const RETRY_MS = { pipe: 50, disk: 1000 }

/**
 * Writes log lines to a file descriptor without stopping on errors: pino's own destination blocks the process if
 * a fatal line meets a full disk. After an error, lines wait for the next attempt, which does not block. Lines beyond
 * the limit are dropped, and their number is reported later.
 */
export class LogDestination {
  readonly #fd: number
  readonly #report: (dropped: number, errors: number) => string
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #isFailing = false
  #dropped = 0
  #errors = 0

  /** `report` formats the line with the number of dropped lines and of failed writes. */
  constructor(fd: number, report: (dropped: number, errors: number) => string) {
    this.#fd = fd
    this.#report = report
  }

  /** Never throws, and never waits. */
  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.#isFailing) {
      this.#wait(bytes)
      return
    }
    try {
      const written = writeSync(this.#fd, bytes)
      if (written < bytes.length) this.#fail(null, bytes.subarray(written))
    } catch (error) {
      this.#fail(error as NodeJS.ErrnoException, bytes)
    }
  }

  #wait(bytes: Buffer): void {
    if (this.#waitingBytes + bytes.length > MAX_WAITING) {
      this.#dropped++
      logLinesDropped.publish({})
      return
    }
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
  }

  /** `error`: null if only a part was written. */
  #fail(error: NodeJS.ErrnoException | null, rest: Buffer): void {
    const isPipe = error === null || error.code === 'EAGAIN'
    if (!isPipe) this.#errors++
    this.#isFailing = true
    this.#waiting.unshift(rest)
    this.#waitingBytes += rest.length
    setTimeout(() => this.#retry(), RETRY_MS[isPipe ? 'pipe' : 'disk']).unref()
  }

  #retry(): void {
    const bytes = Buffer.concat(this.#waiting.splice(0))
    this.#waitingBytes = 0
    write(this.#fd, bytes, (error, written) => {
      if (error || written < bytes.length) this.#fail(error, bytes.subarray(error ? 0 : written))
      else if (this.#waiting.length > 0) this.#retry()
      else {
        this.#isFailing = false
        if (this.#dropped > 0) this.write(this.#report(this.#dropped, this.#errors))
        this.#dropped = 0
        this.#errors = 0
      }
    })
  }
}

/** The log of a service, on standard output. */
export function standardLog(): LogDestination {
  // Node makes a pipe non-blocking when it opens the stream: a reader that stalls must not block the service.
  if (!fstatSync(1).isFile()) void process.stdout
  const msg = 'dropped log lines, because the log could not be written'
  return new LogDestination(1, (dropped, errors) => {
    const line = { level: 40, time: Date.now(), pid: process.pid, dropped, errors, msg }
    return `${JSON.stringify(line)}\n`
  })
}

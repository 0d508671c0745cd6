import { statSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { Thread } from '../../processes/thread.js'

/** Size of the write-ahead log above which it is checkpointed. */
const LOG_BYTES = 8 * 1024 * 1024
const CHECK_EVERY_MS = 500

/**
 * Checkpoints SQLite's write-ahead log in a worker thread (`checkpoint-worker.ts`). By default SQLite does
 * this, and waits for the disk, within an arbitrary commit, such as a token rotation.
 */
export class Checkpoints {
  readonly #file: string
  readonly #timer: NodeJS.Timeout
  #worker: Worker | null = null
  #isBusy = false
  /** Modification time of the log at the last checkpoint. */
  #checkpointedMtimeMs = 0

  constructor(file: string, everyMs = CHECK_EVERY_MS) {
    this.#file = file
    this.#timer = setInterval(() => {
      if (!this.#isBusy) this.#check().catch(() => {})
    }, everyMs).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#worker?.terminate()
  }

  async #check(): Promise<void> {
    // Takes microseconds, unlike a call in another thread.
    const { size, mtimeMs } = statSync(`${this.#file}-wal`)
    if (size <= LOG_BYTES || mtimeMs === this.#checkpointedMtimeMs) return
    this.#isBusy = true
    this.#checkpointedMtimeMs = mtimeMs
    this.#startedWorker().postMessage(null)
  }

  #startedWorker(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Thread('checkpoint-worker', import.meta.url, this.#file)
    worker.on('message', () => {
      this.#isBusy = false
    })
    // For example a full disk. The log keeps its content, and a new worker retries.
    worker.on('error', () => {
      this.#worker = null
      this.#isBusy = false
    })
    // Last, because a message listener keeps the process alive.
    worker.unref()
    this.#worker = worker
    return worker
  }
}

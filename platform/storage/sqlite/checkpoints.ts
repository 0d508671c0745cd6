import { stat } from 'node:fs/promises'
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
  #isClosed = false
  #looking: Promise<void> = Promise.resolve()
  /** Modification time of the log at the last checkpoint. */
  #checkpointedMtimeMs = 0

  constructor(file: string, everyMs = CHECK_EVERY_MS) {
    this.#file = file
    this.#timer = setInterval(() => {
      if (!this.#isBusy) this.#looking = this.#check()
    }, everyMs).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#looking
    await this.#worker?.terminate()
  }

  async #check(): Promise<void> {
    this.#isBusy = true
    const { size, mtimeMs } = await stat(`${this.#file}-wal`).catch(() => ({ size: 0, mtimeMs: 0 }))
    // A worker that starts after closing would keep the process alive forever: nobody ends it.
    if (this.#isClosed || size <= LOG_BYTES || mtimeMs === this.#checkpointedMtimeMs) {
      this.#isBusy = false
      return
    }
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

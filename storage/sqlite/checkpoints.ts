import { stat } from 'node:fs/promises'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../common/worker.js'

/** Size of SQLite's log above which it is written back into the database. */
const LOG_BYTES = 8 * 1024 * 1024
const LOOK_EVERY_MS = 500

/**
 * Writes SQLite's log back into the database, in a thread of its own (`checkpoint-worker.ts`): it waits for the disk,
 * and SQLite by itself would do that inside whichever commit comes next, a token's rotation for example.
 */
export class Checkpoints {
  readonly #file: string
  readonly #looking: NodeJS.Timeout
  #worker: Worker | null = null
  #busy = false
  /** When the log that was written back last had changed. */
  #done = 0

  constructor(file: string) {
    this.#file = file
    this.#looking = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#looking)
    await this.#worker?.terminate()
  }

  async #look(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    const { size, mtimeMs } = await stat(`${this.#file}-wal`).catch(() => ({ size: 0, mtimeMs: 0 }))
    if (size <= LOG_BYTES || mtimeMs === this.#done) {
      this.#busy = false
      return
    }
    this.#done = mtimeMs
    this.#running().postMessage(null)
  }

  #running(): Worker {
    if (this.#worker) return this.#worker
    const worker = startWorker('checkpoint-worker', import.meta.url, this.#file)
    worker.unref()
    worker.on('message', () => {
      this.#busy = false
    })
    // A full disk, for example: the log keeps what it has, and the next thread tries again.
    worker.on('error', () => {
      this.#worker = null
      this.#busy = false
    })
    this.#worker = worker
    return worker
  }
}

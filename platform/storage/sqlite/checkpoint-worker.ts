// Worker thread that checkpoints SQLite's write-ahead log (see checkpoints.ts).
import { parentPort, workerData } from 'node:worker_threads'
import { sqliteDriver } from './load-driver.js'

/** How long a checkpoint waits for other writers. Only this thread blocks. */
const BUSY_TIMEOUT_MS = 1000

/** Log size above which writers wait while the log is truncated. */
const MAX_LOG_BYTES = 64 * 1024 * 1024

const db = (await sqliteDriver()).open(workerData as string, BUSY_TIMEOUT_MS)
db.exec('pragma synchronous = NORMAL')
const [PAGE_BYTES = 0] = pragma('page_size')

parentPort?.on('message', () => {
  // Does not block writers. The log restarts by itself once it is checkpointed completely (wal.html §4.2).
  const [, pages = 0] = pragma('wal_checkpoint(PASSIVE)')
  if (pages * PAGE_BYTES > MAX_LOG_BYTES) truncate()
  parentPort?.postMessage(null)
})

/** Truncates the log. Blocks writers, so it must be rare. */
function truncate(): void {
  const [busy] = pragma('wal_checkpoint(TRUNCATE)')
  // The first write to a new log waits for the disk; do it here rather than in a request.
  if (busy === 0) touch()
}

/** Makes the smallest possible write: sets the unused `user_version` to its current value. */
function touch(): void {
  db.exec(`pragma user_version = ${pragma('user_version')[0]}`)
}

/** Runs a pragma. @returns its single row of numbers */
function pragma(name: string): number[] {
  return Object.values(db.prepare(`pragma ${name}`).get([]) as Record<string, number>)
}

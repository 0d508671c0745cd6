// A thread of its own that writes SQLite's log back into the database (see checkpoints.ts).
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

/** How long the end of a checkpoint waits for a pause between writers; nobody waits for this thread. */
const PATIENCE_MS = 1000

/** Size of the log above which writers wait for a fresh one. */
const MOST_BYTES = 64 * 1024 * 1024

const db = new Sqlite(workerData as string, { timeout: PATIENCE_MS })
db.pragma('synchronous = NORMAL')
const PAGE_BYTES = Number(db.pragma('page_size', { simple: true }))

parentPort?.on('message', () => {
  // Beside those who write. When all of it is done and nobody writes, the log begins anew by itself (wal.html §4.2).
  const [outcome] = db.pragma('wal_checkpoint(PASSIVE)') as { log: number }[]
  if ((outcome?.log ?? 0) * PAGE_BYTES > MOST_BYTES) shorten()
  parentPort?.postMessage(null)
})

/** What came meanwhile, and a fresh log: writers wait for it, which is why it is rare. */
function shorten(): void {
  const [outcome] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
  // Whoever writes first into a fresh log waits for the disk once more.
  if (outcome?.busy === 0) touch()
}

/** The smallest write there is: the number that nobody uses stays what it is. */
function touch(): void {
  db.pragma(`user_version = ${db.pragma('user_version', { simple: true })}`)
}

// A thread of its own that writes SQLite's log back into the database (see checkpoints.ts).
import { parentPort, workerData } from 'node:worker_threads'
import { sqliteDriver } from './load-driver.js'

/** How long the end of a checkpoint waits for a pause between writers; nobody waits for this thread. */
const PATIENCE_MS = 1000

/** Size of the log above which writers wait for a fresh one. */
const MOST_BYTES = 64 * 1024 * 1024

const db = (await sqliteDriver()).open(workerData as string, PATIENCE_MS)
db.exec('pragma synchronous = NORMAL')
const [PAGE_BYTES = 0] = pragma('page_size')

parentPort?.on('message', () => {
  // Beside those who write. When all of it is done and nobody writes, the log begins anew by itself (wal.html §4.2).
  const [, pages = 0] = pragma('wal_checkpoint(PASSIVE)')
  if (pages * PAGE_BYTES > MOST_BYTES) shorten()
  parentPort?.postMessage(null)
})

/** What came meanwhile, and a fresh log: writers wait for it, which is why it is rare. */
function shorten(): void {
  const [busy] = pragma('wal_checkpoint(TRUNCATE)')
  // Whoever writes first into a fresh log waits for the disk once more.
  if (busy === 0) touch()
}

/** The smallest write there is: the number that nobody uses stays what it is. */
function touch(): void {
  db.exec(`pragma user_version = ${pragma('user_version')[0]}`)
}

/** What it answers: one row of numbers. */
function pragma(name: string): number[] {
  return Object.values(db.prepare(`pragma ${name}`).get([]) as Record<string, number>)
}

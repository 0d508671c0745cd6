// A thread of its own that writes SQLite's log back into the database (see checkpoints.ts).
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

/** How long the end of a checkpoint waits for a pause between writers; nobody waits for this thread. */
const PATIENCE_MS = 1000

const db = new Sqlite(workerData as string, { timeout: PATIENCE_MS })
db.pragma('synchronous = NORMAL')

parentPort?.on('message', () => {
  // Most of it beside those who write; then what came meanwhile and a fresh log, for which they wait (wal.html §4.2).
  db.pragma('wal_checkpoint(PASSIVE)')
  const [outcome] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
  // Whoever writes first into a fresh log waits for the disk once more.
  if (outcome?.busy === 0) touch()
  parentPort?.postMessage(null)
})

/** The smallest write there is: the number that nobody uses stays what it is. */
function touch(): void {
  db.pragma(`user_version = ${db.pragma('user_version', { simple: true })}`)
}

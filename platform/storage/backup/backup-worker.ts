// A thread that makes a backup: copying a file of SQLite, and hashing a million rows, would hold up requests.
import { parentPort, workerData } from 'node:worker_threads'
import type { DatabaseLocation } from '../database.js'
import { makeBackup } from './make-backup.js'

const { from, file, now } = workerData as { from: DatabaseLocation; file: string; now: number }
await makeBackup(from, file, now)
parentPort?.close()

// Terminates threads in the middle of SQLite's work; a process of its own, because without the lock it aborts.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Thread } from '../../../platform/processes/thread.js'

const ROUNDS = 5
const folder = mkdtempSync(join(tmpdir(), 'svc-terminate-'))
for (let round = 0; round < ROUNDS; round++) {
  const worker = new Thread('busy-thread', import.meta.url, join(folder, 'numbers.db'))
  await once(worker, 'message')
  await pause(round % 5)
  await worker.terminate()
}
rmSync(folder, { recursive: true })
process.stdout.write(`${ROUNDS} threads terminated\n`)

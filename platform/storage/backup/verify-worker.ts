// A thread that verifies a backup: reading and hashing each row of it would hold up requests.
import { parentPort, workerData } from 'node:worker_threads'
import { BackupRefused } from './refused.js'
import { verifyBackup } from './verify-backup.js'

const { file } = workerData as { file: string }
try {
  await verifyBackup(file)
  parentPort?.postMessage({ refused: null })
} catch (error) {
  if (!(error instanceof BackupRefused)) throw error
  parentPort?.postMessage({ refused: error.message })
}
parentPort?.close()

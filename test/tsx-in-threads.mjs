// Registers tsx in the threads that a benchmark starts; there `--import tsx` does nothing (isMainThread).
import { isMainThread } from 'node:worker_threads'

if (!isMainThread) (await import('tsx/esm/api')).register()

// A thread in a child process that ends the process when its parent has died, or when it uses too much memory.
import { workerData } from 'node:worker_threads'

const EVERY_MS = 20
const MIB = 1_048_576

const { parent, memoryMb } = workerData as { parent: number; memoryMb: number }

setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > memoryMb * MIB)
    process.kill(process.pid, 'SIGKILL')
}, EVERY_MS)

// A thread in a child process that ends the process when its parent has died, or when it uses too much memory.
import { parentPort, workerData } from 'node:worker_threads'

/** Interval of checks while the process works, and while it waits for a job. */
const [WORKING_MS, IDLE_MS] = [20, 500]
const MIB = 1_048_576

const { parent, memoryMb } = workerData as { parent: number; memoryMb: number }

const check = () => {
  if (process.ppid !== parent || process.memoryUsage.rss() > memoryMb * MIB)
    process.kill(process.pid, 'SIGKILL')
}
let timer = setInterval(check, IDLE_MS)
parentPort?.on('message', (isWorking: boolean) => {
  clearInterval(timer)
  timer = setInterval(check, isWorking ? WORKING_MS : IDLE_MS)
})

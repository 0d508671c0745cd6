// A thread that answers late, and gives signs of life all along.
import { parentPort } from 'node:worker_threads'
import { ALIVE, type Job } from '../../../safes/index/index-thread.js'

setInterval(() => parentPort?.postMessage(ALIVE), 100)
parentPort?.on('message', ({ number }: Job) => {
  const committed = { counts: { relations: 1 } }
  setTimeout(() => parentPort?.postMessage({ number, committed, index: {} }), 5_000)
})

// A thread that answers late from its second job on, and reports all along that it is alive.
import { parentPort } from 'node:worker_threads'

const EVERY_MS = 100
/** Twice the maximum silence. */
const SIGNS = 24

let jobs = 0

parentPort?.on('message', (message: unknown) => {
  if (message === 'end') process.exit()
  const answer = () =>
    parentPort?.postMessage({ done: { committed: { counts: { relations: 1 } }, index: {} } })
  if (++jobs === 1) return answer()
  let signs = 0
  setInterval(() => {
    parentPort?.postMessage('alive')
    if (++signs === SIGNS) answer()
  }, EVERY_MS)
})

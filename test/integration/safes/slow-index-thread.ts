// A thread that answers late from its second job on, and gives signs of life all along.
import { parentPort } from 'node:worker_threads'
import { ALIVE, END } from '../../../platform/processes/messages.js'

const EVERY_MS = 100
/** For twice as long as it may be silent. */
const SIGNS = 24

let jobs = 0

parentPort?.on('message', (message: unknown) => {
  if (message === END) process.exit()
  const answer = () =>
    parentPort?.postMessage({ done: { committed: { counts: { relations: 1 } }, index: {} } })
  if (++jobs === 1) return answer()
  let signs = 0
  setInterval(() => {
    parentPort?.postMessage(ALIVE)
    if (++signs === SIGNS) answer()
  }, EVERY_MS)
})

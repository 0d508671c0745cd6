// Starts a process that hangs in a loop, prints its id, and waits.
import { startChild } from '../../../platform/processes/child.js'

const limits = { heapMb: 64, memoryMb: 256 }
const child = startChild('bad-reader-worker', import.meta.url, limits)
const job = { format: 'csv', source: 'hangs', folder: null, spoolFolder: '' }
child.send({ next: job })
child.once('message', () => {
  child.send({ next: undefined })
  process.stdout.write(`${child.pid}\n`)
})

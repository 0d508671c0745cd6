// Loaded into the server by run.ts (`node --import`). Says at the end how long its event loop was held up, and how
// much of that was waiting for a free core: the kernel counts that for each thread (/proc/PID/task/TID/schedstat).
import { closeSync, openSync, readSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 5

if (isMainThread && process.send) watch()

function watch() {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const buffer = Buffer.alloc(100)
  /** Milliseconds of running, and of waiting for a core. */
  const read = () => {
    const length = readSync(file, buffer, 0, buffer.length, 0)
    const [ran = 0, waited = 0] = buffer.toString('latin1', 0, length).split(' ').map(Number)
    return { ran: ran / 1e6, waited: waited / 1e6, at: performance.now() }
  }
  let before = read()
  let held = []
  const ticking = setInterval(() => {
    const now = read()
    const late = now.at - before.at - EVERY_MS
    if (late > 1)
      held.push({ at: now.at, late, ran: now.ran - before.ran, waited: now.waited - before.waited })
    before = now
  }, EVERY_MS)
  ticking.unref()
  process.on('message', () => {
    process.send(held)
    held = []
  })
  process.channel.unref()
  process.on('exit', () => closeSync(file))
}

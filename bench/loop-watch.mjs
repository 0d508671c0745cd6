// Loaded into a server by built-server.ts (`node --import`). Tells on demand when its event loop was held up (`Hold`), and how much of that
// was waiting for a free core: the kernel counts that for each thread (/proc/PID/task/TID/schedstat).
import { subscribe } from 'node:diagnostics_channel'
import { closeSync, openSync, readSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 5
/** What begins and ends requests ends a piece of work. */
const REQUEST_EVENTS = ['http.server.request.start', 'http.server.response.finish']
/** Asking the kernel takes some microseconds, so it is not asked for each request. */
const WORTH_ASKING_MS = 1

if (isMainThread && process.send) watch()

function watch() {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const buffer = Buffer.alloc(100)
  const ask = () => {
    const length = readSync(file, buffer, 0, buffer.length, 0)
    const [ran = 0, waited = 0] = buffer.toString('latin1', 0, length).split(' ').map(Number)
    return { ran: ran / 1e6, waited: waited / 1e6, at: performance.now() }
  }
  let holds = []
  let tick = ask()
  let asked = tick
  let pieceBegan = tick.at
  let longestPiece = 0

  /** A piece of work ends, another one begins. What it ran is at most what the thread did since the kernel was asked. */
  function endPiece(now = performance.now()) {
    if (now - asked.at > WORTH_ASKING_MS) {
      const before = asked
      asked = ask()
      longestPiece = Math.max(longestPiece, Math.min(now - pieceBegan, asked.ran - before.ran))
    }
    pieceBegan = now
  }

  for (const name of REQUEST_EVENTS) subscribe(name, () => endPiece())
  const ticking = setInterval(() => {
    endPiece()
    const now = ask()
    asked = now
    const late = now.at - tick.at - EVERY_MS
    if (late > 1) {
      const [ran, waited] = [now.ran - tick.ran, now.waited - tick.waited]
      holds.push({ late, ran, waited, longestPiece })
    }
    longestPiece = 0
    tick = now
  }, EVERY_MS)
  ticking.unref()
  process.on('message', () => {
    process.send(holds)
    holds = []
  })
  process.channel.unref()
  process.on('exit', () => closeSync(file))
}

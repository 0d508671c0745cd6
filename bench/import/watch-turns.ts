import { closeSync, openSync, readSync } from 'node:fs'
import { PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * The longest time that this thread worked between two turns of the event loop, in milliseconds of processor time: what
 * it waited for a free core does not count (/proc/self/task/…/schedstat, Linux), nor does collecting the garbage of the
 * test runner, which has the whole compiler in its memory. Turns of at most `atLeast` milliseconds are not kept.
 */
export function watchTurns(atLeast = 5) {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const buffer = Buffer.alloc(100)
  const ran = () =>
    Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, 100, 0)).split(' ')[0]) / 1e6
  const turns: { from: number; to: number; ran: number }[] = []
  const collections: { from: number; to: number }[] = []
  const observer = new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries())
      collections.push({ from: startTime, to: startTime + duration })
  })
  observer.observe({ entryTypes: ['gc'] })
  let before = { at: performance.now(), ran: ran() }
  const watching = setInterval(() => {
    const now = { at: performance.now(), ran: ran() }
    if (now.ran - before.ran > atLeast) turns.push({ from: before.at, to: now.at, ran: now.ran - before.ran })
    before = now
  }, 1)
  const own = (turn: (typeof turns)[number]) =>
    collections
      .filter(({ from, to }) => from >= turn.from && to <= turn.to)
      .reduce((rest, { from, to }) => rest - (to - from), turn.ran)
  return {
    /** Of the turns since it was asked before. */
    async longest() {
      await pause(100)
      return Math.max(0, ...turns.splice(0).map(own))
    },
    stop() {
      clearInterval(watching)
      observer.disconnect()
      closeSync(file)
    },
  }
}

// Somebody who uses the service while it is attacked, in a process of its own, so that the attack does not delay it.
// Started by run.ts with its account as JSON; works from the message `start` to the message `stop`, then reports.
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './ask.js'
import { Browser } from './browser.js'

/** What became of the calls. */
export interface Report {
  calls: number
  /** Answered as if nobody attacked. */
  good: number
  /** Of the good ones, in milliseconds. */
  times: number[]
  /** How often each status came; 0: no answer. */
  statuses: Record<string, number>
}

export interface Honest {
  url: string
  kind: 'question' | 'sign-in'
  email: string
  password: string
  token: string
}

/** Whoever waits longer has given up. */
const PATIENCE_MS = 5000
const EVERY_MS = { question: 50, 'sign-in': 100 }

const honest: Honest = JSON.parse(process.argv[2] ?? '{}')
const report: Report = { calls: 0, good: 0, times: [], statuses: {} }
/** Has signed in before the attack, as somebody who comes back. */
const browser = new Browser(honest.url)

const kinds = {
  question: async () =>
    (await ask(honest.url, honest.token, 'Who keeps the lighthouse?', PATIENCE_MS)).status,
  async 'sign-in'(): Promise<number> {
    await browser.signOut()
    const { status, location } = await browser.signIn(honest.email, honest.password, PATIENCE_MS)
    return status === 303 && location === '/' ? 200 : status === 303 ? 500 : status
  },
}

async function call(): Promise<void> {
  const sentAt = performance.now()
  report.calls++
  const status = await kinds[honest.kind]().catch(() => 0)
  report.statuses[status] = (report.statuses[status] ?? 0) + 1
  if (status !== 200) return
  report.good++
  report.times.push(Math.round(performance.now() - sentAt))
}

async function work(signal: { stopped: boolean }): Promise<void> {
  const calls: Promise<void>[] = []
  while (!signal.stopped) {
    const next = call()
    calls.push(next)
    // One browser signs in once at a time.
    if (honest.kind === 'sign-in') await next
    await sleep(EVERY_MS[honest.kind])
  }
  await Promise.all(calls)
}

const signal = { stopped: false }
let working: Promise<void> = Promise.resolve()
process.on('message', async order => {
  if (order === 'start') working = work(signal)
  if (order !== 'stop') return
  signal.stopped = true
  await working
  process.send?.(report)
  process.disconnect()
})
// The first call reads the Safe; nobody attacks yet.
const first = await kinds[honest.kind]()
process.send?.(first)

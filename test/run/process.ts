// Runs test files one after the other, in one process: to start a process and load the service takes longer than most
// files do. `pool.ts` says which file is next; a file named `*.own.test.ts` gets a process of its own.
import './without-domains.js'
import { once } from 'node:events'
import tap, { Test } from 'tap'
import { closeAll } from '../at-end.js'

/** What a file did. Times in milliseconds. */
export interface FileResult {
  file: string
  passed: number
  failed: number
  /** The titles of what was skipped, with the reason. */
  skipped: string[]
  ms: number
  /** Its output in TAP, if something failed. */
  output: string
}

/** What a process is told: a file to run, or that none follows. */
export type Order = { file: string } | 'end'

/**
 * What it answers: that something was asserted, the result of the file, or what keeps the process running after the last one.
 * tap sends words of its own.
 */
export type Answer = { isAlive: true } | { result: FileResult } | { open: string[] }

const SIGN_OF_LIFE_MS = 10_000

/** How long the process may run after its last file. */
const LINGER_MS = 60_000

// The runner bounds a file.
tap.setTimeout(0)

process.on('message', async (order: Order) => {
  if (order === 'end') end()
  else answer({ result: await runFile(order.file) })
})

// The runner was killed: nobody waits for this any more.
process.on('disconnect', () => process.exit(1))

/** Runs a file as one test, so that what it starts ends with it. */
async function runFile(file: string): Promise<FileResult> {
  const from = performance.now()
  const root = new Test({ name: file, timeout: 0 })
  const output: string[] = []
  let shown = from
  root.on('data', chunk => {
    output.push(String(chunk))
    if (performance.now() < shown + SIGN_OF_LIFE_MS) return
    shown = performance.now()
    answer({ isAlive: true })
  })
  const { test, teardown, beforeEach } = tap
  const outside = tap.counts.total
  await root.test(file, async t => {
    Object.assign(tap, {
      test: t.test.bind(t),
      teardown: t.teardown.bind(t),
      beforeEach: t.beforeEach.bind(t),
    })
    await import(new URL(`../../${file.replace(/\.ts$/, '.js')}`, import.meta.url).href)
  })
  // What a file asserts with the `t` of the package, outside its tests, would count for no file.
  if (tap.counts.total > outside) root.fail('asserts something outside its tests')
  const ended = once(root, 'end')
  root.end()
  await ended
  // Not before: what its tests share, such as a service, is made in the first of them and ends with the file.
  Object.assign(tap, { test, teardown, beforeEach })
  const { pass, fail, total } = root.counts
  const isGreen = root.passing() && total > 0
  return {
    file,
    passed: pass,
    failed: Math.max(fail, isGreen ? 0 : 1),
    skipped: output.join('').match(/(?<=^ *ok \d+ - ).* # SKIP\b.*/gm) ?? [],
    ms: performance.now() - from,
    output: isGreen ? '' : output.join('') || 'no test ran',
  }
}

/** Resources that keep the process running now were left open by a test. */
function end(): void {
  process.channel?.unref()
  closeAll()
  setTimeout(() => {
    answer({ open: process.getActiveResourcesInfo() })
    process.exit(1)
  }, LINGER_MS).unref()
}

function answer(message: Answer): void {
  process.send?.(message)
}

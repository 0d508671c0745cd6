// Runs test files one after the other in one process: starting a process and loading the service takes longer than most
// files. `pool.ts` sends the next file; a file named `*.own.test.ts` gets a process of its own.
import './without-domains.js'
import { once } from 'node:events'
import tap, { Test } from 'tap'
import { closeAll } from '../at-end.js'

/** The result of a file. Times in milliseconds. */
export interface FileResult {
  file: string
  passed: number
  failed: number
  /** The titles of skipped tests, with the reason. */
  skipped: string[]
  ms: number
  /** Its output in TAP, if a test failed. */
  output: string
}

/** A message to a process: a file to run, or the end. */
export type Order = { file: string } | 'end'

/**
 * A message from a process: an assertion was made, the result of the file, or the open resources after the last one.
 * tap also sends messages of its own.
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

// The runner was killed: nobody waits for this process any more.
process.on('disconnect', () => process.exit(1))

/** Runs a file as one test, so that everything it starts ends with it. */
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
  // Assertions of a file with the package's own `t`, outside its tests, would count for no file.
  if (tap.counts.total > outside) root.fail('asserts something outside its tests')
  const ended = once(root, 'end')
  root.end()
  await ended
  // Not earlier: resources that its tests share, such as a service, are created in the first of them and end with the
  // file.
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

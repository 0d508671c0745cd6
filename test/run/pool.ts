import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { FileResult, Order } from './process.js'

/** A file without output for this long hangs. */
const SILENCE_MS = 15 * 60_000

/** How many processes at a time: tests also wait. */
const JOBS = availableParallelism() * 2

/** Files that run with the same environment. */
export interface Batch {
  files: readonly string[]
  env: Record<string, string>
  /** Called before its first file. @returns whether it runs; without the function, it runs */
  begin?(): boolean
  onResult(result: FileResult): void
}

/**
 * Runs batches in a few processes: a free process takes the next file, so that no batch waits for the last file of
 * another.
 */
export async function runPool(batches: readonly Batch[]): Promise<void> {
  const next = inTurn(batches)
  const work = async () => {
    let runner: TestProcess | null = null
    for (let job = next(); job; job = next()) {
      const isOwn = isOwnFile(job.file)
      if (isOwn || !runner?.canTake(job)) {
        await runner?.end()
        runner = new TestProcess(job.batch)
      }
      job.batch.onResult(await runner.run(job.file))
      if (isOwn) {
        await runner.end()
        runner = null
      }
    }
    await runner?.end()
  }
  await Promise.all(Array.from({ length: JOBS }, work))
}

interface Job {
  file: string
  batch: Batch
}

const isOwnFile = (file: string) => file.includes('.own.test.')

/**
 * The files of one batch after another; in each, files that cannot share a process come first, because most of them
 * take long.
 */
function inTurn(batches: readonly Batch[]): () => Job | undefined {
  const jobs = (function* (): Generator<Job, undefined> {
    for (const batch of batches) {
      if (batch.begin?.() === false) continue
      const files = batch.files.toSorted((a, b) => Number(isOwnFile(b)) - Number(isOwnFile(a)))
      for (const file of files) yield { file, batch }
    }
    return undefined
  })()
  return () => jobs.next().value
}

interface Answers {
  result: FileResult
  open: string[]
}

class TestProcess {
  readonly #batch: Batch
  readonly #child: ChildProcess
  readonly #exited: Promise<string>
  #hasExited = false
  #file = ''
  #printed = ''

  constructor(batch: Batch) {
    this.#batch = batch
    this.#child = fork(fileURLToPath(new URL('process.js', import.meta.url)), {
      execArgv: ['--enable-source-maps', '--max-semi-space-size=64'],
      env: { ...process.env, ...batch.env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', chunk => {
        this.#printed = (this.#printed + chunk).slice(-20_000)
      })
    this.#exited = once(this.#child, 'exit').then(([code, signal]) => {
      this.#hasExited = true
      return `the process ended with ${signal ?? code}`
    })
  }

  canTake({ batch }: Job): boolean {
    return !this.#hasExited && batch === this.#batch
  }

  async run(file: string): Promise<FileResult> {
    this.#file = file
    const from = performance.now()
    const hangs = setTimeout(() => this.#child.kill('SIGABRT'), SILENCE_MS)
    const isAlive = () => hangs.refresh()
    this.#child.on('message', isAlive)
    const answered = this.#answer('result')
    this.#tell({ file })
    const result = await Promise.race([answered, this.#exited])
    clearTimeout(hangs)
    this.#child.off('message', isAlive)
    if (typeof result === 'string') return this.#failed(result, performance.now() - from)
    return result.output ? { ...result, output: `${result.output}\n${this.#printed}` } : result
  }

  /** Lets the process end. It ends by itself unless a test left something open. */
  async end(): Promise<void> {
    if (this.#hasExited) return
    const open = this.#answer('open')
    this.#tell('end')
    const left = await Promise.race([open, this.#exited])
    await this.#exited
    if (typeof left === 'string') return
    this.#batch.onResult(
      this.#failed(`left open here or by a file before in the same process: ${left.join(', ')}`, 0),
    )
  }

  #answer<K extends keyof Answers>(kind: K): Promise<Answers[K]> {
    return new Promise(resolve => {
      const listen = (message: Partial<Answers> | string) => {
        if (typeof message === 'string' || !(kind in message)) return
        this.#child.off('message', listen)
        resolve(message[kind] as Answers[K])
      }
      this.#child.on('message', listen)
    })
  }

  #tell(order: Order): void {
    this.#child.send(order)
  }

  #failed(what: string, ms: number): FileResult {
    const output = `not ok - ${what}\n${this.#printed}`
    return { file: this.#file, passed: 0, failed: 1, skipped: [], ms, output }
  }
}

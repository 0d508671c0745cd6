import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { FileResult, Order } from './process.js'

/** A file without a word for so long hangs. */
const SILENCE_MS = 15 * 60_000

/** How many processes at a time: tests also wait. */
const JOBS = availableParallelism() * 2

export interface PoolOptions {
  files: readonly string[]
  env: Record<string, string>
  onResult(result: FileResult): void
}

/** Runs files in a few processes: whichever is free takes the next one. */
export async function runPool({ files, env, onResult }: PoolOptions): Promise<void> {
  const isOwn = (file: string) => file.includes('.own.test.')
  // First those that cannot share a process, because most of them take long.
  const waiting = [...files.filter(isOwn), ...files.filter(file => !isOwn(file))]
  const work = async () => {
    let runner: TestProcess | null = null
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (isOwn(file) || !runner?.isAlive) {
        await runner?.end(onResult)
        runner = new TestProcess(env)
      }
      onResult(await runner.run(file))
      if (isOwn(file)) {
        await runner.end(onResult)
        runner = null
      }
    }
    await runner?.end(onResult)
  }
  await Promise.all(Array.from({ length: JOBS }, work))
}

interface Answers {
  result: FileResult
  open: string[]
}

class TestProcess {
  readonly #child: ChildProcess
  readonly #exited: Promise<string>
  #hasExited = false
  #file = ''
  #printed = ''

  constructor(env: Record<string, string>) {
    this.#child = fork(fileURLToPath(new URL('process.js', import.meta.url)), {
      execArgv: ['--enable-source-maps', '--max-semi-space-size=64'],
      env: { ...process.env, ...env },
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

  get isAlive(): boolean {
    return !this.#hasExited
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

  /** Lets the process end, which it does unless a test left something open. */
  async end(onResult: (result: FileResult) => void): Promise<void> {
    if (!this.isAlive) return
    const open = this.#answer('open')
    this.#tell('end')
    const left = await Promise.race([open, this.#exited])
    await this.#exited
    if (typeof left === 'string') return
    onResult(this.#failed(`left open here or by a file before in the same process: ${left.join(', ')}`, 0))
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

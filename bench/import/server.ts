import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A time at which the server's event loop was held up. Milliseconds. */
export interface Hold {
  late: number
  /** Of these it worked. */
  ran: number
  /** Of these it waited for a free core, which is not its fault. */
  waited: number
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The built server as a process of its own. */
export class Server {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(env: Record<string, string>): Promise<Server> {
    const watch = fileURLToPath(new URL('event-loop.mjs', import.meta.url))
    const child = spawn(process.execPath, ['--import', watch, 'dist/server.js'], {
      cwd: root,
      env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    })
    for (let told = ''; !told.includes('Listening'); ) {
      const [chunk] = await Promise.race([
        once(child.stderr as NonNullable<typeof child.stderr>, 'data'),
        once(child, 'exit'),
      ])
      if (child.exitCode !== null) throw new Error(`The server ended: ${told}`)
      told += chunk
    }
    child.stderr?.pipe(process.stderr)
    return new Server(child)
  }

  /** When its event loop was held up since the last call. */
  async holds(): Promise<Hold[]> {
    this.#child.send('holds')
    const [holds] = await once(this.#child, 'message')
    return holds
  }

  /** The most memory it ever took, as Linux counts it. */
  peakMb(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1000
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    this.#child.kill('SIGTERM')
    await once(this.#child, 'exit')
  }
}

/** Runs the built command line beside the server. */
export async function svc(env: Record<string, string>, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['dist/cli.js', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`svc ${args.join(' ')} ended with ${code}: ${errors}`)
  return output
}

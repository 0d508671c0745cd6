import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { rootDir } from '../common/package.js'
import { freePort } from './free-port.js'

/** A time at which the server's event loop was held up. Milliseconds. */
export interface Hold {
  /** By how much a timer was late. */
  late: number
  /** Of these the main thread worked. */
  ran: number
  /** Of these it waited for a free core, which is not its fault. */
  waited: number
  /**
   * The longest that it worked without coming to a timer, or to the begin or end of a request. A hundred requests that are
   * read at the same moment make a timer late together; none of them holds the loop.
   */
  longestPiece: number
}

const LOOP_WATCH = fileURLToPath(new URL('loop-watch.mjs', import.meta.url))

/** The service as it is installed, a process of its own. */
export interface ServerProcess {
  url: string
  port: number
  child: ChildProcess
  /** Resolves with the exit code, or null when a signal ended it. */
  ended: Promise<number | null>
  stop(signal: NodeJS.Signals): Promise<void>
}

/** One whose event loop is watched. */
export interface WatchedServer extends ServerProcess {
  /** When its event loop was held up since the last call. @throws when it has ended */
  holds(): Promise<Hold[]>
}

interface Start {
  /** Holds the built `dist`. Default: what `npm run build` made. */
  files?: string
  /** A command that runs the command after it. */
  through?: string[]
  /** Further arguments of Node. */
  nodeArgs?: string[]
}

/** Starts the service in `files` until the test ends. */
export async function startServer(
  t: Test,
  files: string,
  env: Record<string, string>,
  through: string[] = [],
): Promise<ServerProcess> {
  const server = await startBuilt(env, { files, through })
  t.teardown(() => server.stop('SIGKILL'))
  return server
}

/** `startBuilt`, with an eye on its event loop. */
export async function startWatched(env: Record<string, string>): Promise<WatchedServer> {
  const server = await startBuilt(env, { nodeArgs: ['--import', LOOP_WATCH] })
  const { child, ended } = server
  const failed = ended.then(code => Promise.reject(new Error(`the service ended with ${code}`)))
  failed.catch(() => {})
  return {
    ...server,
    async holds() {
      if (child.connected) child.send('holds')
      const [holds] = await Promise.race([once(child, 'message'), failed])
      return holds
    },
  }
}

/** Starts the built service, on a free port if `env` names none; resolves when it listens. */
export async function startBuilt(
  env: Record<string, string>,
  { files = rootDir, through = [], nodeArgs = [] }: Start = {},
): Promise<ServerProcess> {
  const port = Number(env.PORT ?? (await freePort()))
  const server = [process.execPath, ...nodeArgs, join(files, 'dist', 'server.js')]
  const [command = '', ...args] = [...through, ...server]
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', ...(nodeArgs.length > 0 ? (['ipc'] as const) : [])],
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', chunk => {
      printed += chunk
      if (printed.includes('Listening')) resolve()
    })
    void ended.then(() => reject(new Error(`the server did not start: ${printed}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    child,
    ended,
    async stop(signal) {
      child.kill(signal)
      await ended
    },
  }
}

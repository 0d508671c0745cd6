import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { rootDir } from '../platform/common/package.js'
import { freePort } from './free-port.js'

/** The built service in a separate process. */
export interface ServerProcess {
  url: string
  port: number
  child: ChildProcess
  /** Resolves with the exit code, or null after a signal. */
  ended: Promise<number | null>
  stop(signal: NodeJS.Signals): Promise<void>
}

interface Start {
  /** The folder of the built `dist`. Default: the repository. */
  files?: string
  /** A command that wraps the server's command. */
  through?: string[]
  /** Additional arguments for Node. */
  nodeArgs?: string[]
  /** Where its log goes: a file descriptor, or a pipe. Default: nowhere. */
  stdout?: number | 'pipe'
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

/** Starts the built service, by default on a free port. Resolves when it listens. */
export async function startBuilt(
  env: Record<string, string>,
  { files = rootDir, through = [], nodeArgs = [], stdout }: Start = {},
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
    stdio: ['ignore', stdout ?? 'ignore', 'pipe', ...(nodeArgs.length > 0 ? (['ipc'] as const) : [])],
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

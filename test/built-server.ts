import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from './free-port.js'

/** The service as it is installed, a process of its own. */
export interface ServerProcess {
  url: string
  child: ChildProcess
  /** Resolves with the exit code, or null when a signal ended it. */
  ended: Promise<number | null>
}

/** Starts the service in `files`; `through` is a command that runs the command after it. */
export async function startServer(
  t: Test,
  files: string,
  env: Record<string, string>,
  through: string[] = [],
): Promise<ServerProcess> {
  const port = await freePort()
  const [command = '', ...args] = [...through, process.execPath, join(files, 'dist', 'server.js')]
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let told = ''
  const listening = new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', chunk => {
      told += chunk
      if (told.includes('Listening')) resolve()
    })
    void ended.then(() => reject(new Error(`the server did not start: ${told}`)))
  })
  await listening
  return { url: `http://127.0.0.1:${port}`, child, ended }
}

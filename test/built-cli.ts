import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { rootDir } from '../platform/common/package.js'
import { builtFolder } from './servers.js'

/** Runs the built command line from `files`. @returns its output @throws when it fails */
export async function runCli(
  args: string[],
  env: Record<string, string>,
  input = '',
  files = rootDir,
): Promise<string> {
  const child = spawn(process.execPath, [join(files, 'dist', 'cli.js'), ...args], {
    env: { PATH: process.env.PATH, ...env },
  })
  child.stdin.end(input)
  const outputs = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  const [output, errors] = await outputs
  if (code !== 0) throw new Error(`svc ${args.join(' ')} exited with ${code}: ${errors}`)
  return output
}

/** The command line as it is installed, on one data folder. */
export interface BuiltCli {
  start(...args: string[]): ChildProcess
  /** Returns its output. @throws when the command fails */
  run(args: string[], input?: string): Promise<string>
}

/** The command line of the built service; `more`: settings besides the folder. */
export async function builtCli(folder: string, more: Record<string, string> = {}): Promise<BuiltCli> {
  const env = { DATA_DIR: folder, ...more }
  const files = await builtFolder()
  const cli = join(files, 'dist', 'cli.js')
  return {
    start: (...args) =>
      spawn(process.execPath, [cli, ...args], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' }),
    run: (args, input) => runCli(args, env, input, files),
  }
}

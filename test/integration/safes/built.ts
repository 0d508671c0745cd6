import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { runCli } from '../../built-cli.js'
import { servers } from '../../helper.js'

/** The command line as it is installed, on one data folder. */
export interface BuiltCli {
  start(...args: string[]): ChildProcess
  /** Returns what it printed. @throws when it refuses */
  run(args: string[], input?: string): Promise<string>
}

/** Where test/setup.ts built the service. */
export const builtFolder = (): string => servers().builtFolder

/** The command line of the service that test/setup.ts built; `more` are settings besides the folder. */
export async function builtCli(folder: string, more: Record<string, string> = {}): Promise<BuiltCli> {
  const env = { DATA_DIR: folder, ...more }
  const cli = join(builtFolder(), 'dist', 'cli.js')
  return {
    start: (...args) =>
      spawn(process.execPath, [cli, ...args], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' }),
    run: (args, input) => runCli(args, env, input, builtFolder()),
  }
}

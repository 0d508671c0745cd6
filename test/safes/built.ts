import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { servers } from '../helper.js'

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
  const env = { PATH: process.env.PATH, DATA_DIR: folder, ...more }
  const cli = join(builtFolder(), 'dist', 'cli.js')
  return {
    start: (...args) => spawn(process.execPath, [cli, ...args], { env, stdio: 'ignore' }),
    async run(args, input = '') {
      const child = spawn(process.execPath, [cli, ...args], { env })
      child.stdin.end(input)
      let [output, errors] = ['', '']
      child.stdout.on('data', chunk => {
        output += chunk
      })
      child.stderr.on('data', chunk => {
        errors += chunk
      })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`svc ${args.join(' ')}: ${errors}`)
      return output
    },
  }
}

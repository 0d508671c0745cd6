import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { rootDir } from '../../plugins/config.js'
import { dataDir } from '../helper.js'

/** The command line as it is installed, on one data folder. */
export interface BuiltCli {
  start(...args: string[]): ChildProcess
  /** Returns what it printed. @throws when it refuses */
  run(args: string[], input?: string): Promise<string>
}

/** Builds the service into a folder of its own: only built files can start threads outside tap. */
export async function buildFiles(t: Test): Promise<string> {
  const built = dataDir(t)
  for (const name of ['node_modules', 'package.json', 'known-clients', 'sample', 'views', 'public'])
    symlinkSync(join(rootDir, name), join(built, name))
  const args = ['-p', join(rootDir, 'tsconfig.build.json'), '--outDir', join(built, 'dist')]
  const compiler = join(rootDir, 'node_modules', 'typescript', 'bin', 'tsc')
  const [code] = await once(spawn(process.execPath, [compiler, ...args], { stdio: 'ignore' }), 'exit')
  if (code !== 0) throw new Error('The service does not compile.')
  return built
}

/** The command line of `buildFiles`; `more` are settings besides the folder. */
export async function builtCli(
  t: Test,
  folder: string,
  files?: string,
  more: Record<string, string> = {},
): Promise<BuiltCli> {
  const built = files ?? (await buildFiles(t))
  const env = { PATH: process.env.PATH, DATA_DIR: folder, ...more }
  const cli = join(built, 'dist', 'cli.js')
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

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { rootDir } from '../../plugins/config.js'
import { runCli } from '../built-cli.js'
import { servers } from '../helper.js'

/** The command line as it is installed, on one data folder. */
export interface BuiltCli {
  start(...args: string[]): ChildProcess
  /** Returns what it printed. @throws when it refuses */
  run(args: string[], input?: string): Promise<string>
}

/**
 * The service as `npm run build` makes it, in a folder of its own: only built files can start threads outside tap. The
 * first test that asks builds it for all.
 */
export async function buildFiles(): Promise<string> {
  const folder: string = servers().builtFolder
  const outcome = join(folder, 'built')
  if (isFirst(folder)) writeFileSync(outcome, (await compile(folder)) ? 'yes' : 'no')
  while (!existsSync(outcome)) await pause(50)
  if (readFileSync(outcome, 'utf8') === 'no') throw new Error('The service does not compile.')
  return folder
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'building'))
    return true
  } catch {
    return false
  }
}

async function compile(folder: string): Promise<boolean> {
  for (const name of ['node_modules', 'package.json', 'known-clients', 'sample', 'views', 'public'])
    symlinkSync(join(rootDir, name), join(folder, name))
  const args = [join('scripts', 'build.mjs'), '--to', join(folder, 'dist')]
  const [code] = await once(spawn(process.execPath, args, { cwd: rootDir, stdio: 'ignore' }), 'exit')
  return code === 0
}

/** The command line of `buildFiles`; `more` are settings besides the folder. */
export async function builtCli(folder: string, more: Record<string, string> = {}): Promise<BuiltCli> {
  const built = await buildFiles()
  const env = { DATA_DIR: folder, ...more }
  const cli = join(built, 'dist', 'cli.js')
  return {
    start: (...args) =>
      spawn(process.execPath, [cli, ...args], { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' }),
    run: (args, input) => runCli(args, env, input, built),
  }
}

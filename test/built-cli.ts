import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { rootDir } from '../common/package.js'

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

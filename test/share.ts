import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../common/package.js'

/**
 * Runs one of so many shares of the test files in a folder, in this process: to start a process for each file takes
 * longer than most of them run.
 */
export async function runShare(folder: string, share: number, shares: number): Promise<void> {
  const names = readdirSync(join(rootDir, folder), { recursive: true, encoding: 'utf8' })
  const files = names.filter(name => name.endsWith('.test.ts')).sort()
  for (const [at, file] of files.entries())
    if (at % shares === share - 1) await import(join(rootDir, folder, file))
}

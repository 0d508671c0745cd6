import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { rootDir } from '../../platform/common/package.js'

/** Where Node writes what ran, for `printCoverage` (.c8rc.json). */
export const coverageFolder = join(rootDir, 'node_modules', '.cache', 'coverage')

/** Prints which share of lines and branches ran. @returns whether it is at least what .c8rc.json asks for */
export function printCoverage(): boolean {
  const c8 = join(rootDir, 'test', 'deep', 'node_modules', 'c8', 'bin', 'c8.js')
  const { status } = spawnSync(process.execPath, [c8, 'report', '--check-coverage'], {
    cwd: rootDir,
    stdio: 'inherit',
  })
  return status === 0
}

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { rootDir } from '../../platform/common/package.js'

/** The folder in which Node records executed code, for `printCoverage` (.c8rc.json). */
export const coverageFolder = join(rootDir, 'node_modules', '.cache', 'coverage')

/** Prints the share of executed lines and branches. @returns whether it reaches the minimum in .c8rc.json */
export function printCoverage(): boolean {
  const c8 = join(rootDir, 'test', 'deep', 'node_modules', 'c8', 'bin', 'c8.js')
  const { status } = spawnSync(process.execPath, [c8, 'report', '--check-coverage'], {
    cwd: rootDir,
    stdio: 'inherit',
  })
  return status === 0
}

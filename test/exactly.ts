import { readFileSync, writeFileSync } from 'node:fs'
import type { Test } from 'tap'
import { rootDir } from '../platform/common/package.js'

/**
 * Compares with `test/fixtures/exact`. To accept a difference, look at it, then run the test with WRITE_FIXTURES=1,
 * which writes the file again.
 */
export function exactly(t: Test, name: string, found: string): void {
  const path = `${rootDir}/test/fixtures/exact/${name}`
  if (process.env.WRITE_FIXTURES) writeFileSync(path, `${found}\n`)
  t.strictSame(found.split('\n'), readFileSync(path, 'utf8').replace(/\n$/, '').split('\n'))
}

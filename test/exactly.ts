import { readFileSync, writeFileSync } from 'node:fs'
import type { Test } from 'tap'
import { rootDir } from '../platform/common/package.js'

/**
 * Compares with what stands in `test/fixtures/exact`. Where a difference is meant, look at it, then write the file anew
 * by running the test with WRITE_FIXTURES=1.
 */
export function exactly(t: Test, name: string, found: string): void {
  const path = `${rootDir}/test/fixtures/exact/${name}`
  if (process.env.WRITE_FIXTURES) writeFileSync(path, `${found}\n`)
  t.strictSame(found.split('\n'), readFileSync(path, 'utf8').replace(/\n$/, '').split('\n'))
}

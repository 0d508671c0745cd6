import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../../platform/common/package.js'

/** The folder of tests that only `npm run test:deep` runs. */
export const DEEP = 'test/deep/'

/**
 * The test files whose path contains one of the names; without names, those of `npm test`. Relative to the root, sorted.
 */
export function testFiles(names: readonly string[]): string[] {
  const all = readdirSync(join(rootDir, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map(name => `test/${name}`)
    .sort()
  if (names.length === 0) return all.filter(file => !file.startsWith(DEEP))
  const wanted = names.map(name => name.replace(/^\.\//, ''))
  return all.filter(file => wanted.some(name => file.includes(name)))
}

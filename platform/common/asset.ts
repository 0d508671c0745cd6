import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from './package.js'

/** The path of a file in `public/`. It contains a hash of the file, so that it may be cached for a year. */
export function assetUrl(file: string): string {
  const content = readFileSync(join(rootDir, 'public', file))
  return `/assets/${file}?v=${createHash('sha256').update(content).digest('hex').slice(0, 12)}`
}

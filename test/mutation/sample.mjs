import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const WINDOW = 6

/**
 * Chooses `count` windows of a few lines from the files that match `patterns`, as Stryker's `file:from-to`. The same
 * files give the same windows, so that two runs can be compared; each line is as likely as any other. Those `after` so
 * many others are another sample.
 */
export function sample(patterns, count, after = 0) {
  const globs = patterns.map(pattern => `:(glob)${pattern}`)
  const files = execFileSync('git', ['ls-files', ...globs], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)
  const windows = files.flatMap(file => {
    const lines = readFileSync(file, 'utf8').split('\n').length
    return Array.from({ length: Math.ceil(lines / WINDOW) }, (_, index) => {
      const from = index * WINDOW + 1
      return `${file}:${from}-${from + WINDOW - 1}`
    })
  })
  const rank = window => createHash('sha256').update(window).digest('hex')
  return windows.sort((one, other) => (rank(one) < rank(other) ? -1 : 1)).slice(after, after + count)
}

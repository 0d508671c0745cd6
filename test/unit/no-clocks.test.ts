import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { rootDir } from '../../platform/common/package.js'

/**
 * Functions that measure elapsed time, processor time or memory. The runner, which prints the duration of files, and
 * the one of mutation tests are exempt.
 */
const MEASURES =
  /\bperformance\.now\(|\bhrtime\b|\b(?:cpuUsage|resourceUsage|memoryUsage|monitorEventLoopDelay|eventLoopUtilization)\(|\bDate\.now\(\)\s*-\s*[a-z]\w*\b(?! \*)|\bconsole\.time/

t.test('no test measures time or memory: what can only be measured is in bench/', async t => {
  const files = readdirSync(join(rootDir, 'test'), { recursive: true, encoding: 'utf8' }).filter(
    file => /\.(?:ts|mjs)$/.test(file) && !/node_modules|^run\/|^mutation\/|^unit\/no-clocks/.test(file),
  )
  t.ok(files.length > 300)
  const found = files.flatMap(file =>
    readFileSync(join(rootDir, 'test', file), 'utf8')
      .split('\n')
      .flatMap((line, at) => (MEASURES.test(line) ? [`test/${file}:${at + 1}: ${line.trim()}`] : [])),
  )
  t.strictSame(found, [])
})

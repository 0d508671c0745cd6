// npm run docs -- conformance: makes docs/conformance.md.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { conformanceTable, untested } from './table.js'
import { readTitles } from './titles.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const titles = readTitles(root)
writeFileSync(`${root}/docs/conformance.md`, conformanceTable(titles))
const missing = untested(titles)
if (missing.length > 0) {
  process.stderr.write(`No test is about: ${missing.join(', ')}\n`)
  process.exitCode = 1
}

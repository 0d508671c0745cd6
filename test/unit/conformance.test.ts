import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { conformanceTable, unknown, untested } from '../../docs/conformance/table.js'
import { readTitles } from '../../docs/conformance/titles.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

t.test('every rule has a test, and docs/conformance.md says which (npm run conformance)', async t => {
  const titles = readTitles(root)
  t.same(untested(titles), [], 'rules without a test')
  t.same(unknown(titles), [], 'titles with a number that no rule has')
  t.equal(readFileSync(`${root}/docs/conformance.md`, 'utf8'), conformanceTable(titles))
})

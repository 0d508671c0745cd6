import { readFileSync } from 'node:fs'
import t from 'tap'
import { conformanceTable, unknown, untested } from '../../docs/conformance/table.js'
import { readTitles } from '../../docs/conformance/titles.js'
import { rootDir } from '../../platform/common/package.js'

t.test('every rule has a test, and docs/conformance.md says which (npm run docs -- conformance)', async t => {
  const titles = readTitles(rootDir)
  t.same(untested(titles), [], 'rules without a test')
  t.same(unknown(titles), [], 'titles with a number that no rule has')
  t.equal(readFileSync(`${rootDir}/docs/conformance.md`, 'utf8'), conformanceTable(titles))
})

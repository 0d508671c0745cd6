import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { rootDir } from '../../platform/common/package.js'
import { settingsTable } from '../../plugins/config/describe.js'

t.test('docs/settings.md lists the settings as they are (npm run docs -- settings)', async t => {
  const page = readFileSync(join(rootDir, 'docs', 'settings.md'), 'utf8')
  const [, listed] = /<!-- settings -->\n([\s\S]*?)\n<!-- \/settings -->/.exec(page) ?? []
  t.equal(listed, settingsTable())
})

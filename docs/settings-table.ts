// npm run docs -- settings: writes the table of all settings into docs/settings.md. A test checks that it is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsTable } from '../plugins/config/describe.js'

const PAGE = join(import.meta.dirname, 'settings.md')
const MARKED = /(<!-- settings -->\n)[\s\S]*?(\n<!-- \/settings -->)/

const page = readFileSync(PAGE, 'utf8')
writeFileSync(
  PAGE,
  page.replace(MARKED, (_, before, after) => `${before}${settingsTable()}${after}`),
)

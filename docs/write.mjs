// npm run docs [-- NAME …]: writes the generated documents. Without a name all that tests compare with the code;
// `icons` and `pictures` need Chromium and are made on request.
import { spawnSync } from 'node:child_process'

const COMPARED = ['conformance', 'man', 'metrics', 'settings']
const FILES = {
  conformance: 'docs/conformance/write.ts',
  man: 'docs/man-page.ts',
  metrics: 'docs/metrics-table.ts',
  settings: 'docs/settings-table.ts',
  icons: 'scripts/icons.ts',
  pictures: 'docs/pictures.ts',
  'change-cost': 'docs/change-cost.ts',
}

const asked = process.argv.slice(2)
for (const name of asked.length > 0 ? asked : COMPARED) {
  if (!Object.hasOwn(FILES, name)) throw new Error(`${name} is none of ${Object.keys(FILES).join(', ')}`)
  const args = ['--import=tsx', '--import=./test/tsx-in-threads.mjs', FILES[name]]
  const { status } = spawnSync('node', args, { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

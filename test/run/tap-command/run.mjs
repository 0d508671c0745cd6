// `npx tap FILE …` runs what `npm run test:one FILE …` runs.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.mjs', import.meta.url))
process.exitCode =
  spawnSync(process.execPath, [main, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1

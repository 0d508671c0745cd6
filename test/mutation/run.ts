// npm run mutation [-- --mutate 'oauth/token/**']: changes the code in many small ways and reports the changes
// that no test notices. Takes the options of `stryker run`.
import { spawnSync } from 'node:child_process'

await import('../setup.js')
const stryker = ['test/mutation/node_modules/.bin/stryker', 'run', 'test/mutation/stryker.config.mjs']
const { status } = spawnSync(process.execPath, [...stryker, ...process.argv.slice(2)], { stdio: 'inherit' })
await import('../teardown.js')
process.exit(status ?? 1)
